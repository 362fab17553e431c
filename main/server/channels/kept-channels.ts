import { randomUUID } from 'node:crypto'
import type { WireUser } from '#shared/wire/objects.ts'
import { WrittenJson } from '../http/json.ts'
import { unknownUser } from '../users/encode-users.ts'
import type { People } from '../messages/encode-messages.ts'
import type { Db } from '../store/db.ts'

/**
 * What JSON that is kept leaves open, because it may be different in the next response: a person, and stored addresses of
 * files, which are signed for a time.
 */
type Gap = { readonly kind: 'person'; readonly id: string } | { readonly kind: 'files'; readonly text: string }

/** JSON with gaps. */
export type KeptJson = {
  /** One more than gaps: what is before, between and after them. */
  readonly parts: readonly Uint8Array[]
  readonly gaps: readonly Gap[]
  /** About how many bytes of memory it takes. */
  readonly size: number
}

/** Each part is an object of its own. */
const PART_BYTES = 150

/** Nobody knows it, so no text of anybody contains it. */
const MARK = randomUUID()

/**
 * Something is encoded with these people instead of the real ones, and then kept: where one of them stands, there is a
 * gap.
 */
export function createGaps(): { readonly people: People; readonly keep: (value: object) => KeptJson } {
  const all: Gap[] = []
  const marked = (gap: Gap): string => `${MARK}${all.push(gap) - 1}`
  const known = new Map<string, WireUser>()
  const person = (id: string): WireUser => {
    const found = known.get(id)
    if (found) return found
    const mark = marked({ kind: 'person', id })
    const made = { ...unknownUser(id), toJSON: () => mark }
    known.set(id, made)
    return made
  }
  const fresh = (text: string): string =>
    text.includes('/files/') ? JSON.stringify(marked({ kind: 'files', text })) : text
  const nothing = (): void => undefined
  return {
    people: Object.assign(person, { whole: person, load: nothing, forget: nothing, fresh }),
    keep(value) {
      const [first = '', ...others] = JSON.stringify(value).split(`"${MARK}`)
      // Of each of the others, the number of its gap, a quote, and what follows the gap.
      const ends = others.map((text) => text.indexOf('"'))
      const parts = inOneBuffer([first, ...others.map((text, index) => text.slice((ends[index] ?? 0) + 1))])
      return {
        parts,
        gaps: others.flatMap((text, index) => all[Number(text.slice(0, ends[index]))] ?? []),
        size: parts.reduce((sum, part) => sum + part.length + PART_BYTES, 0),
      }
    },
  }
}

const BEFORE_USER = Buffer.from('{"user":')

/** `{"user": …}` with a gap there and these other parts: for small objects that change often. */
export function keepBesideUser(id: string, others: object): KeptJson {
  const after = Buffer.from(`,${JSON.stringify(others).slice(1)}`)
  return { parts: [BEFORE_USER, after], gaps: [{ kind: 'person', id }], size: after.length + PART_BYTES }
}

/** Not from Node's pool, of which each piece keeps eight kilobytes alive. */
function inOneBuffer(texts: readonly string[]): Uint8Array[] {
  const sizes = texts.map((text) => Buffer.byteLength(text))
  const whole = Buffer.allocUnsafeSlow(sizes.reduce((sum, size) => sum + size, 0))
  let at = 0
  return texts.map((text, index) => {
    const size = sizes[index] ?? 0
    whole.write(text, at)
    at += size
    return whole.subarray(at - size, at)
  })
}

/** Fills the gaps of one response: each person is written once. */
export type Filling = {
  /** Before the first gap with them, so that people are read with one query. */
  load(kept: Iterable<KeptJson>): void
  /** A list of what is kept, and of JSON without gaps. */
  list<T>(items: readonly (KeptJson | Uint8Array)[]): WrittenJson<readonly T[]>
}

const OPEN = Buffer.from('[')
const COMMA = Buffer.from(',')
const CLOSE = Buffer.from(']')
const EMPTY = Buffer.from('[]')

export function createFilling(people: People): Filling {
  const written = new Map<string, Uint8Array>()
  const person = (id: string): Uint8Array => {
    const known = written.get(id)
    if (known) return known
    const made = Buffer.from(JSON.stringify(people(id)))
    written.set(id, made)
    return made
  }
  const fill = ({ parts, gaps }: KeptJson, pieces: Uint8Array[]): void => {
    for (const [index, part] of parts.entries()) {
      pieces.push(part)
      const gap = gaps[index]
      if (gap) pieces.push(gap.kind === 'person' ? person(gap.id) : Buffer.from(people.fresh(gap.text)))
    }
  }
  return {
    load(all) {
      const ids = new Set<string>()
      for (const { gaps } of all) for (const gap of gaps) if (gap.kind === 'person') ids.add(gap.id)
      people.load(ids)
    },
    list(items) {
      if (items.length === 0) return new WrittenJson([EMPTY])
      const pieces: Uint8Array[] = []
      for (const [index, item] of items.entries()) {
        pieces.push(index === 0 ? OPEN : COMMA)
        if (item instanceof Uint8Array) pieces.push(item)
        else fill(item, pieces)
      }
      pieces.push(CLOSE)
      return new WrittenJson(pieces)
    },
  }
}

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
