import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { SignJWT } from 'jose'
import { asCid, type Cid } from '#shared/lib/brand.ts'
import { ManualClock } from './manual-clock.ts'
import { MEMORY_DISK } from './sim/memory-disk.ts'
import { seededIds } from './seeded-ids.ts'
import { Link } from './sim/network.ts'
import { Person } from './sim/person.ts'
import { SIM_KEY, SIM_SECRET, SIM_URL, SimServer, type SimServerOptions } from './sim/server.ts'

export type WorldOptions = {
  readonly people?: readonly string[]
  /** Channels everyone is a member of. The first is `world.cid`. */
  readonly channels?: readonly string[]
  /** One of the people, an administrator whose computer has the server's secret. */
  readonly owner?: string
  /** Users without a token, where the server admits them. */
  readonly guests?: readonly string[]
  /** Users who stored the API secret: they administer everything. */
  readonly withSecret?: readonly string[]
  /** Channels that everyone may read, members or not. */
  readonly open?: readonly string[]
  readonly seed?: number
  /** Claims added to everyone's token, for example `exp` in seconds. */
  readonly claims?: Readonly<Record<string, number>>
  /** Everyone's token comes from this address instead of being pasted; `link.tamper` decides the response. */
  readonly tokenEndpoint?: string
  /** The server's calls per minute, where they differ from the default of a local server. */
  readonly limits?: SimServerOptions['limits']
}

/**
 * The local server, a few users with whole engines, one manual clock and a breakable network between them. Nothing
 * happens unless the clock is moved; the same seed gives the same run.
 */
export class World {
  readonly clock: ManualClock
  readonly server: SimServer
  readonly people: readonly Person[]
  readonly cids: readonly Cid[]
  readonly #folder: string

  constructor(parts: {
    clock: ManualClock
    server: SimServer
    people: readonly Person[]
    cids: readonly Cid[]
    folder: string
  }) {
    this.clock = parts.clock
    this.server = parts.server
    this.people = parts.people
    this.cids = parts.cids
    this.#folder = parts.folder
  }

  get cid(): Cid {
    return need(this.cids[0])
  }

  person(userId: string): Person {
    return need(this.people.find((person) => person.userId === userId))
  }

  /** Lets time pass. */
  async pass(ms: number): Promise<void> {
    await this.clock.advance(ms)
  }

  /** Lets time pass until a user's call is done. For calls that need a response from the server. */
  async done<T>(work: Promise<T>): Promise<T> {
    const state = { isDone: false }
    const settled = work.finally(() => (state.isDone = true))
    settled.catch(() => undefined)
    for (let step = 0; !state.isDone && step < 600; step++) await this.clock.advance(50)
    return settled
  }

  /** Lets all work in progress finish: requests, retries, reconnects. */
  async rest(ms = 120_000): Promise<void> {
    await this.clock.advance(ms)
  }

  /** The server's messages of a channel, oldest first. */
  stored(cid: Cid): { id: string; text: string; userId: string; deleted: boolean; parentId: string | undefined }[] {
    const rows = this.server.services.db.all<{
      id: string
      text: string
      user_id: string
      deleted_at: number | null
      parent_id: string | null
    }>('SELECT id, text, user_id, deleted_at, parent_id FROM messages WHERE cid = ? ORDER BY created_at, id', cid)
    return rows.map((row) => ({
      id: row.id,
      text: row.text,
      userId: row.user_id,
      deleted: row.deleted_at !== null,
      parentId: row.parent_id ?? undefined,
    }))
  }

  /** A call of the same user from another device: the server's response, at once. Throws when it is refused. */
  as(userId: string, method: string, path: string, body?: object): Promise<unknown> {
    return this.#request({ user_id: userId }, method, path, body)
  }

  /** A call with the server token. Throws when it is refused. */
  asServer(method: string, path: string, body?: object): Promise<unknown> {
    return this.#request({ server: true }, method, path, body)
  }

