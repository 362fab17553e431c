import type { Upload } from '../../domain/attachment.ts'
import type { Issue } from '../../lib/app-error.ts'
import { MAX_FILES_PER_MESSAGE } from '../../constants.ts'
import { isEmptyText, isLongerThan, textLength } from '../messages/text.ts'
import type { MessageId } from '../../lib/brand.ts'

type Sending = {
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
export function maySend({ text, uploads, maxLength, whenReady = false }: Sending): Issue[] {
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

export const DRAFT_HISTORY_DAYS = 7
/** Versions of one composer. */
export const MAX_DRAFT_VERSIONS = 100

/** How long a version is extended by additions and small corrections. */
const VERSION_MS = 5 * 60_000
/** Characters (and no more than a third of the text) that a correction may replace without starting a new version. */
const MENDED = 20

/**
 * What happens to the newest version when the composer contains `text`: additions and small corrections extend it;
 * deletions leave it unchanged, because it contains the deleted text; anything else starts a new version.
 */
export function nextVersion(
  last: { readonly text: string; readonly beganAt: number } | undefined,
  text: string,
  now: number,
): 'keep' | 'grow' | 'add' {
  if (text.trim() === '' || text === last?.text) return 'keep'
  if (last === undefined) return 'add'
  const same = sameEnds(last.text, text)
  if (same >= text.length) return 'keep'
  const mended = last.text.length - same
  const isSmall = mended <= Math.min(MENDED, last.text.length / 3) && text.length >= last.text.length
  const grows = same >= last.text.length
  return (grows || isSmall) && now - last.beganAt < VERSION_MS ? 'grow' : 'add'
}

/** Length of the common prefix plus the common suffix of two texts. */
function sameEnds(one: string, other: string): number {
  const most = Math.min(one.length, other.length)
  let begin = 0
  while (begin < most && one[begin] === other[begin]) begin += 1
  let end = 0
  while (end < most - begin && one[one.length - 1 - end] === other[other.length - 1 - end]) end += 1
  return begin + end
}

/** Text and attachments of a composer that would be sent. */
export type Composition = {
  readonly text: string
  readonly caret: number
  /** End of the selection, which begins at the caret. */
  readonly selectedTo?: number
  readonly quotedId?: MessageId
  readonly uploadIds: readonly string[]
  readonly showInChannel: boolean
}

/** A stored composition, whose absent fields may be explicitly `undefined`. */
type StoredComposition = Omit<Composition, 'quotedId' | 'selectedTo'> & {
  readonly quotedId?: MessageId
  readonly selectedTo?: number
}

export const EMPTY_COMPOSITION: Composition = { text: '', caret: 0, uploadIds: [], showInChannel: false }

/**
 * Merges two compositions into one composer: the first text, a blank line, the second; each file once; the later quote.
 */
export function mergeCompositions(first: StoredComposition, second: StoredComposition): Composition {
  const text = [first.text, second.text].filter((each) => each.trim() !== '').join('\n\n')
  const quotedId = second.quotedId ?? first.quotedId
  const selectedTo = text === second.text ? second.selectedTo : undefined
  return {
    text,
    caret: text === second.text ? second.caret : text.length,
    selectedTo,
    uploadIds: [...new Set([...first.uploadIds, ...second.uploadIds])],
    showInChannel: first.showInChannel || second.showInChannel,
    quotedId,
  }
}
