import { useState } from 'react'
import { type ContentKind, contentOf, type Message } from '#shared/domain/message.ts'
import type { Attachment } from '#shared/domain/attachment.ts'
import { cleanName, shownText } from '#shared/lib/clean-text.ts'
import { endingOf, runsWhenOpened } from '#shared/rules/uploads/uploads.ts'
import { excerpt } from '#shared/rules/messages/text.ts'
import { isChosen } from '#shared/rules/channels/channels.ts'
import type { Cid } from '#shared/lib/brand.ts'
import type { IconName } from '../../ui/Icon/Icon.tsx'
import { useTexts } from '../../i18n/index.ts'
import { useAppSelector, useObject, useSetting } from '../../store/hooks.ts'
import { perAccount } from '../../store/objects.ts'
import { selectSession, selectSettings } from '../../store/selectors.ts'

/** The frame of an image, known before it loads, so that nothing moves when it does. CSS pixels. */
type Box = { readonly width: number; readonly height: number }

/** The image's own aspect ratio, at most 420 x 320. */
const MAX: Box = { width: 420, height: 320 }
/** Unknown sizes get a 4:3 frame. */
const UNKNOWN: Box = { width: 320, height: 240 }
/** Minimum side of the frame, so that a very long or flat image can be clicked; it is cropped. */
const LEAST = 72

export function boxOf(attachment: Pick<Attachment, 'width' | 'height'>): Box {
  const { width, height } = attachment
  if (width === undefined || height === undefined || !(width > 0) || !(height > 0)) return UNKNOWN
  const scale = Math.min(1, MAX.width / width, MAX.height / height)
  return {
    width: Math.max(LEAST, Math.round(width * scale)),
    height: Math.max(LEAST, Math.round(height * scale)),
  }
}

const ELLIPSIS = '…'
/** Characters before the extension that stay visible. */
const TAIL = 5

/**
 * A file name shortened in the middle to fit in `room`: its end with the extension stays. `widthOf` measures the part of
 * the name between two positions, `dots` is the width of an ellipsis. The whole name if it fits.
 */
export function middleCut(
  name: string,
  room: number,
  { widthOf, dots }: { readonly widthOf: (from: number, to: number) => number; readonly dots: number },
): string {
  if (widthOf(0, name.length) <= room) return name
  const dot = name.lastIndexOf('.')
  const ending = dot > 0 && name.length - dot <= 8 ? name.length - dot : 0
  const starts = [...new Intl.Segmenter().segment(name)].map(({ index }) => index)
  const tail = starts.find((at) => at >= name.length - ending - TAIL) ?? name.length
  const left = room - dots - widthOf(tail, name.length)
  const head = starts.findLast((at) => at <= tail && widthOf(0, at) <= left) ?? 0
  return `${name.slice(0, head).trimEnd()}${ELLIPSIS}${name.slice(tail)}`
}

/** The extension on the file's tile; empty if it has more than four letters. */
export function tileEnding(name: string): string {
  const match = /\.([\p{L}\p{N}]{1,4})$/u.exec(name)
  return (match?.[1] ?? '').toUpperCase()
}

/** `count` bars of a voice recording, each the maximum of its part. Quiet parts have a visible minimum. */
export function barsOf(waveform: readonly number[], count: number): readonly number[] {
  if (waveform.length === 0) return Array.from({ length: count }, () => 0.15)
  return Array.from({ length: count }, (_, index) => {
    const from = Math.floor((index * waveform.length) / count)
    const to = Math.max(from + 1, Math.floor(((index + 1) * waveform.length) / count))
    return Math.min(1, Math.max(0.12, ...waveform.slice(from, to)))
  })
}

/** `0:47`, `1:02:09`: seconds as a player shows them. */
export function clockOf(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds))
  const pad = (value: number): string => String(value).padStart(2, '0')
  const hours = Math.floor(whole / 3600)
  const minutes = Math.floor((whole % 3600) / 60)
  return hours > 0 ? `${hours}:${pad(minutes)}:${pad(whole % 60)}` : `${minutes}:${pad(whole % 60)}`
}

/** Text keys of `messages.json` for attachments without a name, and for what else a message without text can be. */
const LABEL_KEYS = {
  image: 'media.photo',
  giphy: 'media.photo',
  video: 'media.video',
  audio: 'media.audio',
  voiceRecording: 'media.voice',
  file: 'media.file',
  link: 'media.preview',
  other: 'media.file',
  poll: 'media.poll',
  location: 'media.location',
} as const

const ICONS: Readonly<Record<Attachment['kind'], IconName>> = {
  image: 'image',
  giphy: 'image',
  video: 'video',
  audio: 'volume',
  voiceRecording: 'mic',
  file: 'file',
  link: 'file',
  other: 'file',
}

export const iconOf = ({ kind }: Attachment): IconName => ICONS[kind]
type LabelKey = (typeof LABEL_KEYS)[ContentKind]
export const labelKeyOf = ({ kind }: Attachment): LabelKey => LABEL_KEYS[kind]
export const contentKeyOf = (content: ContentKind): LabelKey => LABEL_KEYS[content]

