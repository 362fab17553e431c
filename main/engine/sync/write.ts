import { type Cid, asCid } from '#shared/lib/brand.ts'
import type { PageQuery } from '#shared/rules/messages/message-ranges.ts'
import type { MessageRow, RangeScope, UserRow } from '#main/cache/rows.ts'
import type { Tx, Reader } from '#main/cache/store.ts'
import * as channels from '#main/cache/channels/channels.ts'
import * as members from '#main/cache/channels/members.ts'
import * as messages from '#main/cache/messages/messages.ts'
import * as meta from '#main/cache/meta.ts'
import * as blocks from '#main/cache/people/blocks.ts'
import * as mutes from '#main/cache/people/mutes.ts'
import * as pages from '#main/cache/messages/pages.ts'
import * as polls from '#main/cache/messages/polls.ts'
import * as ranges from '#main/cache/messages/ranges.ts'
import * as reads from '#main/cache/channels/reads.ts'
import * as timeline from '#main/cache/messages/timeline.ts'
import * as users from '#main/cache/people/users.ts'
import { decodeChannelState, type ChannelFacts, decodeChannel, decodeMember } from '../decode/channel.ts'
import { decodeMessage, type DecodedMessage } from '../decode/message.ts'
import { decodePoll } from '../decode/poll.ts'
import { latestAt, type DecodeContext } from '../decode/read.ts'
import { decodeOwnUser, decodeUser } from '../decode/user.ts'
import type { ApplyContext } from './ingest.ts'

/** Origin of a wire object. */
type Source = {
  /** Server time of this copy. */
  readonly asOf: number
  /** A response to our own request: own reactions and votes in it are ours. */
  readonly isAnswer?: boolean
}

const contextOf = (tx: Tx, { asOf, isAnswer = false }: Source): DecodeContext => ({
  viewerId: tx.viewerId,
  asOf,
  isAnswer,
  latest: tx.serverNow ? latestAt(tx.serverNow(), asOf) : undefined,
})

/** A message that may be new: from `message.new`, or the response to our own send. */
export function receiveMessage(
  tx: Tx,
  wire: unknown,
  source: Source & { readonly cid: string; readonly live: boolean },
): MessageRow | undefined {
  const decoded = decodeMessage(wire, contextOf(tx, source), source.cid)
  if (!decoded) return undefined
  writeAround(tx, decoded)
  const row = withKnownPlace(tx, decoded.row)
  if (!row.timeUnsure) meta.sawServerTime(tx, row.createdAt)
  // A response is at least as new as its message: no page requested earlier can prove the message removed.
  const asOf = Math.max(row.asOf, row.createdAt)
  return timeline.receive(tx, asOf === row.asOf ? row : { ...row, asOf }, source.live)
}

/**
 * A change to a cached message; others are ignored, because an update inserts nothing (docs/wire.md 7.6).
 * A pinned one is stored anyway: the list of pins shows it. `own` replaces the viewer's own reactions.
 */
export function rewriteMessage(
  tx: Tx,
  wire: unknown,
  source: Source & { readonly cid: string; readonly own?: readonly string[] },
): MessageRow | undefined {
  const decoded = decodeMessage(wire, contextOf(tx, source), source.cid)
  if (!decoded) return undefined
  // Pins have a separate list, and a reply may now be shown in the channel: both are stored, cached before or not.
  const { id, type, pinned, parentId, showInChannel } = decoded.row
  const joins = parentId !== undefined && showInChannel && type !== 'deleted'
  if (!pinned && !joins && !messages.byId(tx, id)) return undefined
  writeAround(tx, decoded)
  const row = withKnownPlace(tx, decoded.row)
  return messages.put(tx, source.own === undefined ? row : { ...row, ownReactions: source.own })
}

/** The decoded row of a message that is to be removed. */
export function decodeOnly(tx: Tx, wire: unknown, source: Source & { readonly cid: string }): MessageRow | undefined {
  return decodeMessage(wire, contextOf(tx, source), source.cid)?.row
}

function writeAround(tx: Tx, decoded: DecodedMessage): void {
  users.putMany(tx, decoded.users)
  if (decoded.poll) polls.put(tx, decoded.poll)
}

