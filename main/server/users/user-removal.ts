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
  readonly messages?: Removal
  /** Also removes conversations with one other user. */
  readonly conversations?: 'soft' | 'hard'
  /** The new creator of the user's channels. */
  readonly newOwner?: string
}

/**
 * Deletes a user. `soft`: the row stays with `deleted_at` and cannot be used; `pruning`: name, picture and custom data
 * are cleared too; `hard`: memberships and the row are deleted as well. See docs/wire.md 3.11 and 8.21 "user delete".
 */
export function removeUser(work: Work, who: Identity, userId: string, removal: UserRemoval): void {
  const row = requireUser(work.db, userId)
  if (removal.newOwner !== undefined) {
    requireUser(work.db, removal.newOwner)
    work.db.keepingCaches.run('UPDATE channels SET created_by = ? WHERE created_by = ?', removal.newOwner, userId)
  }
  if (removal.conversations) {
    for (const cid of directChannelsOf(work.db, userId)) {
      const channel = channelByCid(work.db, cid)
      if (channel) removeChannel(work, accessTo(work.db, channel, who), who, removal.conversations === 'hard')
    }
  }
  const pruned = removal.user === 'soft' ? {} : { name: null, name_words: '', image: null, custom: '{}', privacy: null }
  putUser(work.db, { ...row, ...pruned, deleted_at: row.deleted_at ?? work.now, updated_at: work.now })
  work.people.forget(userId)
  announceUser(work, userId, 'user.deleted', {
    mark_messages_deleted: removal.messages !== undefined,
    hard_delete: removal.user === 'hard',
    delete_conversation_channels: removal.conversations !== undefined,
  })
  if (removal.messages) {
    removeMessagesOf(work, userId, undefined, removal.messages)
    announceRemovedMessages(work, userId, undefined, removal.messages === 'hard')
  }
  if (removal.user === 'hard') deleteRow(work, who, userId)
  disconnect(work, userId)
}

/** Deletes reactions, memberships and the row with its dependent rows. Remaining messages show an unknown author. */
function deleteRow(work: Work, who: Identity, userId: string): void {
  removeReactionsOf(work, userId, undefined)
  const cids = work.db.all<{ cid: string }>('SELECT cid FROM members WHERE user_id = ?', userId)
  for (const { cid } of cids) {
    const channel = channelByCid(work.db, cid)
    if (channel) takeOut(work, accessTo(work.db, channel, who), who, userId)
  }
  work.db.changing('members', 'channel_mutes').run('DELETE FROM users WHERE id = ?', userId)
}

/** Closes open connections; the next handshake is refused by the state of the user. */
export function disconnect(work: Work, userId: string): void {
  work.afterwards(() => {
    for (const connection of work.hub.ofUser(userId)) {
      connection.sink.flush()
      connection.sink.close(CLOSE_CODES.tokenExpired, 'signed out')
    }
  })
}
