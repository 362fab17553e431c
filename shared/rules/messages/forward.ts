import type { Attachment } from '#shared/domain/attachment.ts'
import type { Message } from '#shared/domain/message.ts'
import type { MessageId } from '#shared/lib/brand.ts'
import { MAX_FILES_PER_MESSAGE } from '#shared/constants.ts'

/** One file of a message, by which message and its place there. */
export type FileRef = { readonly messageId: MessageId; readonly index: number }

/** A file can be passed on: the server has bytes of it. Previews of links are made again from the words. */
const isFile = ({ kind, hasMedia }: Attachment): boolean => hasMedia && kind !== 'link' && kind !== 'other'

/**
 * The files that go along when messages are passed on: the same address under another message, so nothing is uploaded
 * again. At most as many as one message carries; the words name what is left.
 */
export function filesToForward(messages: readonly Pick<Message, 'id' | 'attachments'>[]): readonly FileRef[] {
  return messages
    .flatMap(({ id, attachments }) => attachments.filter(isFile).map(({ index }) => ({ messageId: id, index })))
    .slice(0, MAX_FILES_PER_MESSAGE)
}
