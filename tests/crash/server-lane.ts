import { spawn, type ChildProcess } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import Database from 'better-sqlite3'
import { WebSocket } from 'ws'
import { queryChannel } from '#shared/wire/channels.ts'
import { sendMessage, updateMessagePartial } from '#shared/wire/messages.ts'
import { createToken } from '#main/server/http/auth/identify.ts'
import { seededIds } from '#kit/seeded-ids.ts'
import { API_KEY, callAs, connectUrl, frameText, SECRET, tokenOf } from '../contract/kit.ts'

const PEOPLE = ['ann', 'bob', 'cleo'] as const
const PARAMS = { type: 'messaging', id: 'durable' }
const CHUNK = 16 * 1024
const CHUNKS = 12
/** One of so many rounds is killed in the middle of an upload. */
const UPLOAD_ROUNDS = 3
/** Uploads in parallel to the messages of another round. */
const UPLOADS_BESIDE = 2
/** Losses and duplicates are permanent: they are looked for after so many rounds, and at the end. */
const WHOLE_EVERY = 10

type Running = { readonly child: ChildProcess; readonly url: string; readonly exited: Promise<void> }
type Cell = Record<string, unknown>

/** One workspace whose real server process is killed again and again under load. */
export class ServerLane {
  /** Broken promises. */
  readonly faults: string[] = []
  readonly counts = { acknowledged: 0, received: 0, edits: 0, uploads: 0, cutUploads: 0, uploadKills: 0, retried: 0 }
  readonly #entry: string
  readonly #folder: string
  readonly #data: string
  readonly #chance: ReturnType<typeof seededIds>
  readonly #acknowledged = new Set<string>()
  readonly #revisions = new Map<string, number>()
  readonly #uploads = new Set<string>()
  /** Sent, with an unknown result. */
  readonly #unsure: { readonly id: string; readonly person: string }[] = []
  /** Files whose every byte was compared. */
  readonly #looked = new Set<string>()
  #next = 0
  #running: Running | undefined

