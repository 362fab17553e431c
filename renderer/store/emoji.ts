import { createSelector } from '@reduxjs/toolkit'
import type { CustomEmoji, EmojiTerms } from '#shared/domain/emoji.ts'
import type { AppState } from './store.ts'

const selectTable = (state: AppState): Readonly<Record<string, CustomEmoji>> => state.entities.emoji

/** Custom emoji of the workspace. */
export const selectEmojiList = createSelector([selectTable], (table): readonly CustomEmoji[] => Object.values(table))

/** The same by every name they have. */
export const selectEmojiByName = createSelector(
  [selectEmojiList],
  (list): ReadonlyMap<string, CustomEmoji> =>
    new Map(list.flatMap((emoji) => [...emoji.aliases, emoji.name].map((name) => [name, emoji]))),
)

/** What the workspace says of custom emoji; absent where it has none, and then nothing of them is shown. */
export const selectEmojiTerms = (state: AppState): EmojiTerms | undefined => state.entities.emojiTerms['self']
