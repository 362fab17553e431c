import { contentOf, type ContentKind, type Message } from '#shared/domain/message.ts'
import { cleanName, shownText } from '#shared/lib/clean-text.ts'
import { excerpt } from '#shared/rules/messages/text.ts'
import { useTexts } from '../../i18n/index.ts'
import { contentKeyOf } from './presentation.ts'

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
