import type { ChannelRow, DraftRow, MemberRow, MessageRow, IntentInsert, ReadRow, UserRow } from '#main/cache/rows.ts'
import type { NewMessage } from '#main/server/messages/message-table.ts'
import { asCid, asMessageId, asUserId } from '#shared/lib/brand.ts'

/** Builders of rows of the cache, the outbox and the server: pass what a test is about, the rest is ordinary. */
export const CID = asCid('messaging:general')

export const aMessageRow = (row: Partial<MessageRow> & { readonly id?: MessageRow['id'] } = {}): MessageRow => {
  const createdAt = row.createdAt ?? 1_000
  return {
    id: asMessageId('m1'),
    cid: CID,
    userId: asUserId('ana'),
    type: row.parentId === undefined ? 'regular' : 'reply',
    text: 'hello',
    showInChannel: false,
    attachments: [],
    mentionedUserIds: [],
    pinned: false,
    silent: false,
    shadowed: false,
    createdAt,
    updatedAt: createdAt,
    reactionGroups: [],
    latestReactions: [],
    replyCount: 0,
    threadParticipantIds: [],
    custom: {},
    asOf: createdAt,
    ...row,
  }
}

/** A message as the server stores it. */
export const aStoredMessage = (row: Partial<NewMessage>): NewMessage => {
  const createdAt = row.created_at ?? 1_000
  return {
    id: 'm1',
    cid: CID,
    user_id: 'ana',
    type: 'regular',
    text: 'hello',
    parent_id: null,
    show_in_channel: 0,
    in_channel: 1,
    quoted_id: null,
    poll_id: null,
    silent: 0,
    shadowed: 0,
    created_at: createdAt,
    updated_at: createdAt,
    text_updated_at: null,
    deleted_at: null,
    pinned_at: null,
    pinned_by: null,
    pin_expires: null,
    reply_count: 0,
    deleted_reply_count: 0,
    attachments: '[]',
    mentions: '[]',
    custom: '{}',
    ...row,
  }
}

export const aChannelRow = (row: Partial<ChannelRow> = {}): ChannelRow => ({
  cid: CID,
  type: 'messaging',
  id: 'general',
  name: 'general',
  isPrivate: false,
  updatedAt: 1,
  frozen: false,
  disabled: false,
  cooldown: 0,
  hidden: false,
  custom: {},
  asOf: 1,
  ...row,
})

export const aMemberRow = (row: Partial<MemberRow> = {}): MemberRow => ({
  cid: CID,
  userId: asUserId('me'),
  channelRole: 'channel_member',
  banned: false,
  shadowBanned: false,
  notificationsMuted: false,
  createdAt: 1,
  updatedAt: 1,
  asOf: 1,
  ...row,
})

export const aReadRow = (row: Partial<ReadRow> = {}): ReadRow => ({
  cid: CID,
  userId: asUserId('me'),
  lastReadAt: 0,
  unread: 0,
  countedAt: 0,
  asOf: 0,
  ...row,
})

export const aUserRow = (row: Partial<UserRow> = {}): UserRow => ({
  id: asUserId('ana'),
  name: 'Ana',
  role: 'user',
  banned: false,
  bot: false,
  updatedAt: 1,
  custom: {},
  asOf: 1,
  ...row,
})

export const anIntent = (intent: Partial<IntentInsert> = {}): IntentInsert => ({
  id: 'i1',
  cid: CID,
  kind: 'send-message',
  entityId: 'm1',
  payload: { text: 'hello' },
  createdAt: 1,
  ...intent,
})

export const aDraftRow = (row: Partial<DraftRow> = {}): DraftRow => ({
  key: CID,
  cid: CID,
  text: 'half a thought',
  uploadIds: [],
  caret: 0,
  showInChannel: false,
  updatedAt: 1,
  ...row,
})
