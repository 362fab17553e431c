import type { Json } from '#main/server/http/json.ts'
import type { Route } from '#main/server/http/router.ts'
import { routes } from '#main/server/routes.ts'
import { readMessage } from '#main/server/messages/message-input.ts'
import { insertEmoji } from '#main/server/emoji/emoji.ts'
import { messageById } from '#main/server/messages/message-table.ts'
import { insertUpload } from '#main/server/uploads/upload-files.ts'
import { inProcess, type Caller, type Call, type InProcess } from '../in-process.ts'
import type { Row } from './rows.ts'
import { IDS, ONE, uploadUrl } from './things.ts'

/** The ten roles of the permission matrix, in the order of its marks. */
export const ROLES = [
  'anonymous',
  'guest',
  'stranger',
  'member',
  'moderator',
  'creator',
  'appModerator',
  'admin',
  'banned',
  'shadowBanned',
] as const
export type Role = (typeof ROLES)[number]

/** The roles that may read the channel, each with their own objects in it. */
const READERS = ['member', 'moderator', 'creator', 'appModerator', 'admin', 'banned', 'shadowBanned'] as const
const MEMBERS = ['member', 'moderator', 'creator', 'banned', 'shadowBanned'] as const

const SERVER: Caller = { userId: '', kind: 'server' }
const ANONYMOUS: Caller = { userId: '', kind: 'anonymous' }
const serverAs = (userId: string): Caller => ({ userId, kind: 'server' })

const CODE_MARKS: Readonly<Record<number, string>> = { 17: '7', 16: '6', 70: '0', 19: 'F' }

export type Cell = { readonly mark: string; readonly detail: string }

export type MatrixWorld = InProcess & {
  /** What happens when this role makes the call. It is undone. */
  cell(row: Row, role: Role): Cell
  /** The same by a server token that acts for the channel's creator. */
  serverCell(row: Row): Cell
  /** With anonymous access off, which is the default. */
  closedCell(route: Route): Cell
  close(): void
}

/** The route of an operation's row: the one all of whose parameters are given. */
export function routeOf([name, , call]: Row): Route {
  const operation = name.split(':')[0] ?? ''
  const params = Object.keys((typeof call === 'function' ? call('creator') : call).params ?? {})
  const fits = ({ path }: Route) =>
    (path.match(/:\w+/g) ?? [])
      .map((each) => each.slice(1))
      .toSorted()
      .join() === params.toSorted().join()
  const found = routes.filter((route) => route.operation === operation && fits(route))
  const [route] = found
  if (!route || found.length > 1) throw new Error(`${name}: ${found.length} routes take [${params.join(', ')}]`)
  return route
}

/** One channel with a user of every role, objects of each of them, and objects of another user. */
export function createMatrixWorld(): MatrixWorld {
  const world = inProcess()
  const must = (operation: string, who: Caller, call: Call): Json => {
    const { code, reply } = world.call(routeOf([operation, '', call]), who, call)
    if (code !== undefined) throw new Error(`${operation}: ${JSON.stringify(reply)}`)
    return reply
  }
  Object.assign(world.services.previews, { look: () => ({ og_scrape_url: 'https://example.org/' }) })
  people(must)
  places(must)
  for (const who of READERS) belongings(must, who)
  belongingsOfOthers(must)
  insertDirectly(world)
  bans(must)
  const ask = (row: Row, who: Caller, as: string): Cell => attempt(world, row, who, as)
  return {
    ...world,
    cell: (row, role) => ask(row, role === 'anonymous' ? ANONYMOUS : { userId: role }, role),
    serverCell: (row) => ask(row, serverAs('creator'), 'creator'),
    closedCell(route) {
      must('UpdateApp', SERVER, { body: { anonymous_access_enabled: false } })
      const { code, reply } = world.attempt(route, ANONYMOUS)
      must('UpdateApp', SERVER, { body: { anonymous_access_enabled: true } })
      return { mark: code === undefined ? '.' : (CODE_MARKS[code] ?? '?'), detail: shown(reply) }
    },
  }
}

const shown = (reply: Json): string => JSON.stringify(reply).slice(0, 300)

/** The effect counts: changed rows, or the requested object in the response. */
function attempt(world: InProcess, row: Row, who: Caller, as: string): Cell {
  const [, , call, expected] = row
  const route = routeOf(row)
  const changes = () => world.services.db.get<{ n: number }>('SELECT total_changes() AS n')?.n ?? 0
  const before = changes()
  const { code, reply } = world.attempt(route, who, typeof call === 'function' ? call(as) : call)
  if (code !== undefined) return { mark: CODE_MARKS[code] ?? '?', detail: shown(reply) }
  const happened =
    expected === undefined ? route.method === 'GET' || changes() > before : JSON.stringify(reply).includes(expected)
  return { mark: happened ? '.' : '-', detail: shown(reply) }
}