  constructor(options: { entry: string; folder: string; seed: number }) {
    this.#entry = options.entry
    this.#folder = options.folder
    this.#data = join(options.folder, 'data')
    this.#chance = seededIds(options.seed)
    mkdirSync(this.#data, { recursive: true })
  }

  async round(number: number): Promise<void> {
    const server = await this.#start()
    this.#checkFiles(`round ${number}`)
    const received = await this.#listen(server.url)
    const atUpload = number % UPLOAD_ROUNDS === 0
    const kill = this.#killer(server, atUpload)
    const work = [
      ...PEOPLE.map((person) => this.#write(server.url, person, kill.acknowledged)),
      this.#upload(server.url, kill.chunk, atUpload ? Infinity : UPLOADS_BESIDE),
    ]
    // A refused user stops; a round in which all were refused would otherwise never end.
    void Promise.all(work.slice(0, PEOPLE.length)).then(() => server.child.kill('SIGKILL'))
    await server.exited
    await Promise.all(work)
    this.#checkRecord(`round ${number}`, received, number % WHOLE_EVERY === 0)
  }

  /** Checks everything once more, with nothing in flight. */
  async finish(): Promise<void> {
    const server = await this.#start()
    for (const { id, person } of this.#unsure.splice(0)) await this.#send(server.url, person, id)
    this.#checkFiles('end')
    this.stop()
    await server.exited
    this.#checkRecord('end', new Set(), true)
  }

  stop(): void {
    this.#running?.child.kill('SIGKILL')
  }

  async #start(): Promise<Running> {
    const child = spawn(process.execPath, [this.#entry, '--data', this.#data, '--api-key', API_KEY], {
      env: { ...process.env, PARLOR_SECRET: SECRET, NODE_COMPILE_CACHE: join(this.#folder, '..', 'compiled') },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let complaint = ''
    child.stderr?.on('data', (part: Buffer) => (complaint += part.toString()))
    const exited = new Promise<void>((resolve) => child.once('close', () => resolve()))
    const line = new Promise<string>((resolve) => {
      if (child.stdout) createInterface({ input: child.stdout }).once('line', resolve)
    })
    const dead = exited.then(() => Promise.reject(new Error(`the server did not start: ${complaint.slice(-500)}`)))
    dead.catch(() => undefined)
    const { url } = JSON.parse(await Promise.race([line, dead])) as { url: string }
    this.#running = { child, url, exited }
    return this.#running
  }

  /**
   * The moment of the kill: after so many responses, or after so many pieces of an upload, and some turns of the event
   * loop.
   */
  #killer(server: Running, atUpload: boolean): { acknowledged: () => void; chunk: (part: number) => void } {
    const answers = 1 + Math.floor(this.#chance.random() * 40)
    const part = Math.floor(this.#chance.random() * (CHUNKS + 1))
    let turns = Math.floor(this.#chance.random() * 60)
    let left = answers
    const end = (): void => {
      if (turns > 0) {
        turns -= 1
        setImmediate(end)
      } else server.child.kill('SIGKILL')
    }
    return {
      acknowledged: () => {
        left -= 1
        // An upload may be refused permanently, so a round of uploads ends by responses too.
        if (left === (atUpload ? -120 : 0)) end()
      },
      chunk: (written) => {
        if (!atUpload || written !== part) return
        this.counts.uploadKills += 1
        end()
      },
    }
  }

  /** Every message id in the events of this connection. */
  async #listen(url: string): Promise<Set<string>> {
    const received = new Set<string>()
    const socket = new WebSocket(connectUrl(url, 'ann', { token: tokenOf('ann') }))
    socket.on('error', () => socket.terminate())
    const connection = new Promise<string>((resolve) => {
      socket.on('message', (data) => {
        const event = JSON.parse(frameText(data)) as { type: string; connection_id?: string; message?: { id: string } }
        if (event.connection_id !== undefined) resolve(event.connection_id)
        if (event.type.startsWith('message.') && event.message) received.add(event.message.id)
      })
    })
    const who = { userId: 'ann', connectionId: await connection }
    await this.#settle(url)
    await callAs(url, who, queryChannel, PARAMS, { body: { watch: true, state: true } })
    return received
  }

  /** The users and their channel, created with a server token. Repeating it changes nothing. */
  async #settle(url: string): Promise<void> {
    const post = async (path: string, body: unknown): Promise<void> => {
      const headers = {
        authorization: createToken({}, SECRET),
        'stream-auth-type': 'jwt',
        'content-type': 'application/json',
      }
      const answer = await fetch(`${url}${path}?api_key=${API_KEY}`, {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
      })
      if (answer.status >= 300) throw new Error(`${path}: ${await answer.text()}`)
    }
    await post('/users', { users: Object.fromEntries(PEOPLE.map((id) => [id, { id }])) })
    await post('/channels/messaging/durable/query', { data: { members: PEOPLE, created_by_id: 'ann' }, state: false })
  }

  async #write(url: string, person: string, acknowledged: () => void): Promise<void> {
    for (;;) {
      const id = this.#again(person) ?? `m${(this.#next += 1)}`
      if (!(await this.#send(url, person, id))) return
      acknowledged()
      if (this.#chance.random() < 0.2 && !(await this.#edit(url, person, id))) return
    }
  }

  /** A message of this user with an unknown result: sent once more with its id. */
  #again(person: string): string | undefined {
    const at = this.#unsure.findIndex((each) => each.person === person)
    if (at < 0) return undefined
    this.counts.retried += 1
    return this.#unsure.splice(at, 1)[0]?.id
  }

  /** True when the server has the message: it responded so, or that it exists already. */
  async #send(url: string, person: string, id: string): Promise<boolean> {
    const body = { message: { id, text: id } }
    const answer = await callAs(url, { userId: person }, sendMessage, PARAMS, { body }).catch(() => undefined)
    const isThere = answer?.status === 201 || answer?.body.message?.toString().includes('already exists') === true
    if (isThere) this.#acknowledged.add(id)
    else if (answer === undefined) this.#unsure.push({ id, person })
    else if (answer.status !== 429) this.faults.push(`${id} of ${person} was refused: ${answer.status}`)
    return isThere
  }

  async #edit(url: string, person: string, id: string): Promise<boolean> {
    const revision = (this.#revisions.get(id) ?? 0) + 1
    const body = { set: { text: `${id} ${revision}` } }
    const answer = await callAs(url, { userId: person }, updateMessagePartial, { id }, { body }).catch(() => undefined)
    if (answer && answer.status < 300) {
      this.#revisions.set(id, revision)
      this.counts.edits += 1
    }
    return answer !== undefined
  }

  /** One upload after the other, in pieces, until the server is down or there are enough. */
  async #upload(url: string, chunk: (written: number) => void, most: number): Promise<void> {
    for (let count = 0; count < most; count += 1) {
      const reply = await sendFile(url, PEOPLE[count % PEOPLE.length] ?? 'ann', chunk)
      if (reply === undefined) {
        this.counts.cutUploads += 1
        return
      }
      const id = /\/files\/([a-f0-9]{32})/.exec(reply)?.[1]
      if (id !== undefined) this.#uploads.add(id)
    }
  }

  /** After a start: nothing incomplete, nothing without a row, nothing missing. */
  #checkFiles(when: string): void {
    const uploads = join(this.#data, 'uploads')
    const rows = this.#read(join(this.#data, 'server.db'), 'SELECT id, size_bytes FROM uploads')
    const onDisk = filesUnder(uploads)
    const named = new Map(rows.map((row) => [String(row['id']), Number(row['size_bytes'])]))
    for (const [id, path] of onDisk) {
      const { size } = statSync(path)
      if (named.get(id) !== size) this.faults.push(`${when}: file ${id} has ${size} bytes and no such row`)
      else if (!this.#looked.has(id) && !readFileSync(path).equals(WHOLE_FILE))
        this.faults.push(`${when}: file ${id} holds other bytes`)
      this.#looked.add(id)
    }
    for (const id of named.keys()) if (!onDisk.has(id)) this.faults.push(`${when}: row ${id} has no file`)
    for (const id of this.#uploads) if (!named.has(id)) this.faults.push(`${when}: acknowledged upload ${id} is lost`)
  }

  /** The database as the kill left it, before any server opens it again. */
  #checkRecord(when: string, received: ReadonlySet<string>, whole: boolean): void {
    const left = join(this.#folder, 'left')
    rmSync(left, { recursive: true, force: true })
    mkdirSync(left)
    for (const name of ['server.db', 'server.db-wal']) {
      if (existsSync(join(this.#data, name))) copyFileSync(join(this.#data, name), join(left, name))
    }
    const path = join(left, 'server.db')
    const list = JSON.stringify([...received])
    for (const row of this.#read(path, NEVER_WRITTEN, list))
      this.faults.push(`${when}: told of ${String(row['id'])}, never written`)
    if (whole) this.#checkAll(when, path)
    this.counts.received += received.size
  }

  #checkAll(when: string, path: string): void {
    const rows = this.#read(path, 'SELECT id, text FROM messages')
    const texts = new Map(rows.map((row) => [String(row['id']), String(row['text'])]))
    for (const id of this.#acknowledged) if (!texts.has(id)) this.faults.push(`${when}: acknowledged ${id} is lost`)
    for (const [id, revision] of this.#revisions) {
      if (Number(texts.get(id)?.split(' ')[1] ?? 0) < revision) this.faults.push(`${when}: edit of ${id} is lost`)
    }
    for (const row of this.#read(path, DOUBLED)) this.faults.push(`${when}: ${String(row['id'])} was announced twice`)
    for (const row of this.#read(path, MISCOUNTED))
      this.faults.push(`${when}: counted ${String(row['said'])} of ${String(row['held'])}`)
    const state = this.#read(path, 'PRAGMA integrity_check')[0]?.['integrity_check']
    if (state !== 'ok') this.faults.push(`${when}: ${String(state)}`)
    this.counts.acknowledged = this.#acknowledged.size
    this.counts.uploads = this.#uploads.size
  }

  #read(path: string, sql: string, ...values: string[]): Cell[] {
    const db = new Database(path, { timeout: 2_000 })
    try {
      return db.prepare<string[], Cell>(sql).all(...values)
    } finally {
      db.close()
    }
  }
}

const NEVER_WRITTEN = 'SELECT value AS id FROM json_each(?) WHERE value NOT IN (SELECT id FROM messages)'
const DOUBLED = `SELECT json_extract(json, '$.message.id') AS id, count(*) AS n FROM events
  WHERE type = 'message.new' GROUP BY 1 HAVING n > 1`
const MISCOUNTED = `SELECT c.message_count AS said, count(m.id) AS held FROM channels c LEFT JOIN messages m ON m.cid = c.cid
  GROUP BY c.cid HAVING said <> held`

const FILLING = 0x61
const WHOLE_FILE = Buffer.alloc(CHUNK * CHUNKS, FILLING)

/** Paths by the id of a complete file, and by name of every other file there. */
function filesUnder(folder: string): Map<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return new Map(
    files.map((entry) => {
      const path = join(entry.parentPath, entry.name)
      return [path.includes('incoming') ? `incoming/${entry.name}` : entry.name, path]
    }),
  )
}

const HEAD =
  '--cut\r\nContent-Disposition: form-data; name="file"; filename="notes.txt"\r\nContent-Type: text/plain\r\n\r\n'

/** Returns the response of the server, or undefined when it was cut off. */
function sendFile(url: string, person: string, chunk: (written: number) => void): Promise<string | undefined> {
  return new Promise((resolve) => {
    const upload = request(`${url}/channels/messaging/durable/file?api_key=${API_KEY}`, {
      method: 'POST',
      headers: {
        authorization: tokenOf(person),
        'stream-auth-type': 'jwt',
        'content-type': 'multipart/form-data; boundary=cut',
      },
    })
    upload.on('error', () => resolve(undefined))
    upload.on('response', (response) => {
      let text = ''
      response.on('data', (part: Buffer) => (text += part.toString()))
      response.on('error', () => resolve(undefined))
      response.on('close', () => resolve(response.complete ? text : undefined))
    })
    upload.write(HEAD)
    let written = 0
    const next = (): void => {
      chunk(written)
      written += 1
      if (written > CHUNKS) return void upload.end('\r\n--cut--\r\n')
      upload.write(Buffer.alloc(CHUNK, FILLING), () => setImmediate(next))
    }
    next()
  })
}
