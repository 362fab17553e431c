import type { MessageType } from '#shared/domain/message.ts'

/** The fields a deletion reads and changes; the rows of both the cache and the server have them. */
type Deletable = {
  readonly type: MessageType
  readonly text: string
  readonly attachments: readonly unknown[]
  readonly deletedAt?: number
}

/** Soft deletion: the fields remain, the attachments are removed. See docs/wire.md 7.7. */
export function softDeleted<Row extends Deletable>(row: Row, deletedAt: number): Row {
  if (row.type === 'deleted') return row
  return { ...row, type: 'deleted', attachments: [], deletedAt }
}

/** The fields of a message that a hard deletion clears. */
type HardDeletable = Deletable & {
  readonly mentionedUserIds: readonly unknown[]
  readonly reach?: readonly unknown[]
  readonly latestReactions: readonly unknown[]
  readonly reactionGroups: readonly unknown[]
  readonly ownReactions?: readonly unknown[]
}

/**
 * Hard deletion, when a user is removed: only the position of the message remains (id, channel, parent, author, times,
 * replies). See docs/wire.md 7.7.
 */
export function hardDeleted<Row extends HardDeletable>(row: Row, deletedAt: number): Row {
  if (row.type === 'deleted' && row.text === '') return row
  return {
    ...row,
    type: 'deleted',
    text: '',
    attachments: [],
    mentionedUserIds: [],
    reach: undefined,
    latestReactions: [],
    reactionGroups: [],
    ownReactions: [],
    deletedAt,
  }
}