type MessagesPage = { readonly query: PageQuery; readonly requested: number }

/**
 * Stores the response of a channel query with everything in it.
 *
 * @param page how its messages were requested; absent if none were
 */
export function writeChannelState(
  tx: Tx,
  wire: unknown,
  source: Source,
  page: MessagesPage | undefined,
): ChannelFacts | undefined {
  const facts = decodeChannelState(wire, contextOf(tx, { ...source, isAnswer: true }))
  if (!facts) return undefined
  const { cid } = facts.channel
  users.putMany(tx, facts.users)
  channels.put(tx, facts.channel)
  writeMembers(tx, facts)
  for (const poll of facts.polls) polls.put(tx, poll)
  if (page) {
    const { returned } = facts
    const rows = placed(tx, facts.messages, page.query)
    timeline.applyPage(tx, { scope: `timeline:${cid}`, ...page, rows, returned, asOf: source.asOf })
  }
  if (page?.query.kind === 'newest') joinReceived(tx, `timeline:${cid}`)
  for (const pinned of facts.pinned) messages.put(tx, withKnownPlace(tx, pinned))
  reads.putMany(tx, facts.reads)
  for (const { timeUnsure, createdAt } of facts.messages) if (!timeUnsure) meta.sawServerTime(tx, createdAt)
  return facts
}

function writeMembers(tx: Tx, { channel, members: rows }: ChannelFacts): void {
  // A query returns up to a hundred members: all of them if the channel has no more. The viewer may be listed twice.
  const people = new Set(rows.map(({ userId }) => userId)).size
  if (channel.memberCount !== undefined && people >= channel.memberCount) {
    members.replaceAll(tx, channel.cid, rows)
  } else {
    members.putMany(tx, rows)
  }
}

/** A page of a thread. `wires` in any order. */
export function writeReplies(
  tx: Tx,
  parentId: string,
  wires: readonly unknown[],
  source: Source & MessagesPage & { readonly cid: Cid },
): readonly MessageRow[] {
  const context = contextOf(tx, { ...source, isAnswer: true })
  const decoded = wires.flatMap((wire) => decodeMessage(wire, context, source.cid) ?? [])
  for (const each of decoded) writeAround(tx, each)
  const rows = placed(
    tx,
    decoded.map((each) => each.row),
    source.query,
  )
  timeline.applyPage(tx, {
    scope: `thread:${parentId}`,
    query: source.query,
    requested: source.requested,
    rows,
    returned: wires.length,
    asOf: source.asOf,
  })
  if (source.query.kind === 'newest') joinReceived(tx, `thread:${parentId}`)
  return rows
}

/** Messages by id, pins and the like: stored, but in no range. */
export function writeLoose(tx: Tx, wires: readonly unknown[], source: Source & { readonly cid: Cid }): void {
  for (const wire of wires) {
    const decoded = decodeMessage(wire, contextOf(tx, { ...source, isAnswer: true }), source.cid)
    if (!decoded) continue
    writeAround(tx, decoded)
    messages.put(tx, withKnownPlace(tx, decoded.row))
  }
}

export function writeChannel(tx: Tx, wire: unknown, asOf: number): Cid | undefined {
  const decoded = decodeChannel(wire, contextOf(tx, { asOf }))
  if (!decoded) return undefined
  users.putMany(tx, decoded.users)
  return channels.put(tx, decoded.row).cid
}

export function writeMember(tx: Tx, wire: unknown, cid: string, asOf: number): void {
  const decoded = decodeMember(wire, contextOf(tx, { asOf }), cid)
  if (!decoded) return
  if (decoded.user) users.put(tx, decoded.user)
  members.put(tx, decoded.row)
}

export function writeUser(tx: Tx, wire: unknown, asOf: number): UserRow | undefined {
  const row = decodeUser(wire, contextOf(tx, { asOf }))
  if (row) users.put(tx, row)
  return row
}

