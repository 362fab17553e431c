import { createSelector } from '@reduxjs/toolkit'
import type { TFunction } from 'i18next'
import { useEffect, useLayoutEffect, useState, type FocusEvent } from 'react'
import { shallowEqual } from 'react-redux'
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
import type { Cid } from '#shared/lib/brand.ts'
import { cleanName } from '#shared/lib/clean-text.ts'
import { formatsFor, languageNow, textsOf, useTexts } from '../../i18n/index.ts'
import { selectLanguage } from '../../store/window/host.ts'
import {
  selectChannel,
  selectOpenCid,
  selectSession,
  selectSettings,
  selectTypists,
  selectUser,
} from '../../store/selectors.ts'
import type { AppState } from '../../store/store.ts'
import { useAppSelector, useAppDispatch, useAppStore } from '../../store/hooks.ts'
import { sidebarSettled } from '../../store/window/ui.ts'
import { selectChannelLink } from '../windows/index.ts'

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

const selectArranged = createSelector([selectPlan], (plan) => JSON.stringify(plan))

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

/** The open channel stays in a list of unread ones; otherwise it moves nothing. */
const selectKept = (state: AppState): string | undefined =>
  selectPlan(state).unreadOnly ? selectOpenCid(state) : undefined

/** The sections in their current order, and the section of every conversation, listed or not. */
const selectWanted = createSelector(
  [selectPlaces, selectPlan, selectKept, selectLanguage],
  (places, plan, kept, language) => {
    const placed = JSON.parse(places) as readonly Placed[]
    const byCid = new Map(placed.map((each) => [each[0], each]))
    const { compare } = formatsFor(language)
    const comparators = {
      loudness: (cid: string) => byCid.get(cid)?.[2] ?? 0,
      compareNames: (a: string, b: string) => compare(byCid.get(a)?.[3] ?? '', byCid.get(b)?.[3] ?? ''),
    }
    const shown = plan.unreadOnly ? placed.filter(([cid, , loudness]) => loudness > 0 || cid === kept) : placed
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
const selectUnsettled = createSelector(
  [selectWanted, selectSections],
  ({ sections }, shown) => sections !== shown && JSON.stringify(sections) !== JSON.stringify(shown),
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
const notesTitle = (): string => textsOf(languageNow(), 'sidebar')('notes')

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
  return (name) => sectionTitle(name, folders, t)
}

export const sectionTitle = (name: SectionName, folders: SidebarPlan['folders'], t: TFunction<'sidebar'>): string =>
  isFolder(name) ? (folders.find(({ id }) => folderSection(id) === name)?.name ?? '') : t(`sections.${name}`)

/**
 * A conversation, and what its row shows of others. Selected together, and compared field by field: a sidebar has many
 * rows, and each selector runs at every change of the store.
 */
const selectRow = (state: AppState, cid: Cid) => {
  const channel = selectChannel(state, cid)
  return {
    channel,
    title: channelTitle(state, cid),
    /** The other person of a direct conversation with one. */
    other: selectUser(state, channel?.directUserId),
    isOpen: selectOpenCid(state) === cid,
    isTyping: selectTypists(state, cid).length > 0,
    link: selectChannelLink(state, cid),
  }
}

export const useRow = (cid: Cid): ReturnType<typeof selectRow> =>
  useAppSelector((state) => selectRow(state, cid), shallowEqual)

/** The list is sorted this long after pointer and focus left it. */
const IDLE_MS = 1_000

/**
 * Nothing in the list moves while the pointer or the focus is in it; a second after both have left, it is sorted. The
 * user's own changes apply at once.
 *
 * @returns handlers for the element that contains the list
 */
export function useSteady(): {
  readonly onPointerEnter: () => void
  readonly onPointerLeave: () => void
  readonly onFocus: () => void
  readonly onBlur: (event: FocusEvent) => void
} {
  const store = useAppStore()
  const dispatch = useAppDispatch()
  const [pointed, setPointed] = useState(false)
  const [focused, setFocused] = useState(false)
  const unsettled = useAppSelector(selectUnsettled)
  const arranged = useAppSelector(selectArranged)
  const isThere = useAppSelector((state) => selectWanted(state).sections.length > 0)
  useLayoutEffect(() => {
    if (isThere && arranged !== '') dispatch(sidebarSettled(selectWanted(store.getState()).sections))
  }, [dispatch, store, arranged, isThere])
  const busy = pointed || focused
  useEffect(() => {
    if (busy || !unsettled) return undefined
    const timer = setTimeout(() => dispatch(sidebarSettled(selectWanted(store.getState()).sections)), IDLE_MS)
    return () => clearTimeout(timer)
  }, [dispatch, store, busy, unsettled])
  return {
    onPointerEnter: () => setPointed(true),
    onPointerLeave: () => setPointed(false),
    onFocus: () => setFocused(true),
    onBlur: (event) => {
      if (!event.currentTarget.contains(event.relatedTarget)) setFocused(false)
    },
  }
}

/**
 * Rows of a section before more are asked for, and how many more come then. Each costs 0.1 ms at a start, and whoever
 * sends a campaign has a conversation with everyone it reached.
 */
const ROWS = 200

/** A section with the conversations that are listed of it. */
export type ListedSection = Section & { readonly listed: readonly string[] }

const needsRow = (channel: Channel): boolean => isLoud(channel) || channel.hasDraft || channel.queuedCount > 0

/** Conversations with something new, something unsent, or open: listed wherever they stand. As one string, so that equal ones are one. */
const selectNeeded = createSelector([({ entities }: AppState) => entities.channels, selectOpenCid], (channels, open) =>
  Object.values(channels)
    .filter((channel) => needsRow(channel) || channel.cid === open)
    .map(({ cid }) => cid)
    .join(' '),
)

/** What a list of conversations shows of its sections; `more` lists further ones of a section. */
export function useListed(sections: readonly Section[]): {
  readonly listed: readonly ListedSection[]
  readonly more: (name: string) => void
} {
  const [rows, setRows] = useState<Readonly<Record<string, number>>>({})
  const mostOf = (name: string): number => rows[name] ?? ROWS
  const isLong = sections.some(({ name, cids }) => cids.length > mostOf(name))
  const needed = new Set(useAppSelector((state) => (isLong ? selectNeeded(state) : '')).split(' '))
  return {
    listed: sections.map((section) => {
      const { name, cids } = section
      const most = mostOf(name)
      return { ...section, listed: cids.length > most ? cids.filter((cid, at) => at < most || needed.has(cid)) : cids }
    }),
    more: (name) => setRows((before) => ({ ...before, [name]: (before[name] ?? ROWS) + ROWS })),
  }
}

/** Its place among the rows that arrow keys walk. */
export const moreId = (name: string): string => `more ${name}`
