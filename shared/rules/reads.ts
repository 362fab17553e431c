import type { Channel } from '#shared/domain/channel.ts'
import type { MessageId } from '#shared/lib/brand.ts'

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
