import { createSelector } from '@reduxjs/toolkit'
import type { CustomEmoji, EmojiTerms } from '#shared/domain/emoji.ts'
import type { AppState } from './store.ts'

const selectTable = (state: AppState): Readonly<Record<string, CustomEmoji>> => state.entities.emoji

/** Custom emoji of the workspace. */
export const selectEmojiList = createSelector([selectTable], (table): readonly CustomEmoji[] => Object.values(table))

/** Custom emoji by name and alias. */
export const selectEmojiByName = createSelector(
  [selectEmojiList],
  (list): ReadonlyMap<string, CustomEmoji> =>
    new Map(list.flatMap((emoji) => [...emoji.aliases, emoji.name].map((name) => [name, emoji]))),
)

/** The workspace's rules for custom emoji; absent if it does not support them. */
export const selectEmojiTerms = (state: AppState): EmojiTerms | undefined => state.entities.emojiTerms['self']
