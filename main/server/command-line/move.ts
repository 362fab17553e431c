import { existsSync, appendFileSync, readFileSync, truncateSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Clock } from '#main/lib/clock.ts'
import { NotDone, uploadName } from '../store/backup.ts'
import { exportLines } from '../store/export.ts'
import { createToken } from '../http/auth/identify.ts'

type Item = Readonly<Record<string, unknown>>

type MoveOptions = TargetServer & { readonly dataFolder: string; readonly dryRun: boolean }

export type MoveReport = {
  /** By type of line: what is on the new server now. */
  readonly moved: ReadonlyMap<string, number>
  /** What the contract has no call for, by type of line. */
  readonly left: ReadonlyMap<string, number>
  /** What the server did not take, and why. */
  readonly refused: readonly string[]
}

/** The field of a message with the time at which it was written: no call of the contract takes a time. */
export const SENT_AT = 'moved_sent_at'
/** People and members that one call takes. */
const BATCH = 100

/** Everything about one run. */
type Move = {
  readonly target: Target
  readonly journal: Journal
  readonly dataFolder: string
  readonly moved: Map<string, number>
  readonly left: Map<string, number>
  readonly refused: string[]
  /** Types and names of uploads, by their id. */
  readonly uploads: ReadonlyMap<string, Item>
}

/**
 * Moves a workspace to another server of the contract over its own calls: people, channels, members, messages with
 * threads, quotes, pins and files, and reactions. What is done is in a journal, and every step can be done twice without
 * doubling anything: ids stay, and a message whose id exists counts as moved.
 */
export async function moveTo(options: MoveOptions, ports: TargetPorts): Promise<MoveReport> {
  const { dataFolder, dryRun } = options
  const lines = (): Iterable<Line> => parsed(exportLines(dataFolder))
  const uploads = new Map<string, Item>()
  for (const { type, item } of lines()) if (type === 'upload') uploads.set(idOf(item), item)
  const target = createTarget(options, ports)
  // Before anything is noted: a wrong key or address is said at once.
  await target.send('/app', { method: 'GET' })
  if (dryRun) return planned(lines())
  const path = join(resolve(dataFolder), 'move.journal')
  // A hosted API has one address for all its apps. The key is no secret.
  const journal = openJournal(path, `${options.url} ${options.apiKey}`)
  if ('belongsTo' in journal)
    throw new NotDone(`${path} is of a move to ${journal.belongsTo}. Remove it to begin another one.`)
  const move: Move = { target, journal, dataFolder, moved: new Map(), left: new Map(), refused: [], uploads }
  await movePeople(move, lines())
  await moveChannels(move, lines())
  for (const { type, item } of lines()) {
    if (type === 'message') await moveMessage(move, item)
    else if (type === 'reaction') await moveReaction(move, item)
    else if (!STEPS.has(type)) add(move.left, type)
  }
  await closeChannels(move, lines())
  return move
}

/** Moved in steps of their own, or with something else. */
const STEPS: ReadonlySet<string> = new Set(['user', 'channel', 'member', 'message', 'reaction', 'upload'])

type Line = { readonly type: string; readonly item: Item }

function* parsed(lines: Iterable<string>): Generator<Line> {
  for (const line of lines) yield JSON.parse(line) as Line
}

function planned(lines: Iterable<Line>): MoveReport {
  const moved = new Map<string, number>()
  const left = new Map<string, number>()
  for (const { type, item } of lines) add(STEPS.has(type) && !isLeftOut(type, item) ? moved : left, nameOf(type, item))
  return { moved, left, refused: [] }
}

const add = (counts: Map<string, number>, type: string): void => void counts.set(type, (counts.get(type) ?? 0) + 1)

const isLeftOut = (type: string, item: Item): boolean =>
  type === 'message' && (item['deleted_at'] !== undefined || item['poll_id'] !== undefined || isOdd(item))

