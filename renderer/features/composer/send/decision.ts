import type { Upload } from '#shared/domain/attachment.ts'
import type { CommandBar, CommandLack } from '#shared/rules/composer/commands.ts'
import { mayEdit, maySend } from '#shared/rules/composer/composer.ts'
import { textLength } from '#shared/rules/messages/text.ts'

/** What the send button is, in words. */
export type Decision =
  | { readonly kind: 'ready' }
  /** The program behind the window is gone: nothing can go, and nothing is lost. */
  | { readonly kind: 'stopped' }
  | { readonly kind: 'outbox' }
  | { readonly kind: 'save' }
  | { readonly kind: 'empty' }
  | { readonly kind: 'editEmpty' }
  | { readonly kind: 'editGone' }
  | { readonly kind: 'tooLong'; readonly by: number }
  /** `stuck`: it cannot be left to go by itself: a file beside those on their way has failed, or has no tile yet. */
  | { readonly kind: 'uploading'; readonly done: number; readonly all: number; readonly stuck: boolean }
  | { readonly kind: 'uploadFailed' }
  | { readonly kind: 'slow'; readonly seconds: number }
  /** The text is a command that cannot be used here now, or lacks something. */
  | { readonly kind: 'command'; readonly why: CommandBar | CommandLack }

export type Facts = {
  readonly text: string
  readonly uploads: readonly Pick<Upload, 'state'>[]
  /** Files that were chosen and have no tile yet; a picture's size is read first. */
  readonly coming?: number | undefined
  readonly maxLength: number
  readonly offline: boolean
  readonly stopped?: boolean
  /** Seconds until slow mode lets the next message through; 0 when it does. */
  readonly cooldown: number
  /** While a message is edited: whether it is still there, and whether it carries more than words. */
  readonly editing?: { readonly gone: boolean; readonly hasAttachments: boolean }
  /** What stands in the way of the command that the text is. */
  readonly command?: CommandBar | CommandLack
}

/** May this go now, and if not, why. Offline nothing waits for files: the outbox does. */
export function decide(facts: Facts): Decision {
  if (facts.stopped === true) return { kind: 'stopped' }
  const { text, uploads, coming = 0, maxLength, offline, cooldown, editing, command } = facts
  if (command !== undefined && editing?.gone !== true) return { kind: 'command', why: command }
  if (editing) return decideEdit(text, maxLength, editing)
  const codes = new Set(maySend({ text, uploads, maxLength, whenReady: offline }).map((issue) => issue.code))
  if (codes.has('composer/too-long')) return { kind: 'tooLong', by: textLength(text) - maxLength }
  if (coming > 0) {
    const { done, all } = progressOf(uploads)
    return { kind: 'uploading', done, all: all + coming, stuck: true }
  }
  if (codes.has('composer/uploads-in-progress')) return { kind: 'uploading', ...progressOf(uploads) }
  if (codes.has('composer/upload-failed')) return { kind: 'uploadFailed' }
  if (codes.has('composer/empty')) return { kind: 'empty' }
  if (codes.size > 0) return { kind: 'empty' }
  if (cooldown > 0) return { kind: 'slow', seconds: cooldown }
  return { kind: offline ? 'outbox' : 'ready' }
}

function decideEdit(
  text: string,
  maxLength: number,
  { gone, hasAttachments }: NonNullable<Facts['editing']>,
): Decision {
  if (gone) return { kind: 'editGone' }
  const codes = mayEdit(text, maxLength, hasAttachments).map((issue) => issue.code)
  if (codes.includes('composer/too-long')) return { kind: 'tooLong', by: textLength(text) - maxLength }
  return { kind: codes.length > 0 ? 'editEmpty' : 'save' }
}

function progressOf(uploads: readonly Pick<Upload, 'state'>[]): { done: number; all: number; stuck: boolean } {
  const usable = uploads.filter(({ state }) => state !== 'failed' && state !== 'blocked')
  return {
    done: usable.filter(({ state }) => state === 'finished').length,
    all: usable.length,
    stuck: usable.length < uploads.length,
  }
}

/** Shown from this share of the limit on. */
const COUNTER_FROM = 0.8

/** Characters left, negative beyond the limit; absent while there is plenty of room. */
export function lettersLeft(text: string, maxLength: number): number | undefined {
  const shownFrom = maxLength * COUNTER_FROM
  if (text.length < shownFrom) return undefined
  const length = textLength(text)
  return length < shownFrom ? undefined : maxLength - length
}

/** Whole seconds until the next message may go. See docs/wire.md 7.11 "cooldown". */
export function cooldownLeft(cooldown: number, lastOwnAt: number | undefined, now: number): number {
  if (cooldown <= 0 || lastOwnAt === undefined) return 0
  return Math.max(0, Math.round(cooldown - (now - lastOwnAt) / 1_000))
}
