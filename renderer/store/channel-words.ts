import { createSelector } from '@reduxjs/toolkit'
import type { Channel } from '#shared/domain/channel.ts'
import { channelWordKey, hasChannelWord } from '#shared/rules/channel-words.ts'
import type { AppState } from './store.ts'

/** Channels that a text can name, in the order of their names. */
export const selectNameable = createSelector(
  [(state: AppState) => state.entities.channels],
  (channels): readonly Channel[] =>
    Object.values(channels)
      .filter(hasChannelWord)
      .toSorted((a, b) => (channelWordKey(a.name) < channelWordKey(b.name) ? -1 : 1)),
)

/** The same by {@link channelWordKey}. Of two with one name the first: nothing in the text says which was meant. */
export const selectByChannelWord = createSelector(
  [selectNameable],
  (channels): ReadonlyMap<string, Channel> =>
    new Map(channels.toReversed().map((channel) => [channelWordKey(channel.name), channel])),
)
