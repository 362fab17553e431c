import * as v from 'valibot'
import type { DryRunHit, DryRunStep } from '#shared/domain/manage/rules.ts'
import { AppError } from '#shared/lib/app-error.ts'
import { asCid, type Cid } from '#shared/lib/brand.ts'
import type { Placed } from '#shared/lib/order.ts'
import type { Decide } from '#shared/rules/moderation/decide.ts'
import * as channels from '#main/cache/channels/channels.ts'
import { walk, type WalkedMessage } from '#main/cache/messages/walk.ts'
import * as users from '#main/cache/people/users.ts'
import type { Reader } from '#main/cache/tx.ts'

/** Messages per step: one step takes a few milliseconds, and others get their turn in between. */
const STEP = 400
const END: Placed = { createdAt: Number.MAX_SAFE_INTEGER, id: '\u{10FFFF}' }

const placeShape = v.object({
  cid: v.pipe(v.string(), v.maxLength(129), v.transform(asCid)),
  beside: v.boolean(),
  at: v.pipe(v.number(), v.finite()),
  id: v.pipe(v.string(), v.maxLength(255)),
})

type Place = { readonly cid: Cid; readonly beside: boolean; readonly before: Placed }

/** Where a step continues, in a form that a window hands back. */
function readPlace(from: string): Place {
  try {
    const { cid, beside, at, id } = v.parse(placeShape, JSON.parse(from))
    return { cid, beside, before: { createdAt: at, id } }
  } catch (cause) {
    throw new AppError('internal', { detail: 'not a place of a dry run', cause })
  }
}

const writePlace = ({ cid, beside, before }: Place): string =>
  JSON.stringify({ cid, beside, at: before.createdAt, id: before.id })

/**
 * Looks at the next stored messages: which of them the rule `id` decides about. Writes nothing.
 *
 * @param from where the previous step ended; absent: at the beginning
 */
export function dryRunStep(
  reader: Reader,
  decide: Decide,
  id: string,
  { since = 0, from }: { readonly since?: number; readonly from?: string },
): DryRunStep {
  let place = from === undefined ? nextPlace(reader) : readPlace(from)
  const read: WalkedMessage[] = []
  while (place !== undefined && read.length < STEP) {
    const wanted = STEP - read.length
    const rows = walk(reader, { ...place, since }, wanted)
    read.push(...rows)
    const last = rows.at(-1)
    place = last !== undefined && rows.length === wanted ? { ...place, before: last } : nextPlace(reader, place)
  }
  const readable = read.filter(({ type }) => type === 'regular' || type === 'reply')
  return {
    hits: hitsAmong(reader, decide, id, readable),
    checked: readable.length,
    unreadable: read.filter(({ type }) => type === 'deleted').length,
    cids: [...new Set(readable.map(({ cid }) => cid))],
    next: place && writePlace(place),
  }
}

/** First the timeline of a channel, then its replies that are not in it, then the next channel. */
function nextPlace(reader: Reader, place?: Place): Place | undefined {
  if (place !== undefined && !place.beside) return { cid: place.cid, beside: true, before: END }
  const cid = channels.cidAfter(reader, place?.cid)
  return cid === undefined ? undefined : { cid, beside: false, before: END }
}

function hitsAmong(reader: Reader, decide: Decide, id: string, read: readonly WalkedMessage[]): DryRunHit[] {
  const authors = new Map(
    users.byIds(reader, [...new Set(read.map(({ userId }) => userId))]).map((row) => [row.id, row]),
  )
  return read.flatMap(({ id: messageId, cid, userId, text, attachments, createdAt }): DryRunHit[] => {
    const author = authors.get(userId)
    const decision = decide({
      text,
      attachments,
      cid,
      role: author?.role ?? 'user',
      joinedAt: author?.createdAt,
      at: createdAt,
    })
    if (decision?.rule.id !== id) return []
    return [{ messageId, cid, userId, text, at: createdAt, ranges: decision.ranges }]
  })
}
