import type { MessageRow } from '../rows.ts'

/** The newest time a message's own content speaks of: edits, pins and deletions move it, reactions and replies do not. */
const contentVersion = (row: MessageRow): number =>
  Math.max(row.updatedAt, row.createdAt, row.editedAt ?? 0, row.deletedAt ?? 0)

/**
 * The newest server time a copy's reactions are known to stand for. An answer only knows that it is not older than its
 * request; a reaction in it that was given later proves more.
 */
const socialVersion = (row: MessageRow): number =>
  Math.max(
    row.asOf,
    ...row.reactionGroups.map(({ lastAt }) => lastAt),
    ...row.latestReactions.map(({ createdAt }) => createdAt),
  )

/** The copy whose place counts where not both are sure: a time that is known, else where it was put last. */
function timedBy(stored: MessageRow, incoming: MessageRow): MessageRow | undefined {
  if (stored.timeUnsure !== true && incoming.timeUnsure !== true) return undefined
  return incoming.timeUnsure === true && stored.timeUnsure !== true ? stored : incoming
}

/**
 * Joins two copies of one message: the content of the one with the newer content, the reactions and replies of the one
 * that stands for the later server time. On a tie the incoming copy wins. What the incoming copy does not know (own
 * reactions in a broadcast) is kept.
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
