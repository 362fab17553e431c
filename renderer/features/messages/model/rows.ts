import { GROUPING_GAP_MS } from '#shared/constants.ts'
import type { MessageId, UserId } from '#shared/lib/brand.ts'
import type { Message } from '#shared/domain/message.ts'

/**
 * A row of a message list. `key` is stable and identifies the row for the anchor and for React, so a row keeps its
 * position and element when pages arrive before or after it.
 */
export type Row =
  | { readonly kind: 'day'; readonly key: string; readonly at: number }
  /** `partial`: unread messages before this one are not cached. */
  | { readonly kind: 'unread'; readonly key: 'unread'; readonly count: number; readonly partial: boolean }
  /** Messages are missing between those sent at `from` and `to`. Epoch milliseconds. */
  | {
      readonly kind: 'gap'
      readonly key: string
      readonly beforeId: MessageId
      readonly from?: number
      readonly to: number
    }
  | { readonly kind: 'lost'; readonly key: 'lost'; readonly at: number }
  | { readonly kind: 'cleared'; readonly key: 'cleared'; readonly at: number; readonly by?: UserId }
  /** Several consecutive deleted messages; `key` is the first. */
  | { readonly kind: 'deleted'; readonly key: MessageId; readonly ids: readonly MessageId[] }
  | { readonly kind: 'system'; readonly key: MessageId; readonly id: MessageId }
  | {
      readonly kind: 'message'
      readonly key: MessageId
      readonly id: MessageId
      /** Continues the group of the previous message: shown without portrait and name. */
      readonly continued: boolean
    }

export type UnreadLine = {
  /** The line is above this message; absent while the first unread one is unknown. */
  readonly id?: MessageId
  readonly count: number
  /** Unread messages before this one are not cached. */
  readonly partial?: boolean
}

export type RowOptions = {
  /** Absent draws none. */
  readonly unreadLine?: UnreadLine
  readonly gapsBefore?: readonly string[]
  /** When the connection was lost, shown as a line before messages written since. Epoch milliseconds. */
  readonly lostAt?: number
  /** When and by whom the channel's history was cleared, shown above the first message. */
  readonly cleared?: { readonly at: number; readonly by?: UserId }
  /** Identifies the local calendar day of a time; two times of one day give the same string. */
  readonly dayOf: (at: number) => string
  /** Shows day dividers; threads have none. */
  readonly days?: boolean
}

/**
 * Builds the rows of messages, oldest first. Rows unchanged from `previous` keep their identity, so that memoized rows do
 * not render again.
 */
export function buildRows(
  messages: readonly Message[],
  options: RowOptions,
  previous: readonly Row[] = [],
): readonly Row[] {
  const known = new Map<string, Row>(previous.map((row) => [row.key, row]))
  const gaps = new Set(options.gapsBefore)
  const rows: Row[] = []
  const add = (row: Row): void => void rows.push(row)
  let lostShown = options.lostAt === undefined
  const addLost = (): void => {
    lostShown = true
    add({ kind: 'lost', key: 'lost', at: options.lostAt ?? 0 })
  }
  let before: Message | undefined
  let today: string | undefined
  if (options.cleared !== undefined && messages.length > 0) add({ kind: 'cleared', key: 'cleared', ...options.cleared })
  for (const message of messages) {
    // A message of unknown time has no known day.
    const day = message.timeUnsure === true ? today : options.dayOf(message.createdAt)
    const newDay = day !== today
    const gap = gaps.has(message.id)
    const unread = options.unreadLine?.id === message.id ? options.unreadLine : undefined
    const lost = !lostShown && options.lostAt !== undefined && message.createdAt > options.lostAt
    if (lost) addLost()
    if (gap) add(gapBefore(message, before))
    if (newDay && options.days !== false) {
      add({ kind: 'day', key: `day:${day}`, at: message.createdAt })
    }
    if (unread) add({ kind: 'unread', key: 'unread', count: unread.count, partial: unread.partial === true })
    add(rowOf(message, !newDay && !gap && unread === undefined && !lost && continues(before, message)))
    before = message
    today = day
  }
  if (!lostShown && rows.length > 0) addLost()
  const deletedIds = new Set(messages.filter(isCollapsible).map(({ id }) => id))
  const shown = collapsed(rows, deletedIds).map((row) => {
    const old = known.get(row.key)
    return old !== undefined && sameRow(old, row) ? old : row
  })
  return sameRows(previous, shown) ? previous : shown
}

/** Deleted and without replies; a deleted message with replies keeps its own row. */
const isCollapsible = (message: Message): boolean =>
  (message.type === 'deleted' || message.deletedAt !== undefined) &&
  // A deletion that can still be undone keeps its own row with the Undo button.
  message.undoUntil === undefined &&
  (message.thread?.replyCount ?? 0) === 0

/** Joins adjacent deleted messages into one row. The message after it starts a new group. */
function collapsed(rows: readonly Row[], deletedIds: ReadonlySet<MessageId>): readonly Row[] {
  const out: Row[] = []
  for (const row of rows) {
    const last = out.at(-1)
    if (row.kind !== 'message') out.push(row)
    else if (!deletedIds.has(row.id))
      out.push(last?.kind === 'deleted' && row.continued ? { ...row, continued: false } : row)
    else if (last?.kind === 'deleted') out[out.length - 1] = { ...last, ids: [...last.ids, row.id] }
    else if (last?.kind === 'message' && deletedIds.has(last.id)) {
      out[out.length - 1] = { kind: 'deleted', key: last.key, ids: [last.id, row.id] }
    } else out.push(row)
  }
  return out
}

/** Whether `message` continues the group of the previous message. */
export function continues(before: Message | undefined, message: Message): boolean {
  return (
    before !== undefined &&
    before.userId === message.userId &&
    before.type !== 'system' &&
    message.type !== 'system' &&
    message.quoted === undefined &&
    message.timeUnsure !== true &&
    message.createdAt - before.createdAt < GROUPING_GAP_MS &&
    before.parentId === message.parentId
  )
}

/** Messages of a row; the first one receives the focus. */
export function messageIdsOf(row: Row): readonly MessageId[] {
  if (row.kind === 'message' || row.kind === 'system') return [row.id]
  return row.kind === 'deleted' ? row.ids : []
}

const gapBefore = ({ id, createdAt }: Message, before: Message | undefined): Row => ({
  kind: 'gap',
  key: `gap:${id}`,
  beforeId: id,
  to: createdAt,
  from: before === undefined ? undefined : before.createdAt,
})

function rowOf(message: Message, continued: boolean): Row {
  if (message.type === 'system') return { kind: 'system', key: message.id, id: message.id }
  return { kind: 'message', key: message.id, id: message.id, continued }
}

function sameRow(a: Row, b: Row): boolean {
  if (a.kind !== b.kind) return false
  if (a.kind === 'message' && b.kind === 'message') return a.continued === b.continued
  if (a.kind === 'unread' && b.kind === 'unread') return a.count === b.count && a.partial === b.partial
  if (a.kind === 'lost' && b.kind === 'lost') return a.at === b.at
  if (a.kind === 'cleared' && b.kind === 'cleared') return a.at === b.at && a.by === b.by
  if (a.kind === 'gap' && b.kind === 'gap') return a.from === b.from && a.to === b.to
  if (a.kind === 'deleted' && b.kind === 'deleted') return a.ids.join() === b.ids.join()
  return true
}

const sameRows = (a: readonly Row[], b: readonly Row[]): boolean =>
  a.length === b.length && a.every((row, index) => row === b[index])
