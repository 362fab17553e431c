import type { Message } from '#shared/domain/message.ts'
import { excerpt } from '#shared/rules/messages/text.ts'
import { useTexts } from '../../i18n/index.ts'
import { cleanName, shownText } from '#shared/lib/clean-text.ts'
import { useAppSelector, useChannel } from '../../store/hooks.ts'
import { selectMessage } from '../../store/selectors.ts'
import { channelTitle } from '../sidebar/index.ts'
import { oneLine } from '../messages/index.ts'

const TITLE_LENGTH = 60

/** The text of a message in one line; without text, what it contains. */
export function useTextOf(): (message: Message) => string {
  const t = useTexts('thread')
  const messages = useTexts('messages')
  return (message) => {
    if (message.type === 'deleted') return messages('deleted')
    const text = oneLine(message.text)
    if (text !== '') return text
    if (message.pollId !== undefined) return t('inbox.poll')
    if (message.location !== undefined) return t('inbox.location')
    return t('inbox.files', { count: message.attachments.length + message.uploads.length })
  }
}

/** Its name, or the start of its text. */
export function useThreadTitle(parentId: string): string {
  const t = useTexts('thread')
  const textOf = useTextOf()
  const message = useAppSelector((state) => selectMessage(state, parentId))
  if (message === undefined) return t('untitled')
  const title = cleanName(shownText(message.thread?.title ?? ''))
  return title === '' ? excerpt(textOf(message), TITLE_LENGTH) : title
}

/** `#release-4-2`, or the names of a conversation between people. */
export function usePlaceName(cid: string): string {
  const channel = useChannel(cid)
  const title = useAppSelector((state) => channelTitle(state, cid))
  if (channel === undefined || title === '') return title
  return channel.directUserIds.length > 0 ? title : `#${title}`
}
