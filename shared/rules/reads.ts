import type { Channel, ChannelReads } from '#shared/domain/channel.ts'
import type { MessageId, UserId } from '#shared/lib/brand.ts'

export type ReadMark = { readonly lastReadAt: number; readonly lastReadMessageId?: MessageId | undefined }

/** Read events go out only when the channel's configuration and the viewer's capabilities allow. Source: section 6. */
export function maySendRead(channel: {
  readonly config: Pick<Channel['config'], 'readEvents'>
  readonly capabilities: readonly string[]
}): boolean {
  return (
    channel.config.readEvents && (channel.capabilities.length === 0 || channel.capabilities.includes('read-events'))
  )
}

/** Reads never go back by themselves (invariant I12); only an explicit "mark unread" may. */
export function newestRead<Mark extends ReadMark>(known: Mark | undefined, incoming: Mark): Mark {
  return known !== undefined && known.lastReadAt >= incoming.lastReadAt ? known : incoming
}

/** Who, other than the viewer and the author, has read a message placed at `createdAt`. */
export function readersOf(reads: ChannelReads, createdAt: number, authorId: UserId): UserId[] {
  return reads.reads
    .filter((read) => read.userId !== authorId && read.lastReadAt >= createdAt)
    .map((read) => read.userId)
}
