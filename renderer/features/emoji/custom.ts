import { createSelector } from '@reduxjs/toolkit'
import type { CustomEmoji } from '#shared/domain/emoji.ts'
import { emojiCode, emojiNameIn } from '#shared/rules/messages/emoji.ts'
import { formatsFor } from '../../i18n/index.ts'
import { fold } from '../../lib/text/fold.ts'
import { selectEmojiByName, selectEmojiList } from '../../store/emoji.ts'
import { selectLanguage } from '../../store/language.ts'
import type { Emoji } from './book.ts'

/** Custom emoji as lines of the picker's list, by name: what stands for a character is `:name:`. */
export const selectCustomBook = createSelector([selectEmojiList, selectLanguage], (list, language): readonly Emoji[] =>
  emojiByName(list, formatsFor(language).compare).map(lineOf),
)

/** In the order of their names. */
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
    words: [...new Set(names.flatMap((each) => fold(each).split(/[_-]+/)))].filter((word) => word !== ''),
  }
}

/** Whether a remembered emoji can still be drawn: a custom one may be gone, or belong to another workspace. */
export const isDrawn = (emoji: string, byName: ReturnType<typeof selectEmojiByName>): boolean => {
  const name = emojiNameIn(emoji)
  return name === undefined || byName.has(name)
}

/** The type of a reaction with what was picked: the character, or the name of a custom emoji. */
export const reactionTypeOf = (emoji: string): string => emojiNameIn(emoji) ?? emoji