const SILENT = { push: () => undefined, flush: () => undefined, close: () => undefined }

const UPLOAD = {
  name: 'a.txt',
  mime_type: 'text/plain',
  size_bytes: 1,
  cid: 'messaging:one',
  width: null,
  height: null,
  created_at: 1,
}

const PICTURE = { name: 'a.png', mime_type: 'image/png', width: 8, height: 8 }

/**
 * What no call of the table creates: connections, files and what is created from them, and responses with a pending button.
 */
function insertDirectly({ services: { db, hub, ephemerals } }: InProcess): void {
  for (const userId of ['', ...ROLES.slice(1)]) {
    const id = `conn-${userId || 'anonymous'}`
    hub.add({ id, userId, sink: SILENT, watching: new Set(), presenceOf: new Set() })
  }
  for (const userId of [...ROLES.slice(1), 'victim']) {
    const id = uploadUrl(`l-${userId}`).split('/')[4] ?? ''
    insertUpload(db, { ...UPLOAD, id, user_id: userId, cid: null })
  }
  for (const userId of [...ROLES.slice(1), 'victim']) {
    const id = uploadUrl(`e-${userId}`).split('/')[4] ?? ''
    insertUpload(db, { ...UPLOAD, ...PICTURE, id, user_id: userId, cid: null })
    const emoji = { name: `of-${userId.toLowerCase()}`, aliases: '[]', upload_id: id, created_by: userId }
    insertEmoji(db, { ...emoji, created_at: 1, updated_at: 1 })
    const free = uploadUrl(`p-${userId}`).split('/')[4] ?? ''
    insertUpload(db, { ...UPLOAD, ...PICTURE, id: free, user_id: userId, cid: null })
  }
  const m1 = messageById(db, 'm1')
  if (!m1) throw new Error('m1 was not sent')
  for (const userId of [...READERS, 'victim']) {
    insertUpload(db, { ...UPLOAD, id: uploadUrl(userId).split('/')[4] ?? '', user_id: userId })
    const row = { ...m1, id: `gif-${userId}`, user_id: userId }
    ephemerals.put({ row, draft: readMessage({ text: 'x' }), command: 'giphy', args: 'x' })
  }
}

type Must = (operation: string, who: Caller, call: Call) => Json

function people(must: Must): void {
  const roles: Readonly<Record<string, string>> = { admin: 'admin', appModerator: 'moderator', guest: 'guest' }
  for (const id of [...ROLES.slice(1), 'victim', 'extra', 'outcast']) {
    must('UpdateUsers', SERVER, { body: { users: { [id]: { role: roles[id] ?? 'user' } } } })
  }
  must('UpdateApp', SERVER, { body: { anonymous_access_enabled: true } })
  for (const userId of [...ROLES.slice(1), 'victim']) {
    must('CreateDevice', { userId }, { body: { id: `device-${userId}`, push_provider: 'apn' } })
    must('BlockUsers', { userId }, { body: { blocked_user_id: 'extra' } })
    must('MuteUser', { userId }, { body: { target_id: 'extra' } })
    must('Flag', { userId }, { body: { target_user_id: 'outcast' } })
  }
}

function places(must: Must): void {
  const members = [...MEMBERS, 'victim', 'outcast']
  must('GetOrCreateChannel', { userId: 'creator' }, { params: ONE, body: { data: { members } } })
  must('UpdateChannel', SERVER, { params: ONE, body: { add_moderators: ['moderator'], user_id: 'creator' } })
  for (const type of ['team', 'livestream']) {
    const params = { type, id: 'open' }
    must('GetOrCreateChannel', serverAs('creator'), { params, body: { data: { created_by_id: 'outcast' } } })
  }
  const data = { private: true, members }
  must('GetOrCreateChannel', { userId: 'creator' }, { params: { type: 'team', id: 'private' }, body: { data } })
  const inside = { params: { type: 'team', id: 'private' }, body: { message: { id: 'inside', text: 'hello' } } }
  must('SendMessage', { userId: 'victim' }, inside)
  const hello = { params: { type: 'team', id: 'open' }, body: { message: { id: 'public', text: 'hello' } } }
  must('SendMessage', serverAs('victim'), hello)
  const poll = {
    id: 'poll',
    name: 'Lunch?',
    options: [
      { id: 'yes', text: 'Yes' },
      { id: 'no', text: 'No' },
    ],
  }
  must('CreatePoll', { userId: 'victim' }, { body: { ...poll, allow_user_suggested_options: true } })
  for (const message of [{ id: 'm1' }, { id: 'm2' }, { id: 'polled', poll_id: 'poll' }, { id: 'gone' }]) {
    must('SendMessage', { userId: 'victim' }, { params: ONE, body: { message: { text: 'hello', ...message } } })
  }
}

