import type { Attachment } from '#shared/domain/attachment.ts'
import type { Message } from '#shared/domain/message.ts'
import type { MessageId } from '#shared/lib/brand.ts'
import { MAX_FILES_PER_MESSAGE } from '#shared/constants.ts'

/** A file of a message: the message id and the index of the attachment. */
export type FileRef = { readonly messageId: MessageId; readonly index: number }

/** Whether a file can be forwarded: the server has its bytes. Link previews are created again from the text. */
const isFile = ({ kind, hasMedia }: Attachment): boolean => hasMedia && kind !== 'link' && kind !== 'other'

/**
 * The files to forward with messages: the same URL in another message, so nothing is uploaded again. At most as many as
 * one message can have; the text names the rest.
 */
export function filesToForward(messages: readonly Pick<Message, 'id' | 'attachments'>[]): readonly FileRef[] {
  return messages
    .flatMap(({ id, attachments }) => attachments.filter(isFile).map(({ index }) => ({ messageId: id, index })))
    .slice(0, MAX_FILES_PER_MESSAGE)
}
