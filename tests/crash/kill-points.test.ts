import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isInShare, noteCovered, PATIENCE_MS, runsTo } from '#kit/runs.ts'
import { asOperator, bundle, createChannel, Process, startServer, tokenOf, type Server } from './kill-process.ts'
import { POINTS, type Point, type Spoilt, type Stage } from './kill-points.ts'
import type { Look } from './kill-points-story.ts'

/**
 * At named moments the app's process ends itself with `kill -9`, is started again, and has everything it had promised,
 * once and complete.
 */
const LANES = 4
/** The first time a point is reached; in the long run also the later ones. */
const TIMES = runsTo(1, 5)
/** The gate takes a quarter of the points. */
const SHARES = 4
const folder = mkdtempSync(join(tmpdir(), 'parlor-points-'))
const env = { NODE_COMPILE_CACHE: join(folder, 'compiled') }

let app: string
let server: Server

beforeAll(async () => {
  const built = await bundle('crash-points', {
    app: 'tests/crash/kill-points-app.ts',
    server: 'main/entry/server.ts',
  })
  app = join(built, 'app.js')
  server = await startServer(join(built, 'server.js'), join(folder, 'server'), 0, env)
})
afterAll(() => {
  for (const child of Process.running) child.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

/** One user with a separate device, and two channels. */
class Person {
  readonly data: string
  readonly quiet: string
  readonly busy: string
  /** Promises that were made, in order. */
  readonly notified: string[] = []
  stage: Stage = 'start'
  /** How often each point was reached, by a process that ended normally. */
  reached: Readonly<Record<string, number>> = {}
  readonly #id: string

  constructor(id: string, data = join(folder, id)) {
    this.#id = id
    this.data = data
    this.quiet = `messaging:${id}-quiet`
    this.busy = `messaging:${id}-busy`
  }

  async settle(): Promise<void> {
    await asOperator(server.url, '/users', { users: Object.fromEntries([this.#id, 'other'].map((id) => [id, { id }])) })
    for (const cid of [this.quiet, this.busy]) await createChannel(server.url, cid, [this.#id, 'other'])
    for (const text of ['one', 'two', 'three'])
      await asOperator(server.url, `/channels/${this.busy.replace(':', '/')}/message`, {
        message: { text, user_id: 'other' },
      })
    mkdirSync(this.data, { recursive: true })
    const profile = { installIds: {}, ports: {} }
    writeFileSync(join(this.data, 'settings.json'), JSON.stringify({ profile }))
  }

  async start(mode: 'live' | 'look', point = '', nth = 1): Promise<Process> {
    const token = await tokenOf({ user_id: this.#id })
    const child = new Process(app, [mode, this.data, server.url, token, this.quiet, this.busy, point, String(nth)], env)
    child.onLine((line) => {
      const [word = '', ...rest] = line.split(' ')
      if (word === 'reported') this.notified.push(rest.join(' '))
      if (word === 'stage') this.stage = rest.join(' ') as Stage
      if (word === 'reached') this.reached = JSON.parse(rest.join(' ')) as Record<string, number>
    })
    return child
  }

  async look(): Promise<Look> {
    const child = await this.start('look')
    const line = await child.line((each) => each.startsWith('look '))
    await child.ended
    return JSON.parse(line.slice('look '.length)) as Look
  }

  /** The user's messages on the server, with the sizes of their files. */
  async sent(): Promise<string[]> {
    const answer = await asOperator(server.url, `/channels/${this.busy.replace(':', '/')}/query`, {
      data: { created_by_id: this.#id },
      state: true,
    })
    type Message = { text: string; user: { id: string }; attachments: { file_size?: number }[] }
    return (answer['messages'] as Message[])
      .filter(({ user }) => user.id === this.#id)
      .map(({ text, attachments }) => `${text} ${attachments.map(({ file_size: size }) => size).join()}`)
  }

  get accounts(): string[] {
    const path = join(this.data, 'accounts')
    return existsSync(path) ? readdirSync(path) : []
  }

  get tokens(): string[] {
    const path = join(this.data, 'secrets.json')
    return existsSync(path) ? Object.keys(JSON.parse(readFileSync(path, 'utf8')) as object) : []
  }

  get staged(): string[] {
    return this.accounts.flatMap((name) => {
      const path = join(this.data, 'accounts', name, 'staging')
      return existsSync(path) ? readdirSync(path) : []
    })
  }
}

const WHOLE = 'with a file 80000'

async function judge(person: Person): Promise<string[]> {
  const shown = await person.look()
  const sent = await person.sent()
  const faults: string[] = []
  const must = (holds: boolean, text: string): void => void (holds || faults.push(text))
  const has = (promise: string): boolean => person.notified.includes(promise)

  if (has('theme')) must(shown.theme === 'dark', `the theme is ${shown.theme}`)
  else must(shown.theme === 'dark' || shown.theme === 'system', `the theme is ${shown.theme}`)

  must(
    sent.every((text) => text === WHOLE),
    `sent: ${sent.join('; ')}`,
  )
  must(sent.length <= 1, `sent ${sent.length} times`)
  if (has('sent')) must(sent.length === 1, 'what was accepted is not sent')
  must(shown.outbox.length === 0, `left in the outbox: ${shown.outbox.join()}`)

  const isSignedIn = person.notified.findLast((each) => each.startsWith('sign')) === 'signed-in'
  const leaves = person.stage === 'sign out' || person.stage === 'wipe'
  if (isSignedIn && !leaves) must(shown.isSignedIn, 'no one is signed in')
  if (shown.isSignedIn) judgeDraftsAndUploads(person, shown, sent, must)
  else if (leaves) {
    must(person.tokens.length === 0, `a token is left: ${person.tokens.join()}`)
    const left = person.accounts.join()
    if (person.stage === 'wipe') must(left === '', `left after everything was to go: ${left}`)
  }
  return faults
}

/** Drafts and files of a signed-in user. */
function judgeDraftsAndUploads(
  person: Person,
  { drafts, uploads }: Look,
  sent: readonly string[],
  must: (holds: boolean, text: string) => void,
): void {
  const text = drafts[person.quiet]?.text
  must(
    text === 'draft words' || (!person.notified.includes('draft') && text === undefined),
    `the draft reads ${String(text)}`,
  )
  const draft = drafts[person.busy]
  if (person.notified.includes('attached') && sent.length === 0) {
    must(draft?.text === 'with a file', `the draft with a file reads ${String(draft?.text)}`)
    must(draft?.uploadIds.length === 1, 'the draft lost its file')
  }
  for (const id of draft?.uploadIds ?? [])
    must(
      uploads.some((upload) => upload.id === id),
      'a draft names no file',
    )
  for (const { id, state } of uploads) must(state === 'finished', `file ${id} is ${state}`)
  const files = person.staged.toSorted().join()
  const wanted = uploads.map(({ id }) => id).toSorted()
  must(files === wanted.join(), `staged ${files || 'nothing'} for ${wanted.join() || 'nothing'}`)
}

type Death = { readonly point: Point; readonly nth: number; readonly id: string }

/** A user with a draft, and a file that is not sent, killed; then a file of the account is damaged. */
async function spoilt(name: string, what: Spoilt): Promise<Person> {
  const person = new Person(name)
  await person.settle()
  const life = await person.start('live')
  await life.line((line) => line === 'reported attached')
  await life.kill()
  const account = join(person.data, 'accounts', person.accounts[0] ?? '')
  for (const side of ['-wal', '-shm']) rmSync(join(account, what + side), { force: true })
  writeFileSync(join(account, what), 'not a database any more. '.repeat(1_000))
  return person
}

/** @param onMissed called when a later time of a point did not come */
async function killedAt({ point, nth, id }: Death, onMissed: () => void): Promise<string[]> {
  const person = point.spoilt === undefined ? new Person(id) : await spoilt(id, point.spoilt)
  if (point.spoilt === undefined) await person.settle()
  const life = await person.start(point.spoilt === undefined ? 'live' : 'look', point.name, nth)
  const how = await life.ended
  // Facts that arrive together are written together, so that a busy process may come to a point less often than the first.
  if (how !== 'SIGKILL' && nth > 1 && how.startsWith('code 0')) onMissed()
  else if (how !== 'SIGKILL') return [`${point.name}: never reached, the process ended with ${how}`]
  return (await judge(person).catch((error: unknown) => [String(error)])).map((fault) => `${point.name}: ${fault}`)
}

test(
  'killed at any named point, the app has everything it promised, once and complete',
  { timeout: PATIENCE_MS },
  async () => {
    const whole = new Person('whole')
    await whole.settle()
    const ended = await (await whole.start('live')).ended
    const faults = [...(ended.startsWith('code 0') ? [] : [ended]), ...(await judge(whole))]
    const left = POINTS.filter((_point, at) => isInShare(at, SHARES)).flatMap((point, at) =>
      Array.from({ length: Math.min(TIMES, whole.reached[point.name] ?? 1) }, (_none, time): Death => {
        return { point, nth: time + 1, id: `p${at}-${time}` }
      }),
    )
    let count = left.length
    const onMissed = (): void => void (count -= 1)
    await Promise.all(
      Array.from({ length: LANES }, async () => {
        for (let next = left.shift(); next; next = left.shift()) faults.push(...(await killedAt(next, onMissed)))
      }),
    )
    console.log(table(whole.reached))
    expect(faults).toEqual([])
    noteCovered({ kind: 'crash points of the app', isFresh: false, count })
  },
)

/** How often a process reaches each point; each was killed at once. */
const table = (reached: Readonly<Record<string, number>>): string =>
  POINTS.map(({ name }) => `${String(reached[name] ?? 1).padStart(4)} × ${name}`).join('\n')
