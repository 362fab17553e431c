import type { Attachment } from '#shared/domain/attachment.ts'
import type { IconName } from '../../ui/Icon/icon-names.ts'
import { cleanName } from '#shared/lib/clean-text.ts'

/** Text keys of `messages.json` for what has no name of its own. */
const WORDS = {
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
export const wordOf = ({ kind }: Attachment): (typeof WORDS)[keyof typeof WORDS] => WORDS[kind]

/** The attachment's own name, cleaned of what could mislead; empty where it has none. */
export const ownName = (attachment: Attachment): string => cleanName(attachment.title ?? '')

/** What someone wrote for those who cannot see it; empty where no one did. */
export const altOf = ({ alt, text }: Attachment): string => cleanName(alt ?? text ?? '')

export const isPicture = ({ kind }: Attachment): boolean => kind === 'image' || kind === 'giphy'

/** By the type its sender's program gave, or by its name where there is none worth the word. */
export const isPdf = ({ kind, mimeType, title }: Attachment): boolean =>
  kind === 'file' && (mimeType === 'application/pdf' || /\.pdf$/i.test(title ?? ''))
