import { accessTo } from '../channels/access.ts'
import { channelByCid, recountMembers } from '../channels/channel-table.ts'
import { removeChannel } from '../channels/channel-remove.ts'
import { takeOut } from '../channels/member-changes.ts'
import { recount, memberIds } from '../channels/member-table.ts'
import { dropRemindersOf } from '../reminders/reminder-routes.ts'
import { deleteMessageRow, messageById, recountReplies } from '../messages/message-table.ts'
import { removeUpload, asUser } from '../uploads/upload-files.ts'
import { userById } from '../users/user-tables.ts'
import { transact, type Services, type Work } from '../work.ts'
import type { Identity } from '../http/auth/identify.ts'
import { announceAdded } from '../channels/channel-query.ts'
import { channelForMany } from '../channels/channel-state.ts'
import { channelEvent } from '../realtime/emission.ts'
import { forgetImported, importedOf, type ImportedRow, type ImportRow } from './import-tables.ts'

const BATCH = 300

/** Of the root of a thread in which somebody has written here. */
const REPLIED = `SELECT 1 FROM messages r WHERE r.parent_id = ?
  AND NOT EXISTS (SELECT 1 FROM imported i WHERE i.key = r.id AND i.import_id = ?) LIMIT 1`

/**
 * Removes what an import has added, step by step: its messages with their files, then channels and people that nothing
 * else is in or by. Messages that somebody has replied to stay. Each step is a transaction; it may be repeated.
 */
export function* undoImport(services: Services, row: ImportRow): Generator<number> {
  // After a restart too: what was removed before it is in no list any more.
  const noted = importedOf(services.db, row.id, 'channel', '', Number.MAX_SAFE_INTEGER)
  const touched = new Set(noted.map(({ target }) => target))
  let after = ''
  for (;;) {
    const batch = importedOf(services.db, row.id, 'message', after, BATCH)
    if (batch.length === 0) break
    after = batch.at(-1)?.key ?? ''
    transact(services, (work) => removeMessages(work, row, batch, touched))
    yield batch.length
  }
  transact(services, (work) => {
    for (const cid of touched) if (channelByCid(work.db, cid)) recount(work.db, cid)
  })
  for (const kind of ['channel', 'member', 'person'] as const) {
    let last = ''
    for (;;) {
      const batch = importedOf(services.db, row.id, kind, last, BATCH)
      if (batch.length === 0) break
      last = batch.at(-1)?.key ?? ''
      transact(services, (work) => batch.forEach((each) => REMOVE[kind](work, each, row)))
      yield 0
    }
  }
  for (const each of importedOf(services.db, row.id, 'pin', '', Number.MAX_SAFE_INTEGER))
    forgetImported(services.db, each.key)
  transact(services, (work) => announceHistory(work, touched))
}

function removeMessages(work: Work, row: ImportRow, batch: readonly ImportedRow[], touched: Set<string>): void {
  const { db } = work
  for (const { key: id, target: cid } of batch) {
    const message = messageById(db, id)
    const isKept = message && db.get(REPLIED, id, row.id) !== undefined
    // What stays is no longer of this import, and what was deleted here stays forgotten.
    forgetImported(db, id)
    if (!message || isKept) continue
    touched.add(cid)
    for (const file of filesOf(work, id)) {
      removeUpload(work, file)
      forgetImported(db, file)
    }
    dropRemindersOf(work, id)
    detachReplies(work, id)
    deleteMessageRow(db, id)
    if (message.parent_id !== null) recountReplies(db, message.parent_id)
  }
}

/** Replies of this import are removed by themselves, with their own files. */
function detachReplies({ db }: Work, id: string): void {
  db.run('UPDATE messages SET parent_id = NULL WHERE parent_id = ?', id)
  db.run('DELETE FROM thread_participants WHERE parent_id = ?', id)
}

const FILES = "SELECT key FROM imported WHERE target = ? AND kind = 'file'"

const filesOf = ({ db }: Work, id: string): string[] => db.all<{ key: string }>(FILES, id).map(({ key }) => key)

const REMOVE: Readonly<
  Record<'channel' | 'member' | 'person', (work: Work, noted: ImportedRow, row: ImportRow) => void>
> = {
  channel(work, { key, target, added }) {
    const channel = channelByCid(work.db, target)
    const isUsed = work.db.get('SELECT 1 FROM messages WHERE cid = ? LIMIT 1', target) !== undefined
    forgetImported(work.db, key)
    if (channel && added === 1 && !isUsed) removeChannel(work, accessTo(work.db, channel, SERVER), SERVER, true)
  },
  member(work, { key, target: userId }) {
    const [cid = ''] = JSON.parse(key) as string[]
    const channel = channelByCid(work.db, cid)
    const hasWritten =
      work.db.get('SELECT 1 FROM messages WHERE cid = ? AND user_id = ? LIMIT 1', cid, userId) !== undefined
    forgetImported(work.db, key)
    if (channel && !hasWritten) takeOut(work, accessTo(work.db, channel, SERVER), SERVER, userId)
  },
  person(work, { key, target, added }, row) {
    const { db } = work
    forgetImported(db, key)
    if (added === 0 || isUsed(work, target, row)) return
    const channels = db.all<{ cid: string }>('SELECT cid FROM members WHERE user_id = ?', target)
    db.changing('users', 'members', 'channel_mutes').run('DELETE FROM users WHERE id = ?', target)
    for (const { cid } of channels) recountMembers(db, cid)
  },
}

/** Somebody has signed in as them or added them to a channel since, or something that stays is by them. */
function isUsed({ db }: Work, userId: string, row: ImportRow): boolean {
  const user = userById(db, userId)
  if (!user || user.last_active !== null || user.role !== 'user') return true
  if (db.get(JOINED, userId, row.finished_at ?? row.created_at)) return true
  return WRITTEN.some((sql) => db.get(sql, userId) !== undefined)
}

const JOINED = 'SELECT 1 FROM members WHERE user_id = ? AND created_at > ? LIMIT 1'
const WRITTEN = [
  'SELECT 1 FROM messages WHERE cid IN (SELECT cid FROM channels) AND user_id = ? LIMIT 1',
  'SELECT 1 FROM reactions WHERE message_id IN (SELECT id FROM messages) AND user_id = ? LIMIT 1',
]

/** The server itself. */
const SERVER: Identity = { ...asUser('', 'admin'), server: true }

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
