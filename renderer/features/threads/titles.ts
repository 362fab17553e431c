import { excerpt } from '#shared/rules/messages/text.ts'
import { useTexts } from '../../i18n/index.ts'
import { cleanName, shownText } from '#shared/lib/clean-text.ts'
import { useAppSelector, useChannel } from '../../store/hooks.ts'
import { selectMessage } from '../../store/selectors.ts'
import { channelTitle } from '../sidebar/index.ts'
import { useLineOf } from '../attachments/index.ts'

const TITLE_LENGTH = 60

/** Its name, or the start of its text. */
export function useThreadTitle(parentId: string): string {
  const t = useTexts('thread')
  const lineOf = useLineOf()
  const message = useAppSelector((state) => selectMessage(state, parentId))
  if (message === undefined) return t('untitled')
  const title = cleanName(shownText(message.thread?.title ?? ''))
  return title === '' ? excerpt(lineOf(message), TITLE_LENGTH) : title
}

/** `#release-4-2`, or the names of a conversation between people. */
export function usePlaceName(cid: string): string {
  const channel = useChannel(cid)
  const title = useAppSelector((state) => channelTitle(state, cid))
  if (channel === undefined || title === '') return title
  return channel.directUserIds.length > 0 ? title : `#${title}`
}
