import type { MessageType } from '#shared/domain/message.ts'

/** What a deletion looks at and changes; both the cache's rows and the server's fit. */
type Deletable = {
  readonly type: MessageType
  readonly text: string
  readonly attachments: readonly unknown[]
  readonly deletedAt?: number | undefined
}

/** Soft: the fields stay, the attachments go. See docs/wire.md 7.7;. */
export function softDeleted<Row extends Deletable>(row: Row, deletedAt: number): Row {
  if (row.type === 'deleted') return row
  return { ...row, type: 'deleted', attachments: [], deletedAt }
}

/** What is left of a message after its author was removed with all messages. */
type HardDeletable = Deletable & {
  readonly mentionedUserIds: readonly unknown[]
  readonly reach?: readonly unknown[] | undefined
  readonly latestReactions: readonly unknown[]
  readonly reactionGroups: readonly unknown[]
  readonly ownReactions?: readonly unknown[] | undefined
}

/**
 * Hard, when a user is removed: only the place of the message stays (id, channel, parent, author, times, replies).
 * See docs/wire.md 7.7.
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