const nameOf = (type: string, item: Item): string => {
  if (!isLeftOut(type, item)) return type
  return item['deleted_at'] !== undefined
    ? 'deleted message'
    : item['poll_id'] === undefined
      ? 'notice'
      : 'poll message'
}

/** Shown to one person, or written by the server. */
const isOdd = ({ type }: Item): boolean => type === 'ephemeral' || type === 'error'

const text = (value: unknown): string => (typeof value === 'string' ? value : '')
const idOf = (item: Item): string => text(item['id'])
const pathOf = (type: string, id: string): string => `/channels/${encodeURIComponent(type)}/${encodeURIComponent(id)}`

/** Does a step once; what the server refuses is reported, and the move goes on. */
async function step(
  move: Move,
  key: { readonly type: string; readonly id: string },
  work: () => Promise<string | undefined>,
): Promise<void> {
  const name = `${key.type}:${key.id}`
  try {
    if (move.journal.done(name) === undefined) move.journal.note(name, await work())
    add(move.moved, key.type)
  } catch (error) {
    if (!(error instanceof NotTaken)) throw error
    move.refused.push(`${key.type} ${key.id}: ${error.message}`)
  }
}

/** Set by servers, or not for everyone. */
const NOT_OF_USERS = ['created_at', 'updated_at', 'last_active', 'deactivated_at', 'deleted_at', 'image']

async function movePeople(move: Move, lines: Iterable<Line>): Promise<void> {
  for (const { type, item } of lines) {
    if (type !== 'user') continue
    const id = idOf(item)
    await step(move, { type, id }, async () => {
      const user = without(item, NOT_OF_USERS)
      const send = (role: unknown) => move.target.send('/users', { body: { users: { [id]: { ...user, role } } } })
      try {
        await send(item['role'])
      } catch (error) {
        if (!(error instanceof NotTaken)) throw error
        // Its role is one of this workspace alone.
        await send('user')
        move.refused.push(`role ${text(item['role'])} of ${id}: ${error.message}`)
      }
      await movePortrait(move, item)
      return undefined
    })
    if (item['deactivated_at'] !== undefined || item['deleted_at'] !== undefined) add(move.left, 'deactivation')
  }
}

async function movePortrait(move: Move, item: Item): Promise<void> {
  const image = item['image']
  const upload = typeof image === 'string' ? uploadIn(image) : undefined
  if (image === undefined || upload === null) return
  const id = idOf(item)
  const moved =
    upload === undefined || !move.uploads.has(upload) ? text(image) : await moveFile(move, upload, '/uploads/image', id)
  if (moved !== undefined)
    await move.target.send('/users', { method: 'PATCH', body: { users: [{ id, set: { image: moved } }] } })
}

const NOT_OF_CHANNELS = ['id', 'type', 'created_by', 'created_at', 'updated_at', 'truncated_at', 'frozen', 'disabled']

type Members = { readonly ids: string[]; readonly moderators: string[] }

async function moveChannels(move: Move, lines: Iterable<Line>): Promise<void> {
  const channels: Item[] = []
  const members = new Map<string, Members>()
  for (const { type, item } of lines) {
    if (type === 'channel') channels.push(item)
    if (type !== 'member') continue
    const cid = `${text(item['channel_type'])}:${text(item['channel_id'])}`
    const known = members.get(cid) ?? { ids: [], moderators: [] }
    members.set(cid, known)
    known.ids.push(text(item['user_id']))
    if (item['is_moderator'] === true) known.moderators.push(text(item['user_id']))
    add(move.moved, 'member')
  }
  for (const item of channels) await moveChannel(move, item, members.get(`${text(item['type'])}:${idOf(item)}`))
}

/** Of a channel that consists of its members, the server makes the id. */
const isOfMembers = (id: string): boolean => id.startsWith('!members')

