import { selectEmojiByName } from '../../store/emoji.ts'
import type { AppState } from '../../store/store.ts'
import { isDrawn } from './custom.ts'
import { readRecent } from './memory.ts'

/** Recent emoji that this workspace can show, newest first. Not a selector to cache: the recent ones are in local storage. */
export function recentIn(state: AppState): readonly string[] {
  const byName = selectEmojiByName(state)
  return readRecent().filter((emoji) => isDrawn(emoji, byName))
}
