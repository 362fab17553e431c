import { randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemIds } from '#main/lib/ids.ts'
import { silentSink } from '#main/lib/logger.ts'
import { startServer } from '#main/server/app.ts'
import {
  caller,
  connect,
  sign,
  textAt,
  type Caller,
  type Json,
  type Reply,
  type Request,
  type Server,
} from './foreign.ts'
import type { Socket } from './foreign.ts'
import { LeapClock } from './leap-clock.ts'
import { onePage } from './one-page.ts'

export const ALLOWED_ORIGIN = 'https://allowed.example'

/** The server under test. */
export type Target = Server & {
  /** Parlor's own server: what the contract marks as a design of ours (`[I]`, 8.x) is tested too. */
  readonly isLocal: boolean
  /** The server's time, as far as it is known. */
  now(): number
  /** Lets time pass. With a server by URL it really waits, up to the longest wait it was given. */
  pass(ms: number): Promise<void>
  /** The longest wait allowed; checks that need more are skipped, and say so. */
  readonly patience: number
  /** Unexpected errors that the server logged, where they are visible. */
  readonly failures: readonly string[]
  stop(): Promise<void>
}

/** `PARLOR_CONFORM_URL`, `_KEY`, `_SECRET` name any server; without them Parlor's own is started here. */
export async function openTarget(env: NodeJS.ProcessEnv = process.env): Promise<Target> {
  const url = env['PARLOR_CONFORM_URL']
  return url === undefined || url === '' ? startLocal() : givenTarget(url, env)
}

function givenTarget(url: string, env: NodeJS.ProcessEnv): Target {
  const apiKey = env['PARLOR_CONFORM_KEY']
  const secret = env['PARLOR_CONFORM_SECRET']
  if (!apiKey || !secret) throw new Error('PARLOR_CONFORM_URL needs PARLOR_CONFORM_KEY and PARLOR_CONFORM_SECRET')
  return {
    url: url.replace(/\/$/, ''),
    apiKey,
    secret,
    isLocal: env['PARLOR_CONFORM_LOCAL'] === '1',
    now: () => Date.now(),
    pass: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    patience: Number(env['PARLOR_CONFORM_PATIENCE'] ?? '25000'),
    failures: [],
    stop: () => Promise.resolve(),
  }
}

/** In memory where the system offers that: other tests are about the disk. */
export const PLACE = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()