function moveChannel(
  move: Move,
  item: Item,
  { ids, moderators }: Members = { ids: [], moderators: [] },
): Promise<void> {
  const [type, id] = [text(item['type']), idOf(item)]
  return step(move, { type: 'channel', id: `${type}:${id}` }, async () => {
    const data = { ...without(item, NOT_OF_CHANNELS), created_by_id: item['created_by'] ?? ids[0] }
    const first = isOfMembers(id) ? ids : ids.slice(0, BATCH)
    const path = isOfMembers(id) ? `/channels/${encodeURIComponent(type)}` : pathOf(type, id)
    const reply = await move.target.send(`${path}/query`, { body: { data: { ...data, members: first } } })
    const made = idOf((reply['channel'] ?? {}) as Item) || id
    for (let at = first.length; at < ids.length; at += BATCH)
      await move.target.send(pathOf(type, made), { body: { add_members: ids.slice(at, at + BATCH) } })
    for (let at = 0; at < moderators.length; at += BATCH)
      await move.target.send(pathOf(type, made), { body: { add_moderators: moderators.slice(at, at + BATCH) } })
    return made
  })
}

/** Last, because nobody can write there then. */
async function closeChannels(move: Move, lines: Iterable<Line>): Promise<void> {
  for (const { type, item } of lines) {
    if (type !== 'channel' || (item['frozen'] !== true && item['disabled'] !== true)) continue
    const made = move.journal.done(`channel:${text(item['type'])}:${idOf(item)}`)
    if (made === undefined) continue
    await step(move, { type: 'closed channel', id: `${text(item['type'])}:${made}` }, async () => {
      const set = {
        ...(item['frozen'] === true && { frozen: true }),
        ...(item['disabled'] === true && { disabled: true }),
      }
      await move.target.send(pathOf(text(item['type']), made), { method: 'PATCH', body: { set } })
      return undefined
    })
  }
}

const NOT_OF_MESSAGES = [
  'channel_type',
  'channel_id',
  'user',
  'created_at',
  'updated_at',
  'deleted_at',
  'pinned_at',
  'pinned_by',
  'mentioned_users_ids',
  'attachments',
]

async function moveMessage(move: Move, item: Item): Promise<void> {
  if (isLeftOut('message', item)) return add(move.left, nameOf('message', item))
  const id = idOf(item)
  const [type, channel] = [text(item['channel_type']), text(item['channel_id'])]
  const made = move.journal.done(`channel:${type}:${channel}`)
  if (made === undefined) return void move.refused.push(`message ${id}: its channel ${type}:${channel} was not moved`)
  await step(move, { type: 'message', id }, async () => {
    const userId = text(item['user'])
    const { type: kind, ...content } = without(item, NOT_OF_MESSAGES)
    const attachments = await moveAttachments(move, item, { path: pathOf(type, made), userId })
    const message = {
      ...content,
      ...(kind === 'system' ? { type: 'system' } : {}),
      ...(attachments === undefined ? {} : { attachments }),
      ...(item['mentioned_users_ids'] === undefined ? {} : { mentioned_users: item['mentioned_users_ids'] }),
      ...(item['pinned_at'] === undefined ? {} : { pinned: true }),
      [SENT_AT]: item['created_at'],
    }
    try {
      await move.target.send(`${pathOf(type, made)}/message`, {
        userId,
        body: { message, skip_push: true, skip_enrich_url: true },
      })
    } catch (error) {
      // Sent before, and ended before that was noted.
      if (!(error instanceof NotTaken) || !error.message.includes('already exists')) throw error
    }
    return undefined
  })
}

async function moveReaction(move: Move, item: Item): Promise<void> {
  const [messageId, type, userId] = [text(item['message_id']), text(item['type']), text(item['user_id'])]
  if (move.journal.done(`message:${messageId}`) === undefined) return add(move.left, 'reaction to what was left')
  await step(move, { type: 'reaction', id: `${messageId} ${userId} ${type}` }, async () => {
    const reaction = { ...without(item, ['message_id', 'user_id', 'created_at']), type }
    const path = `/messages/${encodeURIComponent(messageId)}/reaction`
    await move.target.send(path, { userId, body: { reaction, skip_push: true } })
    return undefined
  })
}

