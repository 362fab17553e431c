import type { Upload } from '#shared/domain/attachment.ts'
import type { CommandBar, CommandLack } from '#shared/rules/composer/commands.ts'
import { mayEdit, maySend } from '#shared/rules/composer/composer.ts'
import { textLength } from '#shared/rules/messages/text.ts'

/** What pressing Send would do, or why it is disabled. */
export type Decision =
  | { readonly kind: 'ready' }
  /** The main process is not running: nothing can be sent, and nothing is lost. `forGood`: not from this window. */
  | { readonly kind: 'stopped'; readonly forGood: boolean }
  | { readonly kind: 'outbox' }
  | { readonly kind: 'save' }
  | { readonly kind: 'empty' }
  | { readonly kind: 'editEmpty' }
  | { readonly kind: 'editGone' }
  | { readonly kind: 'tooLong'; readonly by: number }
  /** `stuck`: the message cannot be sent when ready, because a file has failed or has no tile yet. */
  | { readonly kind: 'uploading'; readonly done: number; readonly all: number; readonly stuck: boolean }
  | { readonly kind: 'uploadFailed' }
  | { readonly kind: 'slow'; readonly seconds: number }
  /** The text is a command that is not available here, or is incomplete. */
  | { readonly kind: 'command'; readonly why: CommandBar | CommandLack }

export type Facts = {
  readonly text: string
  readonly uploads: readonly Pick<Upload, 'state'>[]
  /** Number of chosen files without a tile yet; a picture's size is read first. */
  readonly coming?: number
  readonly maxLength: number
  readonly offline: boolean
  /** The main process is not running, or does not know this window anymore. */
  readonly stopped?: 'gone' | 'shut'
  /** Seconds until slow mode allows the next message; 0 when it does. */
  readonly cooldown: number
  /** Set while a message is edited. */
  readonly editing?: { readonly deleted: boolean; readonly hasAttachments: boolean }
  /** Why the command in the text cannot be used. */
  readonly command?: CommandBar | CommandLack
}

/** Whether the message can be sent now, and if not, why. Offline the outbox waits for the uploads. */
export function decide(facts: Facts): Decision {
  if (facts.stopped !== undefined) return { kind: 'stopped', forGood: facts.stopped === 'shut' }
  const { text, uploads, coming = 0, maxLength, offline, cooldown, editing, command } = facts
  if (command !== undefined && editing?.deleted !== true) return { kind: 'command', why: command }
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
  { deleted, hasAttachments }: NonNullable<Facts['editing']>,
): Decision {
  if (deleted) return { kind: 'editGone' }
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

/** Share of the limit from which the counter is shown. */
const COUNTER_FROM = 0.8

/** Characters left, negative beyond the limit; undefined below `COUNTER_FROM`. */
export function charactersLeft(text: string, maxLength: number): number | undefined {
  const shownFrom = maxLength * COUNTER_FROM
  if (text.length < shownFrom) return undefined
  const length = textLength(text)
  return length < shownFrom ? undefined : maxLength - length
}

/** Whole seconds until the next message may be sent. See docs/wire.md 7.11 "cooldown". */
export function cooldownLeft(cooldown: number, lastOwnAt: number | undefined, now: number): number {
  if (cooldown <= 0 || lastOwnAt === undefined) return 0
  return Math.max(0, Math.round(cooldown - (now - lastOwnAt) / 1_000))
}

/** Index at which the text exceeds the limit; the text's length when it does not. */
export function limitIn(text: string, maxLength: number): number {
  if (text.length <= maxLength || textLength(text) <= maxLength) return text.length
  return Array.from(text).slice(0, maxLength).join('').length
}
