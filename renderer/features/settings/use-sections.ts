import { selectEmojiTerms } from '../../store/emoji.ts'
import { useAppSelector } from '../../store/hooks.ts'
import { SECTIONS } from './sections.ts'

/** The available pages: a server without custom emoji has no emoji page. */
export function useSections(): typeof SECTIONS {
  const hasEmoji = useAppSelector((state) => selectEmojiTerms(state) !== undefined)
  return hasEmoji ? SECTIONS : WITHOUT_EMOJI
}

const WITHOUT_EMOJI = SECTIONS.filter(({ name }) => name !== 'emoji')