/** The objects each reader has. */
function belongings(must: Must, userId: string): void {
  const who = { userId }
  const send = (message: Json) =>
    must('SendMessage', who, { params: ONE, body: { message: { text: 'mine', ...message } } })
  send({ id: `own-${userId}` })
  send({ id: `reply-${userId}`, parent_id: 'm1' })
  const end_at = new Date(Date.UTC(2100, 0)).toISOString()
  send({ id: `place-${userId}`, shared_location: { latitude: 1, longitude: 1, created_by_device_id: 'd', end_at } })
  must('SendReaction', who, { params: { id: 'm1' }, body: { reaction: { type: 'like' } } })
  must('CreateDraft', who, { params: ONE, body: { message: { text: `draft of ${userId}` } } })
  must('CreateReminder', who, { params: { id: 'm1' }, body: {} })
  must('MuteChannel', who, { body: { channel_cid: 'messaging:one' } })
  must('Flag', who, { body: { target_message_id: 'm2' } })
  const vote = { params: { messageId: 'polled', pollId: 'poll' }, body: { vote: { option_id: 'yes' } } }
  IDS.votes[userId] = (must('CastPollVote', who, vote)['vote'] as { id: string }).id
}

/** The objects of another user, and those of administration. */
function belongingsOfOthers(must: Must): void {
  const victim = { userId: 'victim' }
  const end_at = new Date(Date.UTC(2100, 0)).toISOString()
  const place = { latitude: 2, longitude: 2, created_by_device_id: 'd', end_at }
  must('SendMessage', victim, {
    params: ONE,
    body: { message: { id: 'place-victim', text: 'x', shared_location: place } },
  })
  must('SendMessage', victim, { params: ONE, body: { message: { id: 'waiting', text: 'x' }, pending: true } })
  must('CreateReminder', victim, { params: { id: 'm2' }, body: {} })
  must('CreateDraft', victim, { params: ONE, body: { message: { text: 'note' } } })
  const vote = { params: { messageId: 'polled', pollId: 'poll' }, body: { vote: { option_id: 'no' } } }
  IDS.votes['victim'] = (must('CastPollVote', victim, vote)['vote'] as { id: string }).id
  must('DeleteMessage', victim, { params: { id: 'gone' } })
  must('UpdateMessagePartial', victim, { params: { id: 'm2' }, body: { set: { pinned: true } } })
  const flagged = must('Flag', { userId: 'outcast' }, { body: { target_message_id: 'm1' } })
  IDS.item = String(flagged['review_queue_item_id'])
  const reports = must('QueryFlagReports', SERVER, { body: { filter_conditions: { message_id: 'm1' } } })
  IDS.report = (reports['flag_reports'] as { id: string }[])[0]?.id ?? ''
  must('Ban', serverAs('creator'), { body: { target_user_id: 'outcast', channel_cid: 'messaging:one' } })
  must('CreateUserGroup', serverAs('creator'), { body: { id: 'group', name: 'Group', member_ids: ['victim'] } })
  must('UpsertConfig', SERVER, { body: { key: 'config' } })
  must('UpsertModerationRule', SERVER, { body: { id: 'rule', name: 'rule' } })
  must('CreateChannelType', SERVER, { body: { name: 'spare' } })
  must('CreateCommand', SERVER, { body: { name: 'roll', description: 'x' } })
  must('CreateRole', SERVER, { body: { name: 'spare' } })
  must('CreatePermission', SERVER, { body: { id: 'spare', action: 'pin-message' } })
  must('CreateBlockList', SERVER, { body: { name: 'list', words: ['word'] } })
  must('CreateSegment', SERVER, { body: { id: 'segment', type: 'user' } })
  must('AddSegmentTargets', SERVER, { params: { id: 'segment' }, body: { target_ids: ['victim'] } })
  const campaign = {
    sender_id: 'creator',
    message_template: { text: 'x' },
    user_ids: ['victim'],
    create_channels: true,
  }
  for (const id of ['campaign', 'planned']) must('CreateCampaign', SERVER, { body: { id, ...campaign } })
  const later = { scheduled_for: new Date(Date.UTC(2100, 0)).toISOString() }
  must('StartCampaign', SERVER, { params: { id: 'planned' }, body: later })
  IDS.task = String(must('DeactivateUsers', SERVER, { body: { user_ids: ['extra'] } })['task_id'])
  must('SendMessage', victim, { params: ONE, body: { message: { id: 'reply', text: 'unread', parent_id: 'm1' } } })
  must('SendMessage', victim, { params: ONE, body: { message: { id: 'last', text: 'unread' } } })
}

function bans(must: Must): void {
  for (const id of ['banned', 'shadowBanned']) {
    const shadow = id === 'shadowBanned'
    must('Ban', SERVER, { body: { target_user_id: id, channel_cid: 'messaging:one', shadow } })
  }
}
