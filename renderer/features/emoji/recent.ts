import { selectEmojiByName } from '../../store/emoji.ts'
import type { AppState } from '../../store/store.ts'
import { isDrawn } from './custom.ts'
import { readRecent } from './memory.ts'

/** Those picked last that can be drawn in this workspace, newest first. Not to be kept: picking is remembered beside it. */
export function recentIn(state: AppState): readonly string[] {
  const byName = selectEmojiByName(state)
  return readRecent().filter((emoji) => isDrawn(emoji, byName))
}
