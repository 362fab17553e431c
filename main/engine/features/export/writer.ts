import type { Channel } from '#shared/domain/channel.ts'
import type { ExportSpan } from '#shared/domain/export.ts'
import type { Attachment } from '#shared/domain/attachment.ts'
import type { Message } from '#shared/domain/message.ts'
import type { Poll } from '#shared/domain/poll.ts'
import { REACTION_CODES } from '#shared/rules/messages/emoji.ts'
import type { Mentionable } from '#shared/rules/messages/mentions.ts'

/** A file of the export, next to its main file. */
export type ExportedFile = {
  /** With slashes, seen from the main file. */
  readonly path: string
  /** By its bytes. */
  readonly mimeType: string
  /** Whether a click on it is harmless: it is what its name says, and no page or program. */
  readonly opens: boolean
}

/** A message, and what it refers to. */
export type Exported = {
  readonly message: Message
  /** The name of its author. */
  readonly author: string
  readonly poll?: Poll
  readonly quote?: {
    readonly author: string
    readonly text: string
    readonly deleted: boolean
    readonly kind?: string
    /** The quoted message is in this export too. */
    readonly id?: string
  }
  /** Its attachments, with the file of each that is included. */
  readonly files: readonly { readonly attachment: Attachment; readonly file?: ExportedFile }[]
  readonly mentioned: readonly Mentionable[]
}

/** What stands above the messages of a channel. */
type Heading = {
  readonly channel: Channel
  /** The name as windows show it; a direct conversation is named after its people. */
  readonly name: string
  readonly span: ExportSpan
  readonly missingBefore?: number
}

/** Writes one format, from its first line to its last. */
export type ExportWriter = {
  begin(): Iterable<string>
  channel(heading: Heading): string
  message(exported: Exported): string
  /** Around the replies of the message before, in formats that have them under it. */
  beginThread?(): string
  endThread?(): string
  endOfChannel(): string
  end(): string
}

/** Keys of `page` in the locale file of the data settings. */
type ExportText =
  | 'exported'
  | 'period.all'
  | 'period.from'
  | 'period.until'
  | 'period.between'
  | 'missingBefore'
  | 'edited'
  | 'pinned'
  | 'deleted'
  | 'thread'
  | 'replyElsewhere'
  | 'notIncluded'
  | 'notIncludedSized'
  | 'poll'
  | 'closed'
  | 'votes'
  | 'location'
  | 'noTime'
  | 'contents.image'
  | 'contents.video'
  | 'contents.audio'
  | 'contents.voiceRecording'
  | 'contents.file'
  | 'contents.giphy'
  | 'contents.link'
  | 'contents.poll'
  | 'contents.location'
  | 'contents.other'

/** Texts and dates in the language of the viewer. Times are local. */
export type ExportWords = {
  readonly language: string
  readonly text: (key: ExportText, params?: Readonly<Record<string, string | number>>) => string
  /** A day with its year. */
  readonly day: (at: number) => string
  readonly time: (at: number) => string
  readonly bytes: (bytes: number) => string
}

export const iso = (at: number): string => new Date(at).toISOString()

/** The emoji of a reaction; `:name:` for one of the workspace. */
export const reactionText = (type: string): string =>
  REACTION_CODES[type.toLowerCase()] ?? (/^[a-z0-9_+-]+$/i.test(type) ? `:${type}:` : type)

/** The period of a heading, in words; `until` is not part of it. */
export function periodText({ from, until }: ExportSpan, { text, day }: ExportWords): string {
  const last = until === undefined ? undefined : until - 1
  if (from === undefined && last === undefined) return text('period.all')
  if (last === undefined) return text('period.from', { from: day(from ?? 0) })
  if (from === undefined) return text('period.until', { to: day(last) })
  return text('period.between', { from: day(from), to: day(last) })
}

/** A file that is named only: its name, and its size where that is known. */
export function notIncluded({ title, kind, sizeBytes }: Attachment, { text, bytes }: ExportWords): string {
  const name = title ?? text(`contents.${kind}`)
  return sizeBytes === undefined
    ? text('notIncluded', { name })
    : text('notIncludedSized', { name, size: bytes(sizeBytes) })
}

/** A day as `2026-11-22`, in local time. */
export function dayKey(at: number): string {
  const date = new Date(at)
  const two = (value: number): string => String(value).padStart(2, '0')
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}

export const clockKey = (at: number): string => {
  const date = new Date(at)
  return [date.getHours(), date.getMinutes()].map((part) => String(part).padStart(2, '0')).join(':')
}
