import { CLOSE_CODES } from '#shared/wire/connect.ts'
import type { Identity } from '../http/auth/identify.ts'
import { announceUser } from '../realtime/presence.ts'
import { accessTo } from '../channels/access.ts'
import { removeChannel } from '../channels/channel-remove.ts'
import { takeOut } from '../channels/member-changes.ts'
import { channelByCid } from '../channels/channel-table.ts'
import { directChannelsOf } from './people-tables.ts'
import { putUser } from './user-table.ts'
import type { Work } from '../work.ts'
import { announceRemovedMessages } from '../moderation/moderation.ts'
import { removeMessagesOf, removeReactionsOf, type Removal } from '../messages/user-messages.ts'
import { requireUser } from './users.ts'

type UserRemoval = {
  readonly user: Removal
  readonly messages?: Removal | undefined
  /** Conversations with one other person go too. */
  readonly conversations?: 'soft' | 'hard' | undefined
  /** Who the person's channels belong to afterwards. */
  readonly newOwner?: string | undefined
}

/**
 * Deletes a person. `soft`: the row stays with `deleted_at` and cannot be used; `pruning`: name, picture and custom data
 * go too; `hard`: memberships go as well, and the row. See docs/wire.md 3.11 and 8.21 "user delete".
 */
export function removeUser(work: Work, who: Identity, userId: string, request: UserRemoval): void {
  const row = requireUser(work.db, userId)
  if (request.newOwner !== undefined) {
    requireUser(work.db, request.newOwner)
    work.db.run('UPDATE channels SET created_by = ? WHERE created_by = ?', request.newOwner, userId)
  }
  if (request.conversations) {
    for (const cid of directChannelsOf(work.db, userId)) {
      const channel = channelByCid(work.db, cid)
      if (channel) removeChannel(work, accessTo(work.db, channel, who), who, request.conversations === 'hard')
    }
  }
  const pruned = request.user === 'soft' ? {} : { name: null, name_words: '', image: null, custom: '{}', privacy: null }
  putUser(work.db, { ...row, ...pruned, deleted_at: row.deleted_at ?? work.now, updated_at: work.now })
  work.people.forget(userId)
  announceUser(work, userId, 'user.deleted', {
    mark_messages_deleted: request.messages !== undefined,
    hard_delete: request.user === 'hard',
    delete_conversation_channels: request.conversations !== undefined,
  })
  if (request.messages) {
    removeMessagesOf(work, userId, undefined, request.messages)
    announceRemovedMessages(work, userId, undefined, request.messages === 'hard')
  }
  if (request.user === 'hard') forget(work, who, userId)
  disconnect(work, userId)
}

/** Memberships and reactions go; the row goes with what hangs on it. Messages that stay show an unknown author. */
function forget(work: Work, who: Identity, userId: string): void {
  removeReactionsOf(work, userId, undefined)
  const cids = work.db.all<{ cid: string }>('SELECT cid FROM members WHERE user_id = ?', userId)
  for (const { cid } of cids) {
    const channel = channelByCid(work.db, cid)
    if (channel) takeOut(work, accessTo(work.db, channel, who), who, userId)
  }
  work.db.run('DELETE FROM users WHERE id = ?', userId)
}

/** Open connections end; the next handshake is refused for what the person is now. */
export function disconnect(work: Work, userId: string): void {
  work.afterwards(() => {
    for (const connection of work.hub.ofUser(userId)) {
      connection.sink.flush()
      connection.sink.close(CLOSE_CODES.tokenExpired, 'signed out')
    }
  })
}
