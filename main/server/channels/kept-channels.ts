import type { Db } from '../store/db.ts'
import type { KeptJson } from '../messages/kept-json.ts'

/** A message as all see it but those for whom it is different. */
export type KeptMessage = {
  readonly json: KeptJson
  /** They reacted to it, deleted it for themselves, or are reminded of it. */
  readonly except: ReadonlySet<string>
}

/** A page of members. */
export type KeptMembers = { readonly ids: readonly string[]; readonly items: readonly KeptJson[] }

/** The read states of a page of members, made of the columns in `source`. */
type KeptReads = { readonly source: string; readonly byUser: ReadonlyMap<string, KeptJson> }

/** What responses repeat of a channel, as it was written last. */
export type KeptChannel = {
  readonly messages: Map<string, KeptMessage>
  /** By page. */
  readonly members: Map<string, KeptMembers>
  readonly reads: Map<string, KeptReads>
  /** As of the last {@link trimKept}. */
  bytes: number
}

/** Of all channels together. */
const MAX_BYTES = 32 * 1024 * 1024
/** Of one channel: the newest page and what has left it since. */
const MAX_MESSAGES = 400
const MAX_PAGES = 8

/** Those least recently asked for come first. */
const keptByDb = new WeakMap<Db, Map<string, KeptChannel>>()

/**
 * From now on what is written of channels is kept, until one of the rows it is made of changes: triggers of this
 * connection say so, whichever statement changes them, rows that depend on others too. What was read in a transaction
 * that failed is forgotten by {@link Db.createCache}.
 */
export function keepChannels(db: Db): void {
  const kept = db.createCache<KeptChannel>([])
  db.raw.function('kept_message_changed', (cid: unknown, id: unknown, parentId: unknown) => {
    const messages = kept.get(String(cid))?.messages
    messages?.delete(String(id))
    messages?.delete(String(parentId))
    return null
  })
  db.raw.function('kept_channel_changed', (cid: unknown) => {
    kept.delete(String(cid))
    return null
  })
  const columns = db.raw.pragma('table_info(members)') as { readonly name: string }[]
  db.raw.exec(triggersFor(columns.map(({ name }) => name).filter((name) => !NOT_SHOWN.has(name))))
  keptByDb.set(db, kept)
}

/** Columns of members that neither a member nor a message shows, and that each message changes. */
const NOT_SHOWN: ReadonlySet<string> = new Set([
  'unread',
  'last_read',
  'last_read_message_id',
  'last_delivered_at',
  'last_delivered_message_id',
  'hidden',
  'hide_before',
])

/**
 * A message shows its own row, the authors of its replies, its reactions and its location, the role of its author in the
 * channel, and to single readers a reminder, or that they hid it. A member shows their row, and whether they muted the
 * channel.
 */
function triggersFor(shownColumns: readonly string[]): string {
  const message = (row: string): string => `kept_message_changed(${row}.cid, ${row}.id, ${row}.parent_id)`
  const part = (row: string): string =>
    `kept_message_changed((SELECT cid FROM messages WHERE id = ${row}.message_id), ${row}.message_id, NULL)`
  const channel = (row: string): string => `kept_channel_changed(${row}.cid)`
  return [
    triggers('messages', message),
    triggers('reactions', part),
    triggers('hidden_messages', part),
    triggers('reminders', part),
    triggers('locations', part),
    triggers('members', channel, ` OF ${shownColumns.join(', ')}`),
    triggers('channel_mutes', channel),
  ].join('\n')
}

const triggers = (table: string, changed: (row: string) => string, columns = ''): string => `
CREATE TEMP TRIGGER kept_${table}_added AFTER INSERT ON ${table} BEGIN SELECT ${changed('NEW')}; END;
CREATE TEMP TRIGGER kept_${table}_changed AFTER UPDATE${columns} ON ${table} BEGIN
  SELECT ${changed('OLD')}, ${changed('NEW')}; END;
CREATE TEMP TRIGGER kept_${table}_removed AFTER DELETE ON ${table} BEGIN SELECT ${changed('OLD')}; END;`

/** What is kept of a channel. Whoever adds to it calls {@link trimKept} then. */
export function keptChannel(db: Db, cid: string): KeptChannel {
  const kept = keptByDb.get(db)
  const found = kept?.get(cid) ?? { messages: new Map(), members: new Map(), reads: new Map(), bytes: 0 }
  kept?.delete(cid)
  kept?.set(cid, found)
  return found
}

/** Forgets what is too much, after something was added to these channels. */
export function trimKept(db: Db, changed: Iterable<KeptChannel>): void {
  for (const channel of changed) {
    if (channel.messages.size > MAX_MESSAGES) channel.messages.clear()
    for (const pages of [channel.members, channel.reads]) if (pages.size > MAX_PAGES) pages.clear()
    channel.bytes = bytesOf(channel)
  }
  const kept = keptByDb.get(db) ?? new Map<string, KeptChannel>()
  let bytes = 0
  for (const channel of kept.values()) bytes += channel.bytes
  for (const [cid, channel] of kept) {
    if (bytes <= MAX_BYTES) return
    kept.delete(cid)
    bytes -= channel.bytes
  }
}

/** A name in {@link KeptMessage.except}. */
const NAME_BYTES = 60

function bytesOf({ messages, members, reads }: KeptChannel): number {
  const sum = (items: Iterable<KeptJson>): number => [...items].reduce((bytes, { size }) => bytes + size, 0)
  let bytes = 0
  for (const { json, except } of messages.values()) bytes += json.size + except.size * NAME_BYTES
  for (const { items } of members.values()) bytes += sum(items)
  for (const { source, byUser } of reads.values()) bytes += source.length + sum(byUser.values())
  return bytes
}