  async #request(claims: Record<string, unknown>, method: string, path: string, body?: object): Promise<unknown> {
    const answer = this.server.request({
      method,
      url: `${SIM_URL}${path}${path.includes('?') ? '&' : '?'}api_key=${SIM_KEY}`,
      headers: { authorization: await tokenOf(claims), 'stream-auth-type': 'jwt' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    if (answer.status >= 300) throw new Error(`Refused: ${answer.status} ${answer.text}`)
    return JSON.parse(answer.text)
  }

  async stop(): Promise<void> {
    for (const person of this.people) if (person.isRunning) person.crash()
    if (this.server.running) this.server.crash()
    rmSync(this.#folder, { recursive: true, force: true })
  }
}

export async function createWorld({
  people = ['alice', 'bob'],
  channels = ['general'],
  owner,
  guests = [],
  withSecret = [],
  open = [],
  seed = 1,
  claims = {},
  tokenEndpoint,
  limits = {},
}: WorldOptions = {}): Promise<World> {
  const clock = new ManualClock()
  const ids = seededIds(seed)
  const folder = mkdtempSync(join(MEMORY_DISK, 'parlor-world-'))
  writeFileSync(join(folder, 'server.db'), await preparedStore(people, channels, open, owner))
  const server = new SimServer({ clock, ids, folder, limits })
  const running: Person[] = []
  for (const userId of [...people, ...guests]) {
    const guest = guests.includes(userId)
    const link = new Link(clock, ids, server)
    running.push(
      new Person({
        userId,
        token: guest
          ? ''
          : tokenEndpoint !== undefined
            ? `endpoint ${tokenEndpoint}`
            : await tokenOf({ user_id: userId, ...claims }),
        guest,
        owner: userId === owner,
        apiSecret: withSecret.includes(userId) ? SIM_SECRET : undefined,
        clock,
        ids,
        link,
        folder: join(folder, userId),
      }),
    )
  }
  await clock.advance(2_000)
  return new World({ clock, server, people: running, cids: channels.map((id) => asCid(`team:${id}`)), folder })
}

const prepared = new Map<string, Promise<Uint8Array>>()

/** The server's store with these users and channels in it, created once and copied: opening a copy is far cheaper. */
function preparedStore(
  people: readonly string[],
  channels: readonly string[],
  open: readonly string[],
  owner: string | undefined,
): Promise<Uint8Array> {
  const key = JSON.stringify([people, channels, open, owner])
  const known = prepared.get(key)
  if (known) return known
  const made = createStore(people, channels, open, owner)
  prepared.set(key, made)
  return made
}

async function createStore(
  people: readonly string[],
  channels: readonly string[],
  open: readonly string[],
  owner: string | undefined,
): Promise<Uint8Array> {
  const folder = mkdtempSync(join(MEMORY_DISK, 'parlor-prepared-'))
  const server = new SimServer({ clock: new ManualClock(), ids: seededIds(0), folder })
  await prepare(server, people, channels, open, owner)
  server.crash()
  const bytes = readFileSync(join(folder, 'server.db'))
  rmSync(folder, { recursive: true, force: true })
  return bytes
}

async function prepare(
  server: SimServer,
  people: readonly string[],
  channels: readonly string[],
  open: readonly string[],
  owner: string | undefined,
): Promise<void> {
  const authorization = await tokenOf({ server: true })
  const post = (path: string, body: object, method = 'POST'): void => {
    const answer = server.request({
      method,
      url: `${SIM_URL}${path}?api_key=${SIM_KEY}`,
      headers: { authorization, 'stream-auth-type': 'jwt' },
      body: JSON.stringify(body),
    })
    if (answer.status >= 300) throw new Error(`The world could not be prepared: ${answer.text}`)
  }
  post('/users', {
    users: Object.fromEntries(people.map((id) => [id, { id, name: id, ...(id === owner ? { role: 'admin' } : {}) }])),
  })
  for (const id of channels)
    post(`/channels/team/${id}/query`, { data: { name: id, members: people, created_by_id: people[0] }, state: false })
  if (open.length > 0) post('/app', { anonymous_access_enabled: true }, 'PATCH')
  for (const id of open)
    post(`/channels/livestream/${id}/query`, { data: { name: id, created_by_id: people[0] }, state: false })
}

export const tokenOf = (claims: Record<string, unknown>): Promise<string> =>
  new SignJWT(claims).setProtectedHeader({ alg: 'HS256', typ: 'JWT' }).sign(new TextEncoder().encode(SIM_SECRET))

function need<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('No such thing in this world')
  return value
}
