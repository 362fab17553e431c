import type { Attachment } from '#shared/domain/attachment.ts'
import type { IconName } from '../../ui/Icon/icon-names.ts'
import { cleanName } from '#shared/lib/clean-text.ts'

/** Text keys of `messages.json` for attachments without a name. */
const LABEL_KEYS = {
  image: 'media.photo',
  giphy: 'media.photo',
  video: 'media.video',
  audio: 'media.audio',
  voiceRecording: 'media.voice',
  file: 'media.file',
  link: 'media.preview',
  other: 'media.file',
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
export const labelKeyOf = ({ kind }: Attachment): (typeof LABEL_KEYS)[keyof typeof LABEL_KEYS] => LABEL_KEYS[kind]

/** The attachment's own name without misleading characters; empty if it has none. */
export const ownName = (attachment: Attachment): string => cleanName(attachment.title ?? '')

/** The alt text; empty if there is none. */
export const altOf = ({ alt, text }: Attachment): string => cleanName(alt ?? text ?? '')

export const isPicture = ({ kind }: Attachment): boolean => kind === 'image' || kind === 'giphy'

/** By the MIME type from the sender, or by the file name. */
export const isPdf = ({ kind, mimeType, title }: Attachment): boolean =>
  kind === 'file' && (mimeType === 'application/pdf' || /\.pdf$/i.test(title ?? ''))
