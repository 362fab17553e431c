import { useCallback } from 'react'
import { SUGGESTION_PAGE } from '#shared/constants.ts'
import type { Channel } from '#shared/domain/channel.ts'
import { fold } from '#shared/rules/search/search-fold.ts'
import { useFormats } from '../../../i18n/index.ts'
import { selectNameable } from '../../../store/channel-mentions.ts'
import { useAppStore } from '../../../store/hooks.ts'
import type { Suggestion } from './use-suggestions.ts'

/** Channels by what is written after `#`: names that begin so, then those with a word that does, then the rest. */
export function useChannelWords(): (query: string) => readonly Suggestion[] {
  const store = useAppStore()
  const { compare } = useFormats()
  return useCallback(
    (query) =>
      matchChannels(selectNameable(store.getState()), query, compare).map((channel) => ({
        kind: 'channel',
        id: channel.cid,
        insert: `#${channel.name} `,
        name: channel.name,
        isPrivate: channel.isPrivate,
      })),
    [store, compare],
  )
}

export function matchChannels<T extends Pick<Channel, 'name'>>(
  channels: readonly T[],
  query: string,
  compare: (a: string, b: string) => number,
): readonly T[] {
  const wanted = fold(query)
  const ranked = channels.flatMap((channel) => {
    const at = fold(channel.name).indexOf(wanted)
    if (at < 0) return []
    const isWord = at > 0 && /[-_]/.test(channel.name[at - 1] ?? '')
    return [{ channel, rank: at === 0 ? 0 : isWord ? 1 : 2 }]
  })
  return ranked
    .toSorted((a, b) => a.rank - b.rank || compare(a.channel.name, b.channel.name))
    .slice(0, SUGGESTION_PAGE)
    .map(({ channel }) => channel)
}