/** The own user with the fields that only the viewer receives. */
export function writeMe(tx: Tx, wire: unknown, asOf: number): void {
  const facts = decodeOwnUser(wire, contextOf(tx, { asOf, isAnswer: true }))
  if (!facts) return
  users.put(tx, facts.user)
  if (facts.userMutes) mutes.replace(tx, 'user', facts.userMutes)
  if (facts.channelMutes) mutes.replace(tx, 'channel', facts.channelMutes)
  if (facts.blockedUserIds) {
    const blocked = facts.blockedUserIds.map((target) => ({ target }))
    const before = blocks.blockedIds(tx)
    mutes.replace(tx, 'block', blocked)
    blocks.changed(tx, before)
  }
}

/** A poll from the response to our own vote. */
export function writePoll(tx: Tx, wire: unknown, asOf: number): void {
  const decoded = decodePoll(wire, contextOf(tx, { asOf, isAnswer: true }))
  if (!decoded) return
  users.putMany(tx, decoded.users)
  polls.put(tx, decoded.row)
}

/** Stores `watcher_count` whenever an event carries it. See docs/wire.md 4.1. */
export function noteWatchers(
  event: { readonly cid: string; readonly watcher_count?: number },
  context: Pick<ApplyContext, 'memory' | 'collector' | 'live'>,
): void {
  if (!context.live || event.watcher_count === undefined) return
  const cid = asCid(event.cid)
  if (context.memory.watchers.get(cid) === event.watcher_count) return
  context.memory.watchers.set(cid, event.watcher_count)
  context.collector.touch('channels', cid)
}

/**
 * Watching began with this response or earlier, so messages stored after its last one were received since, without a gap:
 * they join the range.
 */
function joinReceived(tx: Tx, scope: RangeScope): void {
  const known = ranges.of(tx, scope)
  const newest = pages.newest(tx, scope, 1)[0]
  if (newest === undefined) return
  const page = known.findLast((range) => range.last.createdAt < newest.createdAt || range.last.id === newest.id)
  if (page === undefined || page.last.id === newest.id) return
  const received = pages.after(tx, scope, page.last, 1_000)
  ranges.merge(tx, scope, { kind: 'newer', cursor: page.last }, received, received.length + 1)
}

/** The server's times have microseconds. */
const STEP = 0.001

/** A message without a plausible time keeps its position once it has one. */
function withKnownPlace(reader: Reader, row: MessageRow): MessageRow {
  const stored = row.timeUnsure === true ? messages.byId(reader, row.id) : undefined
  return stored ? { ...row, createdAt: stored.createdAt, timeUnsure: stored.timeUnsure } : row
}

/**
 * Messages of a page without a plausible time get positions between their neighbors, because the page is in the server's
 * order: right after the message before them, else right before the one after. So they never extend beyond what the page
 * proves. A message that is already between the same neighbors keeps its position.
 */
function placed(reader: Reader, rows: readonly MessageRow[], query: PageQuery): readonly MessageRow[] {
  if (!rows.some((row) => row.timeUnsure === true)) return rows
  const known = rows.map((row) => withKnownPlace(reader, row))
  const held = new Set(known.filter((row, index) => row !== rows[index]).map(({ id }) => id))
  const sure = known.filter((row) => row.timeUnsure !== true)
  const isDescending = (sure[0]?.createdAt ?? 0) > (sure.at(-1)?.createdAt ?? 0)
  let before = query.kind === 'newer' ? query.cursor.createdAt : Number.NEGATIVE_INFINITY
  const beyond = query.kind === 'older' ? query.cursor.createdAt : Number.POSITIVE_INFINITY
  return (isDescending ? known.toReversed() : known).map((row, index, all) => {
    if (row.timeUnsure !== true) {
      before = row.createdAt
      return row
    }
    const next = all.findIndex((each, at) => at > index && each.timeUnsure !== true)
    const gap = { before, next: all[next]?.createdAt ?? beyond, left: (next < 0 ? all.length : next) - index }
    const stays = held.has(row.id) && row.createdAt > gap.before && row.createdAt < gap.next
    before = stays ? row.createdAt : placeIn(gap, row.createdAt)
    return { ...row, createdAt: before }
  })
}

/** The first of `left` positions between two neighbors, of which one or both may be unknown. */
function placeIn(gap: { before: number; next: number; left: number }, otherwise: number): number {
  if (Number.isFinite(gap.before)) return Math.min(gap.before + STEP, gap.next)
  return Number.isFinite(gap.next) ? gap.next - STEP * gap.left : otherwise
}
