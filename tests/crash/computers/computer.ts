import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import type { EntityMap, EntityName } from '#shared/domain/changes.ts'
import { Process } from '../kill-process.ts'
import type { Place } from './room.ts'

/** The programs of a computer, as built files. */
export type Programs = {
  readonly app: string
  readonly server: string
  readonly env: NodeJS.ProcessEnv
  /** Capabilities that they do not have. */
  readonly without?: readonly string[]
  /** Megabytes of a disk of their own, which is gone when they end. */
  readonly disk?: number
}

type Answer = { readonly value?: unknown; readonly error?: string }

/** A user's computer: Parlor as a real process in a place of the room, with a disk that outlives it. */
export class Computer {
  readonly place: Place
  readonly #data: string
  readonly #programs: Programs
  readonly #answers = new Map<number, (answer: Answer) => void>()
  #process: Process | undefined
  #next = 0
  #pushes = 0
  #hasEnded = false
  #onPush: () => void = () => undefined

  constructor(place: Place, data: string, programs: Programs) {
    this.place = place
    this.#data = data
    this.#programs = programs
  }

  /** Starts Parlor; what it had begun goes on. */
  async start(): Promise<void> {
    const { app, server, env, without = [], disk } = this.#programs
    const inside = [...this.place.inside, ...limited(without), ...onDisk(this.#data, disk)]
    const started = new Process(app, [this.#data, server], env, inside)
    this.#process = started
    this.#hasEnded = false
    started.onLine((line) => this.#heard(line))
    void started.ended.then((how) => this.#fail(started, how))
    await started.line((line) => line === 'open')
  }

  /** Ends it with SIGKILL; its server, if it has one, is told by the system. */
  async kill(): Promise<void> {
    await this.#process?.kill()
  }

  /** Ends the server of its workspace with SIGKILL. */
  killServer(): void {
    const pid = this.#process?.pid ?? 0
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')
    for (const child of children) if (child !== '') process.kill(Number(child), 'SIGKILL')
  }

  async stop(): Promise<void> {
    await this.#process?.stop()
  }

  /** A call of its user. Rejects with the name and the code of the error, and when the process ends before. */
  async call<Value>(name: string, input?: unknown): Promise<Value> {
    if (this.#hasEnded) throw new Error('ended before')
    this.#next += 1
    const id = this.#next
    const answer = await new Promise<Answer>((resolve) => {
      this.#answers.set(id, resolve)
      this.#process?.say(JSON.stringify({ id, name, input }))
    })
    if (answer.error !== undefined) throw new Error(answer.error)
    return answer.value as Value
  }

  /** What a window would show of a table. */
  rows<Name extends EntityName>(table: Name): Promise<readonly EntityMap[Name][]> {
    return this.call('rows', table)
  }

  /** Resolves at this push from now on, or when the process ends. */
  async afterPushes(count: number): Promise<void> {
    const wanted = this.#pushes + count
    const running = this.#process
    while (this.#pushes < wanted && this.#process === running && !this.#hasEnded)
      await new Promise<void>((resolve) => (this.#onPush = resolve))
  }

  /** Rows of the database of its own workspace. */
  onServer<Row>(sql: string): Row[] {
    return read<Row>(join(this.#data, 'workspaces', 'own', 'server.db'), sql)
  }

  /** Rows of the cache of its only account. */
  inCache<Row>(sql: string): Row[] {
    const [account = ''] = this.accounts()
    return read<Row>(join(this.#data, 'accounts', account, 'cache.db'), sql)
  }

  /** Folders of its accounts. */
  accounts(): readonly string[] {
    const folder = join(this.#data, 'accounts')
    return existsSync(folder) ? readdirSync(folder) : []
  }

  #heard(line: string): void {
    if (line === 'push') {
      this.#pushes += 1
      return this.#onPush()
    }
    if (!line.startsWith('{')) return
    const { id, ...answer } = JSON.parse(line) as Answer & { readonly id: number }
    this.#answers.get(id)?.(answer)
    this.#answers.delete(id)
  }

  /** What was asked of a process that has ended is answered by nobody. */
  #fail(ended: Process, how: string): void {
    if (this.#process !== ended) return
    this.#hasEnded = true
    this.#onPush()
    for (const answer of this.#answers.values()) answer({ error: `ended: ${how}` })
    this.#answers.clear()
  }
}

const limited = (without: readonly string[]): readonly string[] =>
  without.length === 0 ? [] : ['setpriv', `--bounding-set=${without.map((each) => `-${each}`).join()}`]

const onDisk = (data: string, size: number | undefined): readonly string[] => {
  if (size === undefined) return []
  const mount = 'mkdir -p "$0" && mount -t tmpfs -o size="$1"m tmpfs "$0" && shift && exec "$@"'
  return ['unshare', '--mount', 'sh', '-c', mount, data, String(size)]
}

function read<Row>(path: string, sql: string): Row[] {
  const db = new Database(path, { readonly: true, timeout: 5_000 })
  try {
    return db.prepare<[], Row>(sql).all()
  } finally {
    db.close()
  }
}
