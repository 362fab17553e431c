import { createSelector } from '@reduxjs/toolkit'
import type { Channel } from '#shared/domain/channel.ts'
import type { SectionName, SidebarPlan } from '#shared/domain/settings.ts'
import {
  planOf,
  sectionNames,
  sectionOf,
  sidebarKey,
  sorted,
  sortOf,
  steadied,
  type Section,
  folderSection,
} from '#shared/rules/channels/sidebar.ts'
import { formatsFor, i18next, useTexts } from '../../i18n/index.ts'
import { cleanName } from '#shared/lib/clean-text.ts'
import { selectLanguage } from '../../store/language.ts'
import { selectOpenCid, selectSession, selectSettings } from '../../store/selectors.ts'
import type { AppState } from '../../store/store.ts'
import { useAppSelector } from '../../store/hooks.ts'

const isDirect = (channel: Channel): boolean => channel.directUserIds.length > 0

const NO_IDS: readonly string[] = []
const selectIds = (state: AppState): readonly string[] => state.windows.byKey['channels']?.ids ?? NO_IDS
const selectRows = (state: AppState) => state.entities.channels
const selectUsers = (state: AppState) => state.entities.users

/** Key of the account's sidebar settings. */
export const selectSidebarKey = (state: AppState): string => sidebarKey(selectSession(state))

/** The user's sidebar arrangement. */
export const selectPlan = (state: AppState): SidebarPlan =>
  planOf(selectSettings(state).sidebars, selectSidebarKey(state))

/** Everything the position of each visible channel depends on, as one string: equal strings mean nothing moved. */
const selectPlaces = createSelector(
  // Depends on the language, because it includes the title of notes to self.
  [selectIds, selectRows, selectUsers, selectPlan, selectLanguage],
  (ids, rows, users, plan) =>
    JSON.stringify(
      ids.flatMap((cid): Placed[] => {
        const channel = rows[cid]
        if (channel === undefined || channel.hidden) return []
        const name = sectionOf(channel, plan)
        const sort = sortOf(plan, name)
        const loudness = sort === 'unread' || plan.unreadOnly ? loudnessOf(channel) : 0
        return [[cid, name, loudness, sort === 'name' ? titleOf(channel, users) : '']]
      }),
    ),
)

type Placed = readonly [cid: string, name: SectionName, loudness: number, title: string]

const loudnessOf = (channel: Channel): number => (forYouOf(channel) > 0 ? 2 : isLoud(channel) ? 1 : 0)

/** The sections in their current order, and the section of every conversation, listed or not. */
export const selectWanted = createSelector(
  [selectPlaces, selectPlan, selectOpenCid, selectLanguage],
  (places, plan, openCid, language) => {
    const placed = JSON.parse(places) as readonly Placed[]
    const byCid = new Map(placed.map((each) => [each[0], each]))
    const { compare } = formatsFor(language)
    const comparators = {
      loudness: (cid: string) => byCid.get(cid)?.[2] ?? 0,
      compareNames: (a: string, b: string) => compare(byCid.get(a)?.[3] ?? '', byCid.get(b)?.[3] ?? ''),
    }
    const shown = plan.unreadOnly ? placed.filter(([cid, , loudness]) => loudness > 0 || cid === openCid) : placed
    const sections = sectionNames(plan).map((name): Section => {
      const cids = shown.flatMap(([cid, at]) => (at === name ? [cid] : []))
      return { name, cids: sorted(cids, plan, name, comparators) }
    })
    return {
      sections: sections.filter(({ name, cids }) => cids.length > 0 || (isFolder(name) && !plan.unreadOnly)),
      all: new Map(placed.map(([cid, name]) => [cid, name])),
    }
  },
)

export const isFolder = (name: SectionName): name is `folder:${string}` => name.startsWith('folder:')

/** The sections as shown: while the pointer is on the list nothing moves. */
export const selectSections = createSelector(
  [selectWanted, (state: AppState) => state.ui.sidebarHeld],
  ({ sections, all }, held) => (held === undefined ? sections : steadied(held, sections, all)),
)

/** Whether something would move if the pointer left the list. */
export const selectUnsettled = createSelector(
  [selectWanted, selectSections],
  ({ sections }, shown) => JSON.stringify(sections) !== JSON.stringify(shown),
)

/** All visible conversations from top to bottom, including collapsed sections. */
export const selectConversationOrder = createSelector([selectSections], (sections) =>
  sections.flatMap(({ cids }) => cids),
)

/** Highlighted unread count: mentions, and all messages of a direct message. In muted channels only mentions. */
export function forYouOf(channel: Channel): number {
  if (!isDirect(channel)) return channel.unreadMentions
  return channel.muted ? channel.unreadMentions : channel.unread
}

/** Whether to show a channel as unread; muted channels only with mentions. */
export const isLoud = (channel: Channel): boolean => (channel.muted ? forYouOf(channel) > 0 : channel.unread > 0)

/** Total for the window's title, always computed from all channels. */
export const selectForYouTotal = createSelector([selectRows], (rows) =>
  Object.values(rows).reduce((sum, channel) => (channel.hidden ? sum : sum + forYouOf(channel)), 0),
)

/** The name of a conversation: its own, or those of the people in it. */
export function channelTitle(state: AppState, cid: string): string {
  const channel = state.entities.channels[cid]
  return channel === undefined ? '' : titleOf(channel, state.entities.users)
}

/** Title of notes to self. */
const notesTitle = (): string => i18next.t('notes', { ns: 'sidebar' })

function titleOf(channel: Channel, users: AppState['entities']['users']): string {
  if (channel.notes) return notesTitle()
  if (channel.name !== '') return cleanName(channel.name)
  const names = channel.directUserIds.map((id) => users[id]?.name ?? id)
  return names.length > 0 ? names.map((name) => cleanName(name)).join(', ') : channel.id
}

/** Title of a section; custom sections by their name. */
export function useSectionTitles(): (name: SectionName) => string {
  const t = useTexts('sidebar')
  const { folders } = useAppSelector(selectPlan)
  return (name) => {
    if (isFolder(name)) return folders.find(({ id }) => folderSection(id) === name)?.name ?? ''
    return t(`sections.${name}`)
  }
}