type Owner = { readonly path: string; readonly userId: string }

/** The attachments with the addresses that their files have on the new server. */
async function moveAttachments(move: Move, item: Item, { path, userId }: Owner): Promise<unknown> {
  const json = JSON.stringify(item['attachments'])
  if (json === undefined) return undefined
  const addresses = new Map<string, string>()
  for (const [address = ''] of json.matchAll(ADDRESSES)) {
    const upload = uploadIn(address)
    const known = upload === undefined || upload === null ? undefined : move.uploads.get(upload)
    if (!known || addresses.has(address)) continue
    const kind = text(known['mime_type']).startsWith('image/') ? 'image' : 'file'
    const moved = await moveFile(move, idOf(known), `${path}/${kind}`, userId)
    if (moved !== undefined) addresses.set(address, moved)
  }
  let result = json
  for (const [before, after] of addresses) result = result.replaceAll(before, JSON.stringify(after).slice(1, -1))
  return JSON.parse(result)
}

/** Uploads one file once. `undefined` if it is not there any more. */
async function moveFile(move: Move, upload: string, path: string, userId: string): Promise<string | undefined> {
  const name = `file:${upload}`
  const known = move.journal.done(name)
  if (known !== undefined) return known
  const from = join(resolve(move.dataFolder), uploadName(upload))
  const { name: title, mime_type: type } = move.uploads.get(upload) ?? {}
  if (!existsSync(from)) {
    move.refused.push(`file ${upload}: it is not there any more`)
    return undefined
  }
  const form = new FormData()
  const bytes = new Uint8Array(await readFile(from))
  form.set('file', new Blob([bytes], { type: text(type) || 'application/octet-stream' }), text(title) || 'file')
  const reply = await move.target.send(path, { userId, body: form })
  const address = text(reply['file'])
  move.journal.note(name, address)
  add(move.moved, 'file')
  return address
}

/** As they stand in stored JSON: of this server, signed or not. */
const ADDRESSES = /(?:https?:\/\/[^"\\/]+)?\/files\/[\da-f]{32}(?:\/[^"\\]*)?/g

/** The id of an upload of this server; `null` for an empty address, `undefined` for one elsewhere. */
function uploadIn(address: string): string | null | undefined {
  if (address === '') return null
  return /\/files\/([\da-f]{32})(?:\/|$)/.exec(address)?.[1]
}

