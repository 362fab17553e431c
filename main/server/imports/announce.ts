import type { Identity } from '../http/auth/identify.ts'
import { accessTo } from '../channels/access.ts'
import { announceAdded } from '../channels/channel-query.ts'
import { channelByCid } from '../channels/channel-table.ts'
import { channelForMany } from '../channels/channel-state.ts'
import { memberIds } from '../channels/member-table.ts'
import { channelEvent } from '../realtime/emission.ts'
import { asUser } from '../uploads/file-url.ts'
import { userById } from '../users/user-tables.ts'
import type { Work } from '../work.ts'

/** The server itself. */
export const SERVER: Identity = { ...asUser('', 'admin'), server: true }

/**
 * Messages were added to or removed from the history of channels, between those that clients have: they load it again.
 * Nobody is notified of a message.
 */
export function announceHistory(work: Work, cids: Iterable<string>): void {
  for (const cid of cids) {
    const channel = channelByCid(work.db, cid)
    if (channel?.deleted_at !== null) continue
    const access = accessTo(work.db, channel, SERVER)
    work.emit({
      event: channelEvent('channel.updated', channel, work.stamp(cid), {
        channel: channelForMany(work, access),
        history_changed: true,
      }),
      to: { kind: 'users', ids: memberIds(work.db, cid) },
      log: 'channel',
    })
  }
}

/** Shows new channels to those of their members who are connected. */
export function announceNewChannels(work: Work, cids: Iterable<string>, by: string): void {
  for (const cid of cids) {
    const channel = channelByCid(work.db, cid)
    if (channel?.deleted_at !== null) continue
    for (const userId of memberIds(work.db, cid)) {
      const user = userById(work.db, userId)
      if (!user || work.hub.ofUser(userId).size === 0) continue
      announceAdded(work, accessTo(work.db, channel, asUser(userId, user.role)), userId, by)
    }
  }
}