/** The attachment's own name without misleading characters; empty if it has none. */
export const ownName = (attachment: Attachment): string => cleanName(attachment.title ?? '')

/** The alt text; empty if there is none. */
export const altOf = ({ alt, text }: Attachment): string => cleanName(alt ?? text ?? '')

export const isPicture = ({ kind }: Attachment): boolean => kind === 'image' || kind === 'giphy'

/** Whether it may be animated, by the MIME type from the sender or by the file name; of a link preview neither is known. */
export const mayMove = ({ kind, mimeType = '', title = '' }: Attachment): boolean =>
  kind === 'giphy' || kind === 'link' || /^image\/(?:gif|webp|avif|apng)$/.test(mimeType) || MOVING_FILE.test(title)
const MOVING_FILE = /\.(?:gif|webp|avif|apng)$/i

/** By the MIME type from the sender, or by the file name. */
export const isPdf = ({ kind, mimeType, title }: Attachment): boolean =>
  kind === 'file' && (mimeType === 'application/pdf' || /\.pdf$/i.test(title ?? ''))

/**
 * Whether another app may be offered for it. Media and PDFs without an extension get that of their type when they are
 * opened.
 */
export function opensElsewhere(attachment: Attachment): boolean {
  const name = ownName(attachment)
  return endingOf(name) === undefined ? attachment.kind !== 'file' || isPdf(attachment) : !runsWhenOpened(name)
}

/** The reference of an attachment's media for `Bridge.mediaUrl`. */
export const mediaRef = (messageId: string, index: number): string => `att/${messageId}.${index}`

type Texts = ReturnType<typeof useTexts<'messages'>>

/** The start of a text without formatting. Long texts are cut first. */
export const oneLine = (text: string): string => excerpt(shownText(text.slice(0, 300)), 200)

/** A message in one line: its text without formatting; without text, what it contains. */
export function lineOf(message: Message, t: Texts): string {
  if (message.type === 'deleted') return t('deleted')
  const text = oneLine(message.text)
  if (text !== '') return text
  const { attachments, uploads } = message
  const files = [...attachments, ...uploads.map(({ kind, name }) => ({ kind, title: name }))]
  return contentsOf({ content: contentOf({ ...message, attachments: files }), files: files.length, ...files[0] }, t)
}

export function useLineOf(): (message: Message) => string {
  const t = useTexts('messages')
  return (message) => lineOf(message, t)
}

type Contents = {
  readonly content?: ContentKind
  /** Number of attachments. */
  readonly files: number
  /** Name of the first one. */
  readonly title?: string
}

/** What a message without text contains: how many files, the name of its only file, or its kind. */
function contentsOf({ content = 'file', files, title = '' }: Contents, t: Texts): string {
  if (files > 1) return t('media.files', { count: files })
  const name = NAMELESS.includes(content) ? '' : cleanName(title)
  return name === '' ? t(contentKeyOf(content)) : name
}

export function useContentsOf(): (contents: Contents) => string {
  const t = useTexts('messages')
  return (contents) => contentsOf(contents, t)
}

/** The name of a photo or a recording is made up by a device. */
const NAMELESS: readonly ContentKind[] = ['poll', 'location', 'image', 'giphy', 'voiceRecording']

/** Whether images, videos and link previews of this channel are hidden, and loaded only when unfolded one by one. */
export const useHidesMedia = (cid: Cid | undefined): boolean =>
  useAppSelector((state) => cid !== undefined && isChosen(selectSettings(state).hiddenMedia, selectSession(state), cid))

/** Whether a small picture is not loaded: media of its channel are hidden, and it was not unfolded. */
export function useThumbHidden(cid: Cid, ref: string): boolean {
  const unfolded = useObject(UNFOLDED)
  return useHidesMedia(cid) && !unfolded.has(ref)
}

/** Whether a picture is blurred, because the user chose so and has not clicked it yet. */
export function useBlurred(ref: string): { readonly isBlurred: boolean; readonly show: () => void } {
  const isChosen = useSetting('blurMedia')
  const unfolded = useObject(UNFOLDED)
  const [isShown, setShown] = useState(() => unfolded.has(ref))
  return {
    isBlurred: isChosen && !isShown,
    show: () => {
      unfolded.set(ref, true)
      setShown(true)
    },
  }
}

const MAX_UNFOLDED = 500

/** The attachments that were unfolded or shown sharp, so that a row that scrolls back into view is as it was. By reference, see `mediaRef`. */
class Unfolded {
  readonly #refs = new Set<string>()

  has = (ref: string): boolean => this.#refs.has(ref)

  set(ref: string, isOpen: boolean): void {
    this.#refs.delete(ref)
    if (isOpen) this.#refs.add(ref)
    const oldest = this.#refs.size > MAX_UNFOLDED ? this.#refs.values().next().value : undefined
    if (oldest !== undefined) this.#refs.delete(oldest)
  }
}

export const UNFOLDED = perAccount(() => new Unfolded())
