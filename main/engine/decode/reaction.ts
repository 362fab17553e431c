import { asUserId } from '#shared/lib/brand.ts'
import type { ReactionGroupRow, ReactionRow } from '#main/cache/rows.ts'
import { asWire, eachOf, idOf, nameOf, pastOf, tallyOf, type DecodeContext, type Wire } from './read.ts'

/** See docs/wire.md 6.5. Longer types are dropped. */
const TYPE_LIMIT = 30
const LATEST_LIMIT = 10
/** More kinds on one message are not plausible and could exhaust memory. */
const GROUPS_LIMIT = 1_000

function typeOf(value: unknown): string | undefined {
  const type = nameOf(value, TYPE_LIMIT + 1)
  return type === undefined || type.length > TYPE_LIMIT ? undefined : type
}

export function decodeReaction(value: unknown, context: DecodeContext): ReactionRow | undefined {
  const wire = asWire(value)
  const type = typeOf(wire?.['type'])
  const userId = idOf(wire?.['user_id']) ?? idOf(asWire(wire?.['user'])?.['id'])
  if (!wire || type === undefined || userId === undefined) {
    context.dropped?.('reaction')
    return undefined
  }
  const createdAt = pastOf(wire['created_at'], context) ?? context.asOf
  return { type, userId: asUserId(userId), score: tallyOf(wire['score']) ?? 1, createdAt }
}

export function decodeLatestReactions(value: unknown, context: DecodeContext): readonly ReactionRow[] {
  return eachOf(value, (item) => decodeReaction(item, context), LATEST_LIMIT)
}

/** Types that the viewer gave. `undefined` if the copy does not say: a broadcast, or the list is missing. */
export function decodeOwnReactions(value: unknown, context: DecodeContext): readonly string[] | undefined {
  if (!context.isAnswer || value === undefined) return undefined
  const own = eachOf(value, (item) => decodeReaction(item, context)).filter((one) => one.userId === context.viewerId)
  return [...new Set(own.map((one) => one.type))].toSorted()
}

/** Groups in the order of their first reaction; from the older count maps if a server sends no groups. */
export function decodeReactionGroups(message: Wire, context: DecodeContext): readonly ReactionGroupRow[] {
  const groups = asWire(message['reaction_groups'])
  const entries = groups ? groupsOf(groups, context) : legacyGroups(message, context)
  return entries
    .filter((group) => group.count > 0)
    .toSorted((a, b) => a.firstAt - b.firstAt || (a.type < b.type ? -1 : 1))
    .slice(0, GROUPS_LIMIT)
}

function groupsOf(groups: Wire, context: DecodeContext): readonly ReactionGroupRow[] {
  return Object.entries(groups).flatMap(([key, value]) => {
    const type = typeOf(key)
    const wire = asWire(value)
    if (type === undefined || !wire) {
      context.dropped?.('reaction-group')
      return []
    }
    const count = tallyOf(wire['count']) ?? 0
    const firstAt = pastOf(wire['first_reaction_at'], context) ?? context.asOf
    const lastAt = pastOf(wire['last_reaction_at'], context) ?? firstAt
    return [{ type, count, sumScores: tallyOf(wire['sum_scores']) ?? count, firstAt, lastAt }]
  })
}

/** See docs/wire.md 5.1, row `reaction_counts`. Times are only known from the latest reactions. */
function legacyGroups(message: Wire, context: DecodeContext): readonly ReactionGroupRow[] {
  const counts = asWire(message['reaction_counts']) ?? {}
  const scores = asWire(message['reaction_scores']) ?? {}
  const latest = decodeLatestReactions(message['latest_reactions'], context)
  const fallbackAt = pastOf(message['created_at'], context) ?? context.asOf
  return Object.entries(counts).flatMap(([key, value]) => {
    const type = typeOf(key)
    const count = tallyOf(value)
    if (type === undefined || count === undefined) return []
    const times = latest.filter((one) => one.type === type).map((one) => one.createdAt)
    const [firstAt, lastAt] = times.length > 0 ? [Math.min(...times), Math.max(...times)] : [fallbackAt, fallbackAt]
    return [{ type, count, sumScores: tallyOf(scores[key]) ?? count, firstAt, lastAt }]
  })
}
