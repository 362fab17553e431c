import { createSelector } from '@reduxjs/toolkit'
import type { Channel } from '#shared/domain/channel.ts'
import { cleanName } from '../../lib/clean-name.ts'
import type { AppState } from '../../store/store.ts'

export type SectionName = 'pinned' | 'channels' | 'direct' | 'archived'
export type Section = { readonly name: SectionName; readonly cids: readonly string[] }

const SECTION_NAMES: readonly SectionName[] = ['pinned', 'channels', 'direct', 'archived']

const isDirect = (channel: Channel): boolean => channel.directUserIds.length > 0

function sectionOf(channel: Channel): SectionName {
  if (channel.archivedAt !== undefined) return 'archived'
  if (channel.pinnedAt !== undefined) return 'pinned'
  return isDirect(channel) ? 'direct' : 'channels'
}

const NO_IDS: readonly string[] = []
const selectIds = (state: AppState): readonly string[] => state.windows.byKey['channels']?.ids ?? NO_IDS
const selectRows = (state: AppState) => state.entities.channels

/** Which section every visible channel stands in, as one string: equal strings mean nothing moved. */
const selectPlaces = createSelector([selectIds, selectRows], (ids, rows) =>
  ids
    .flatMap((cid) => {
      const channel = rows[cid]
      return channel === undefined || channel.hidden ? [] : [`${sectionOf(channel)} ${cid}`]
    })
    .join('\n'),
)

/** The sidebar's sections, without empty ones; the order inside is the engine's. */
export const selectSections = createSelector([selectPlaces], (places): readonly Section[] => {
  const byName = new Map<string, string[]>()
  for (const line of places === '' ? [] : places.split('\n')) {
    const at = line.indexOf(' ')
    const name = line.slice(0, at)
    byName.set(name, [...(byName.get(name) ?? []), line.slice(at + 1)])
  }
  return SECTION_NAMES.flatMap((name) => {
    const cids = byName.get(name)
    return cids === undefined ? [] : [{ name, cids }]
  })
})

/** All visible conversations from top to bottom, closed sections included. */
export const selectConversationOrder = createSelector([selectSections], (sections) =>
  sections.flatMap(({ cids }) => cids),
)

/** What draws brass: mentions, and everything in a direct conversation. Muted channels draw nothing but mentions. */
export function forYouOf(channel: Channel): number {
  if (!isDirect(channel)) return channel.unreadMentions
  return channel.muted ? channel.unreadMentions : channel.unread
}

/** Unread enough to stand out; muted channels only when they mention the reader. */
export const isLoud = (channel: Channel): boolean => (channel.muted ? forYouOf(channel) > 0 : channel.unread > 0)

/** Sum for the window's title. Counted from the rows each time, never kept by adding. */
export const selectForYouTotal = createSelector([selectRows], (rows) =>
  Object.values(rows).reduce((sum, channel) => (channel.hidden ? sum : sum + forYouOf(channel)), 0),
)

/** The name of a conversation: its own, or those of the people in it. */
export function channelTitle(state: AppState, cid: string): string {
  const channel = state.entities.channels[cid]
  if (channel === undefined) return ''
  if (channel.name !== '') return cleanName(channel.name)
  const names = channel.directUserIds.map((id) => state.entities.users[id]?.name ?? id)
  return names.length > 0 ? names.map(cleanName).join(', ') : channel.id
}