async function startLocal(): Promise<Target> {
  const folder = mkdtempSync(join(PLACE, 'parlor-conform-'))
  const clock = new LeapClock()
  const failures: string[] = []
  const apiKey = randomBytes(9).toString('base64url')
  const secret = randomBytes(32).toString('base64url')
  const server = await startServer({
    port: 0,
    dataFolder: folder,
    apiKey,
    secret,
    clock,
    ids: systemIds,
    net: onePage,
    enrichSent: true,
    allowedOrigins: [ALLOWED_ORIGIN],
    log: (level, area, event, fields) => {
      silentSink(level, area, event, fields)
      if (level === 'error') failures.push(`${event} ${JSON.stringify(fields)}`)
    },
  })
  return {
    url: server.url,
    apiKey,
    secret,
    isLocal: true,
    now: () => clock.now(),
    async pass(ms) {
      clock.leap(ms)
      await Promise.resolve()
    },
    patience: Number.POSITIVE_INFINITY,
    failures,
    async stop() {
      await server.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

export type Channel = { readonly type: string; readonly id: string; readonly cid: string; readonly path: string }

export type ChannelRequest = {
  readonly type?: string
  readonly id?: string
  readonly as?: Caller
  readonly members?: readonly (Caller | string)[]
  readonly data?: Json
}

/** A run's own users and channels on a server that others may be using too. */
export type Stage = {
  readonly target: Target
  /** The prefix of every id of this run. */
  readonly run: string
  /** An unused name. */
  id(name?: string): string
  /** The server token, on no one's behalf. */
  readonly server: Caller
  /** The server token on a user's behalf. */
  serverAs(userId: string): Caller
  /** Calls with a user token; the user is not created. */
  as(userId: string): Caller
  /** Creates a user: by name always the same one. */
  person(name: string, details?: Json): Promise<Caller>
  /** A new user. */
  stranger(details?: Json): Promise<Caller>
  /** A realtime connection; closed at the end. */
  connect(userId: string, details?: Json): Promise<Socket>
  /** A new channel of the user, with these further members. */
  channel(request?: ChannelRequest): Promise<Channel>
  /** Sends a text and returns the message. */
  send(who: Caller, channel: Channel, text: string, more?: Json): Promise<Json & { readonly id: string }>
  /** An action to be undone at the end. */
  later(step: () => Promise<unknown>): void
  /** Removes everything the run created, as far as the contract lets it. */
  cleanUp(): Promise<void>
}

/** Returns the body, or throws with the reason. */
export async function must(answer: Promise<Reply>): Promise<Json> {
  const reply = await answer
  if (reply.status >= 300) throw new Error(`refused with ${reply.status}: ${JSON.stringify(reply.body)}`)
  return reply.body
}

type Made = { readonly users: Set<string>; readonly cids: Set<string>; readonly paths: Set<string> }

export function openStage(target: Target): Stage {
  const run = `c${randomBytes(4).toString('hex')}`
  const made: Made = { users: new Set(), cids: new Set(), paths: new Set() }
  const sockets: Socket[] = []
  const steps: (() => Promise<unknown>)[] = []
  const people = new Map<string, Promise<Caller>>()
  let count = 0
  const note = (request: Request, reply: Reply): void => noteMade(request, reply, made)
  const token = (userId: string): string => sign({ user_id: userId }, target.secret)
  const as = (userId: string): Caller => caller(target, { userId, token: token(userId) }, note)
  const serverToken = sign({ server: true }, target.secret)
  const server = caller(target, { userId: '', token: serverToken }, note)
  const id = (name = 'x'): string => `${run}-${name}-${(count += 1)}`
  async function make(userId: string, details: Json): Promise<Caller> {
    await must(server.post('/users', { users: { [userId]: { id: userId, ...details } } }))
    return as(userId)
  }
  const stage: Stage = {
    target,
    run,
    id,
    server,
    serverAs: (userId) => caller(target, { userId, token: serverToken }, note),
    as,
    person(name, details = {}) {
      const known = people.get(name) ?? make(`${run}-${name}`, { name, ...details })
      people.set(name, known)
      return known
    },
    stranger: (details = {}) => make(id('stranger'), details),
    async connect(userId, details = {}) {
      made.users.add(userId)
      const socket = await connect(target, { userId, token: token(userId) }, { details, onReply: note })
      sockets.push(socket)
      return socket
    },
    async channel(request = {}) {
      const type = request.type ?? 'messaging'
      const owner = request.as ?? (await stage.person('ann'))
      const members = [owner, ...(request.members ?? [])].map((each) => (typeof each === 'string' ? each : each.userId))
      const channelId = request.id ?? id('channel')
      const path = `/channels/${type}/${channelId}`
      const by = owner.userId === '' ? {} : { created_by_id: owner.userId }
      await must(stage.serverAs(owner.userId).post(`${path}/query`, { data: { members, ...by, ...request.data } }))
      return { type, id: channelId, cid: `${type}:${channelId}`, path }
    },
    async send(who, channel, text, more = {}) {
      const body = await must(who.post(`${channel.path}/message`, { message: { text, ...more } }))
      return body['message'] as Json & { readonly id: string }
    },
    later: (step) => void steps.push(step),
    async cleanUp() {
      for (const socket of sockets) await socket.close()
      for (const step of steps.toReversed()) await step()
      for (const part of chunks([...made.cids], 100)) {
        await server.post('/channels/delete', { cids: part, hard_delete: true })
      }
      for (const path of made.paths) await server.delete(path)
      for (const part of chunks([...made.users], 100)) {
        const hard = { user: 'hard', messages: 'hard', conversations: 'hard' }
        const known = await must(server.get('/users', { payload: knownAmong(part) }))
        const ids = (known['users'] as readonly { id: string }[]).map((user) => user.id)
        if (ids.length > 0) await server.post('/users/delete', { user_ids: ids, ...hard })
      }
    },
  }
  return stage
}

const knownAmong = (ids: readonly string[]): Json => ({
  filter_conditions: { id: { $in: ids } },
  limit: 100,
  include_deactivated_users: true,
})

function* chunks<T>(all: readonly T[], size: number): Generator<T[]> {
  for (let from = 0; from < all.length; from += size) yield all.slice(from, from + size)
}

/** Objects that are created and deleted by name: the path, and where the response has the name. */
const NAMED: Readonly<Record<string, string>> = {
  '/channeltypes': 'name',
  '/commands': 'command.name',
  '/roles': 'role.name',
  '/permissions': 'permission.id',
  '/blocklists': 'blocklist.name',
  '/usergroups': 'user_group.id',
  '/emoji': 'emoji.name',
  '/campaigns': 'campaign.id',
  '/segments': 'segment.id',
  '/api/v2/moderation/config': 'config.key',
  '/api/v2/moderation/moderation_rule': 'rule.id',
}

/** Remembers the users and channels in a response. */
function noteMade(request: Request, reply: Reply, made: Made): void {
  if (reply.status >= 300) return
  const { path, method } = request
  if (method === 'POST' && path === '/users')
    for (const id of Object.keys(Object(reply.body['users']))) made.users.add(id)
  if (method === 'POST' && path === '/guest') made.users.add(textAt(reply.body, 'user.id'))
  if (method === 'POST' && /^\/channels\/.*query$/.test(path)) made.cids.add(textAt(reply.body, 'channel.cid'))
  const name = method === 'POST' ? NAMED[path] : undefined
  if (name !== undefined) made.paths.add(`${path}/${encodeURIComponent(textAt(reply.body, name))}`)
}
