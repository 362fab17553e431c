import { comparePlaced, type Placed } from '#shared/domain/message.ts'
import { BEGINNING, pageRange, type PageQuery } from '#shared/rules/messages/message-ranges.ts'
import type { MessageRow, RangeScope } from '../rows.ts'
import type { Tx } from '../store.ts'
import * as channels from '../channels/channels.ts'
import * as messages from './messages.ts'
import * as pages from './pages.ts'
import * as ranges from './ranges.ts'
import * as removal from './removal.ts'

/** The response for one page of a timeline or a thread. */
type PageAnswer = {
  readonly scope: RangeScope
  readonly query: PageQuery
  /** The limit of the request. */
  readonly requested: number
  readonly rows: readonly MessageRow[]
  /** How many the server sent; more than `rows` if some were unusable. Absent: all were usable. */
  readonly returned?: number
  /** Newest server time known when the request was sent. */
  readonly asOf: number
}

/**
 * Writes a loaded page: rows, range, and the removal of cached messages missing in it (hard-deleted while
 * disconnected).
 */
export function applyPage(tx: Tx, page: PageAnswer): void {
  const rows = page.rows.toSorted(comparePlaced)
  const keys = rows.map(({ createdAt, id }) => ({ createdAt, id }))
  for (const row of rows) messages.put(tx, row)
  const returned = page.returned ?? rows.length
  // With unusable messages in the page, missing ones cannot be determined.
  if (returned === rows.length) for (const removed of absentFrom(tx, page, keys)) removal.drop(tx, removed.id)
  ranges.merge(tx, page.scope, page.query, keys, page.requested, returned)
}

/**
 * One message from an event or an acknowledgement. `live`: nothing can have been missed before it (a healthy connection
 * that watches the channel); only then it extends the newest range.
 */
export function receive(tx: Tx, row: MessageRow, live: boolean): MessageRow | undefined {
  const stored = messages.add(tx, row) ? row : messages.put(tx, row)
  if (!stored) return undefined
  const key = { createdAt: stored.createdAt, id: stored.id }
  if (messages.isInChannel(stored, tx)) {
    if (live) ranges.extend(tx, `timeline:${stored.cid}`, key)
    if (movesChannel(tx, stored)) channels.sawMessage(tx, stored.cid, stored.createdAt)
  }
  if (live && stored.parentId !== undefined) ranges.extend(tx, `thread:${stored.parentId}`, key)
  return stored
}

/** See docs/wire.md 7.6, row `last_message_at`. */
function movesChannel(tx: Tx, { cid, type }: MessageRow): boolean {
  if (type === 'system') return channels.byCid(tx, cid)?.config?.systemKeepsPlace !== true
  return type !== 'ephemeral' && type !== 'error'
}

const END: Placed = { createdAt: Number.MAX_SAFE_INTEGER, id: '' }

function absentFrom(tx: Tx, page: PageAnswer, keys: readonly Placed[]): readonly Placed[] {
  const proved = pageRange(page.query, keys, page.requested)
  const first = !proved || !proved.hasPrev ? BEGINNING : proved.first
  const last = !proved || !proved.hasNext ? END : proved.last
  if (!proved && page.query.kind !== 'newest') return []
  const present = new Set(keys.map((key) => key.id))
  if (page.query.kind === 'older' || page.query.kind === 'newer') present.add(page.query.cursor.id)
  const held = pages.between(tx, page.scope, first, last).filter((key) => !present.has(key.id))
  if (held.length === 0) return []
  const rows = messages.byIds(
    tx,
    held.map((key) => key.id),
  )
  return rows.filter((row) => row.asOf <= page.asOf && row.type !== 'ephemeral' && row.type !== 'error')
}
