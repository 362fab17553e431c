import type { Upload } from '#shared/domain/attachment.ts'
import type { Issue } from '../../lib/result.ts'
import { MAX_FILES_PER_MESSAGE } from '#shared/constants.ts'
import { isEmptyText, isLongerThan, textLength } from '../messages/text.ts'

type Composition = {
  readonly text: string
  /** Files in the composer, whatever their state. */
  readonly uploads: readonly Pick<Upload, 'state'>[]
  readonly maxLength: number
  /** The action "Send when ready": unfinished uploads no longer block the message, it waits for them. */
  readonly whenReady?: boolean
}

/**
 * Issues that prevent sending; empty means it can be sent. A quote alone is not enough: docs/wire.md 7.16 requires text
 * or a file.
 */
export function maySend({ text, uploads, maxLength, whenReady = false }: Composition): Issue[] {
  const issues: Issue[] = []
  const usable = uploads.filter((upload) => upload.state !== 'failed' && upload.state !== 'blocked')
  if (usable.length < uploads.length) issues.push({ code: 'composer/upload-failed', path: ['uploads'] })
  if (isEmptyText(text) && uploads.length === 0) issues.push({ code: 'composer/empty', path: ['text'] })
  if (isLongerThan(text, maxLength)) {
    issues.push({ code: 'composer/too-long', path: ['text'], params: { max: maxLength, length: textLength(text) } })
  }
  if (uploads.length > MAX_FILES_PER_MESSAGE) {
    issues.push({ code: 'composer/too-many-files', path: ['uploads'], params: { max: MAX_FILES_PER_MESSAGE } })
  }
  if (!whenReady && usable.some((upload) => upload.state !== 'finished')) {
    issues.push({ code: 'composer/uploads-in-progress', path: ['uploads'] })
  }
  return issues
}

/** An edit must not empty a message without attachments. */
export function mayEdit(text: string, maxLength: number, hasAttachments: boolean): Issue[] {
  const issues: Issue[] = []
  if (isEmptyText(text) && !hasAttachments) issues.push({ code: 'composer/empty', path: ['text'] })
  if (isLongerThan(text, maxLength)) {
    issues.push({ code: 'composer/too-long', path: ['text'], params: { max: maxLength, length: textLength(text) } })
  }
  return issues
}
