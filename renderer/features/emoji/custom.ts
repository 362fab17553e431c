import { createSelector } from '@reduxjs/toolkit'
import type { CustomEmoji } from '#shared/domain/emoji.ts'
import { emojiCode, emojiNameIn } from '#shared/rules/messages/emoji.ts'
import { formatsFor } from '../../i18n/index.ts'
import { fold } from '../../lib/text/fold.ts'
import { selectEmojiByName, selectEmojiList } from '../../store/selectors.ts'
import { selectLanguage } from '../../store/language.ts'
import type { Emoji } from './emoji-list.ts'

/** Custom emoji as entries of the picker, sorted by name: `unicode` is `:name:`. */
export const selectCustomEntries = createSelector(
  [selectEmojiList, selectLanguage],
  (list, language): readonly Emoji[] => emojiByName(list, formatsFor(language).compare).map(lineOf),
)

/** Sorts custom emoji by name. */
export const emojiByName = (
  list: readonly CustomEmoji[],
  compare: (a: string, b: string) => number,
): readonly CustomEmoji[] => list.toSorted((a, b) => compare(a.name, b.name))

function lineOf({ name, aliases }: CustomEmoji): Emoji {
  const names = [name, ...aliases]
  return {
    unicode: emojiCode(name),
    label: name.replaceAll(/[_-]+/g, ' ').trim() || name,
    group: 'custom',
    names,
    tones: [],
    keywords: [...new Set(names.flatMap((each) => fold(each).split(/[_-]+/)))].filter((word) => word !== ''),
  }
}

/** Whether a recent emoji can be shown: a custom one may have been removed, or belong to another workspace. */
export const isDrawn = (emoji: string, byName: ReturnType<typeof selectEmojiByName>): boolean => {
  const name = emojiNameIn(emoji)
  return name === undefined || byName.has(name)
}

/** The reaction type of a picked emoji: the character, or the name of a custom emoji. */
export const reactionTypeOf = (emoji: string): string => emojiNameIn(emoji) ?? emoji
