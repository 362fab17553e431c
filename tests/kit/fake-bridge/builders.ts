import type { OutboxItem } from '#shared/domain/intent.ts'
import { asCid, asMessageId, asUserId } from '#shared/lib/brand.ts'
import type { Attachment } from '#shared/domain/attachment.ts'
import type { Channel, ChannelConfig } from '#shared/domain/channel.ts'
import type { ChangeSet, EntityMap, EntityName, Window, WindowKey } from '#shared/domain/changes.ts'
import type { DirectoryPerson } from '#shared/domain/manage/directory.ts'
import type { Message } from '#shared/domain/message.ts'
import type { Session, Connection } from '#shared/domain/session.ts'
import { DEFAULT_SETTINGS, type Settings } from '#shared/domain/settings.ts'
import type { User } from '#shared/domain/user.ts'

/** A fixed instant so that tests and pictures do not depend on the day: Friday 20 November 2026, 10:40 local time. */
export const NOON = new Date(2026, 10, 20, 10, 40).getTime()

/** The time of day on that date, in milliseconds. */
export const at = (hours: number, minutes: number, daysAgo = 0): number =>
  new Date(2026, 10, 20 - daysAgo, hours, minutes).getTime()

type Loose<T, Ids extends keyof T> = Partial<Omit<T, Ids>> & { [Name in Ids]?: string }

export function aUser(over: Loose<User, 'id'> = {}): User {
  const { id = 'ola', ...rest } = over
  return {
    id: asUserId(id),
    name: id,
    role: 'user',
    online: true,
    banned: false,
    bot: false,
    updatedAt: 0,
    ...rest,
  }
}

export function aDirectoryPerson(over: Loose<DirectoryPerson, 'id'> = {}): DirectoryPerson {
  const { id = 'ola', ...rest } = over
  return {
    id: asUserId(id),
    name: id,
    role: 'user',
    teams: [],
    online: false,
    bot: false,
    updatedAt: 0,
    banned: false,
    fields: {},
    ...rest,
  }
}

export const aConfig = (over: Partial<ChannelConfig> = {}): ChannelConfig => ({
  typingEvents: true,
  readEvents: true,
  reactions: true,
  replies: true,
  quotes: true,
  uploads: true,
  polls: true,
  sharedLocations: true,
  maxMessageLength: 5_000,
  commands: [],
  ...over,
})

/** Capabilities of an ordinary member. */
export const MEMBER_CAPABILITIES: readonly string[] = [
  'send-message',
  'send-reply',
  'send-reaction',
  'quote-message',
  'upload-file',
  'update-own-message',
  'delete-own-message',
  'read-events',
  'typing-events',
  'send-typing-events',
  'pin-message',
]

export function aChannel(over: Loose<Channel, 'cid'> = {}): Channel {
  const { cid = 'messaging:general', ...rest } = over
  const [type = 'messaging', id = 'general'] = cid.split(':')
  return {
    cid: asCid(cid),
    type,
    id,
    name: id,
    isPrivate: false,
    directUserIds: [],
    memberCount: 3,
    watcherCount: 1,
    faceIds: [],
    frozen: false,
    blocked: false,
    hidden: false,
    muted: false,
    cooldown: 0,
    capabilities: MEMBER_CAPABILITIES,
    config: aConfig(),
    pinnedMessageCount: 0,
    unread: 0,
    unreadMentions: 0,
    hasDraft: false,
    queuedCount: 0,
    ...rest,
  }
}

/** One line of the outbox: a message that waits. */
export const anOutboxItem = (over: Partial<OutboxItem> = {}): OutboxItem => ({
  id: 'i1',
  kind: 'send-message',
  cid: asCid('messaging:release'),
  state: 'waiting',
  summary: 'And the dark variants.',
  fileCount: 0,
  retryable: true,
  createdAt: 1,
  ...over,
})

export function aMessage(over: Loose<Message, 'id' | 'cid' | 'userId' | 'parentId'> = {}): Message {
  const { id = 'm1', cid = 'messaging:general', userId = 'ola', parentId, ...rest } = over
  return {
    id: asMessageId(id),
    cid: asCid(cid),
    userId: asUserId(userId),
    text: '',
    type: parentId === undefined ? 'regular' : 'reply',
    status: 'received',
    parentId: parentId === undefined ? undefined : asMessageId(parentId),
    showInChannel: false,
    attachments: [],
    uploads: [],
    mentionedUserIds: [],
    reactions: [],
    pinned: false,
    silent: false,
    shadowed: false,
    createdAt: NOON,
    updatedAt: NOON,
    ...rest,
  }
}

export const anAttachment = (over: Partial<Attachment> = {}): Attachment => ({
  kind: 'image',
  index: 0,
  hasMedia: true,
  hasThumb: true,
  ...over,
})

export const aWindow = (key: WindowKey, ids: readonly string[], over: Partial<Window> = {}): Window => ({
  key,
  ids,
  hasPrev: false,
  hasNext: false,
  loading: 'none',
  gapsBefore: [],
  ...over,
})

export const aSession = (over: Partial<Omit<Session, 'userId'>> & { userId?: string } = {}): Session => {
  const { userId = 'ola', ...rest } = over
  return {
    state: 'signed-in',
    workspace: { kind: 'local', name: 'Cairn Maps', demo: true, url: 'http://127.0.0.1:4000' },
    userId: asUserId(userId),
    ...rest,
  }
}

export const aConnection = (over: Partial<Connection> = {}): Connection => ({
  state: 'healthy',
  offline: false,
  transport: 'websocket',
  serverRestarting: false,
  ...over,
})

export const someSettings = (over: Partial<Settings> = {}): Settings => ({
  ...DEFAULT_SETTINGS,
  theme: 'light',
  density: 'comfortable',
  textScale: 100,
  motion: 'full',
  language: 'en',
  clock: '24h',
  enterSends: true,
  publishTyping: true,
  sidebarWidth: 264,
  panelWidth: 392,
  sidebarCollapsed: false,
  closedSections: [],
  keepMessagesDays: 0,
  cacheBudgetMb: 0,
  ...over,
})

/** Rows of several tables, by key. */
export type Rows = { [Name in EntityName]?: Record<string, EntityMap[Name]> }

export const changes = (rev: number, put: Rows = {}, over: Partial<ChangeSet> = {}): ChangeSet => ({
  rev,
  put,
  del: {},
  windows: [],
  closed: [],
  ...over,
})

export const byId = <Row extends { readonly id: string }>(rows: readonly Row[]): Record<string, Row> =>
  Object.fromEntries(rows.map((row) => [row.id, row]))

export const byCid = <Row extends { readonly cid: string }>(rows: readonly Row[]): Record<string, Row> =>
  Object.fromEntries(rows.map((row) => [row.cid, row]))
