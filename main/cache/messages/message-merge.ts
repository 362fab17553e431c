import type { MessageRow } from '../rows.ts'

/** Time of a message's latest content change: edits, pins and deletions, not reactions and replies. */
const contentVersion = (row: MessageRow): number =>
  Math.max(row.updatedAt, row.createdAt, row.editedAt ?? 0, row.deletedAt ?? 0)

/**
 * The newest server time that a copy's reactions are known to include. A response is at least as new as its request; a
 * later reaction in it proves more.
 */
const socialVersion = (row: MessageRow): number =>
  Math.max(
    row.asOf,
    ...row.reactionGroups.map(({ lastAt }) => lastAt),
    ...row.latestReactions.map(({ createdAt }) => createdAt),
  )

/** The copy with the reliable time if one of them is unreliable, otherwise the most recent one. */
function timedBy(stored: MessageRow, incoming: MessageRow): MessageRow | undefined {
  if (stored.timeUnsure !== true && incoming.timeUnsure !== true) return undefined
  return incoming.timeUnsure === true && stored.timeUnsure !== true ? stored : incoming
}

/**
 * Merges two copies of one message: the content of the copy with newer content, the reactions and replies of the copy
 * with the later server time. On a tie the incoming copy wins. Fields missing in the incoming copy (own reactions in a
 * broadcast) keep their values.
 */
export function mergeMessage(stored: MessageRow, incoming: MessageRow): MessageRow {
  const content = contentVersion(incoming) >= contentVersion(stored) ? incoming : stored
  const social = socialVersion(incoming) >= socialVersion(stored) ? incoming : stored
  const timed = timedBy(stored, incoming) ?? content
  return {
    ...content,
    createdAt: timed.createdAt,
    timeUnsure: timed.timeUnsure,
    quoted: content.quoted ?? stored.quoted,
    reactionGroups: social.reactionGroups,
    latestReactions: social.latestReactions,
    ownReactions: social.ownReactions ?? stored.ownReactions ?? incoming.ownReactions,
    replyCount: social.replyCount,
    threadParticipantIds: social.threadParticipantIds,
    asOf: Math.max(stored.asOf, incoming.asOf),
  }
}