const without = (item: Item, names: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(Object.entries(item).filter(([name]) => !names.includes(name)))

/** What a move has done already, so that it goes on where it ended. One line of JSON for each step, on disk at once. */
type Journal = {
  /** What the step gave, such as the new address of a file; `undefined` if it is not done. */
  done(step: string): string | undefined
  note(step: string, gave?: string): void
}

/**
 * @param target where it moves to: a journal of another move is refused
 */
function openJournal(path: string, target: string): Journal | { readonly belongsTo: string } {
  const steps = new Map<string, string>()
  const { lines, wholeBytes } = existsSync(path) ? wholeLines(readFileSync(path)) : { lines: [], wholeBytes: 0 }
  for (const line of lines) {
    const [step = '', gave = ''] = JSON.parse(line) as [string?, string?]
    steps.set(step, gave)
  }
  const before = steps.get(TARGET)
  if (before !== undefined && before !== target) return { belongsTo: before }
  // An end in the middle of a line: that step is done again, which doubles nothing.
  if (existsSync(path)) truncateSync(path, wholeBytes)
  const note = (step: string, gave = ''): void => {
    steps.set(step, gave)
    appendFileSync(path, `${JSON.stringify([step, gave])}\n`, { mode: 0o600, flush: true })
  }
  if (before === undefined) note(TARGET, target)
  return { done: (step) => steps.get(step), note }
}

const TARGET = 'target'

function wholeLines(bytes: Buffer): { readonly lines: readonly string[]; readonly wholeBytes: number } {
  const wholeBytes = bytes.lastIndexOf('\n') + 1
  const text = bytes.subarray(0, wholeBytes).toString('utf8')
  return { lines: text.split('\n').filter((line) => line !== ''), wholeBytes }
}

/** Of the same request, before the move is given up; it can go on later. */
const TRIES = 6
const FIRST_PAUSE_MS = 1_000
const LONGEST_PAUSE_MS = 120_000

type TargetPorts = {
  readonly request: (url: string, init: RequestInit) => Promise<Response>
  readonly clock: Pick<Clock, 'after' | 'now'>
}

type TargetServer = { readonly url: string; readonly apiKey: string; readonly secret: string }

/** The server did not take it, and will not take it either when it is asked again. */
class NotTaken extends Error {
  constructor(reason: string) {
    super(reason)
    this.name = 'NotTaken'
  }
}

type Call = {
  readonly method?: 'GET' | 'POST' | 'PATCH'
  /** For whom it acts. */
  readonly userId?: string
  readonly body?: object | FormData
}

type Target = { send(path: string, call: Call): Promise<Record<string, unknown>> }

/** A server of the contract, called with its secret: waits as long as it says, and tries again when it fails. */
function createTarget(server: TargetServer, { request, clock }: TargetPorts): Target {
  const token = createToken({}, server.secret)
  const pause = (ms: number): Promise<void> => new Promise((resolve) => void clock.after(ms, () => resolve()))

  async function once(path: string, { method = 'POST', userId, body }: Call): Promise<Response | undefined> {
    const url = new URL(server.url + (server.url.endsWith('/') ? path.slice(1) : path))
    url.searchParams.set('api_key', server.apiKey)
    if (userId !== undefined) url.searchParams.set('user_id', userId)
    const isForm = body instanceof FormData
    try {
      return await request(url.href, {
        method,
        headers: {
          Authorization: token,
          'stream-auth-type': 'jwt',
          ...(body === undefined || isForm ? {} : { 'Content-Type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
        // The secret must not go to where an answer points.
        redirect: 'error',
      })
    } catch {
      return undefined
    }
  }

  return {
    async send(path, call) {
      for (let attempt = 0; attempt < TRIES; attempt += 1) {
        const response = await once(path, call)
        const reply = response && (await bodyOf(response))
        if (response?.ok === true && reply) return reply
        if (response && isRefusal(response.status)) throw refusalOf(response.status, reply)
        await pause(pauseOf(response, attempt, clock.now()))
      }
      throw new NotDone('The server does not answer. Run the same command again to go on where it stopped.')
    },
  }
}

async function bodyOf(response: Response): Promise<Record<string, unknown> | undefined> {
  try {
    const value: unknown = await response.json()
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}

const isRefusal = (status: number): boolean => status >= 400 && status < 500 && status !== 408 && status !== 429

function refusalOf(status: number, reply: Record<string, unknown> | undefined): Error {
  const message = typeof reply?.['message'] === 'string' ? reply['message'].slice(0, 300) : `status ${status}`
  if (status === 401) return new NotDone(`The server refused the key or the secret: ${message}`)
  return new NotTaken(message)
}

/** What the server says, in seconds or as a date, or when its limit ends; otherwise longer each time. */
function pauseOf(response: Response | undefined, attempt: number, now: number): number {
  const after = response?.headers.get('retry-after') ?? ''
  const reset = Number(response?.headers.get('x-ratelimit-reset') ?? Number.NaN)
  const said = /^\d+$/.test(after) ? Number(after) * 1_000 : Date.parse(after) - now
  const until = response?.status === 429 ? reset * 1_000 - now : Number.NaN
  const own = FIRST_PAUSE_MS * 2 ** attempt
  const chosen = [said, until].find((ms) => Number.isFinite(ms) && ms >= 0) ?? own
  return Math.min(Math.max(chosen, 0), LONGEST_PAUSE_MS)
}
