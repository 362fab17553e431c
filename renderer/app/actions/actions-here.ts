import { nanoid } from '@reduxjs/toolkit'
import { composerKey } from '#shared/domain/draft.ts'
import { maySendPoll, mayShareLocation } from '#shared/rules/channels/capabilities.ts'
import { pausedUntil } from '#shared/rules/notifications/pauses.ts'
import { goToAccount } from '../../features/accounts/index.ts'
import { isLoud, markChannelRead, selectConversationOrder } from '../../features/sidebar/index.ts'
import { updateSettings } from '../../features/settings/index.ts'
import { followThread, showWide } from '../../features/threads/index.ts'
import { openWindow } from '../../features/windows/index.ts'
import { noticeRaised } from '../../store/window/notices.ts'
import { selectOpenCid, selectOpenThread, selectSettings } from '../../store/selectors.ts'
import { selectAccounts, selectNeighbour } from '../../store/accounts.ts'
import type { AppState } from '../../store/store.ts'
import { dialogOpened, panelClosed, panelOpened, routeOpened, searchOpened } from '../../store/window/ui.ts'
import type { ActionContext } from './action-context.ts'

export function stepAccount({ dispatch, getState }: ActionContext, by: 1 | -1): void {
  const next = selectNeighbour(getState(), by)
  if (next !== undefined) dispatch(goToAccount(next.key))
}

export function goToAccountAt({ dispatch, getState }: ActionContext, at?: number): void {
  const account = at === undefined ? undefined : selectAccounts(getState()).accounts[at]
  if (account !== undefined) dispatch(goToAccount(account.key))
}

export function hasThread(state: AppState): boolean {
  const open = selectOpenThread(state)
  return open !== undefined && state.entities.messages[open.parentId]?.thread !== undefined
}

export const hasOpen = (state: AppState): boolean => selectOpenCid(state) !== undefined

export function openWindowHere({ dispatch, getState }: ActionContext): void {
  const cid = selectOpenCid(getState())
  if (cid !== undefined) dispatch(openWindow({ cid }))
}

/** Follows or unfollows the open thread. */
export function toggleFollowing({ dispatch, getState }: ActionContext): void {
  const open = selectOpenThread(getState())
  if (open === undefined) return
  const { cid, parentId } = open
  const follows = getState().entities.messages[parentId]?.thread?.following !== true
  void dispatch(followThread({ cid, parentId, follows }))
}

/** Draft history of the open thread, else of the open channel, else of everything. */
export function showHistoryHere({ dispatch, getState }: ActionContext): void {
  const thread = selectOpenThread(getState())
  const cid = selectOpenCid(getState())
  const of = thread === undefined ? cid : composerKey(thread.cid, thread.parentId)
  dispatch(dialogOpened({ kind: 'draft-history', of }))
}

export function widenThread({ dispatch, getState }: ActionContext): void {
  const open = selectOpenThread(getState())
  if (open !== undefined) dispatch(showWide(open))
}

/** Opens the neighbour of the open conversation in sidebar order, around the ends. */
export function step({ dispatch, getState }: ActionContext, direction: 1 | -1, unreadOnly: boolean): void {
  const state = getState()
  const order = selectConversationOrder(state)
  const here = order.indexOf(selectOpenCid(state) ?? '')
  for (let away = 1; away <= order.length; away++) {
    const cid = order[(here + direction * away + order.length * 2) % order.length]
    const channel = cid === undefined ? undefined : state.entities.channels[cid]
    if (channel === undefined || (unreadOnly && !isLoud(channel))) continue
    dispatch(routeOpened({ view: 'channel', cid: channel.cid }))
    return
  }
}

export function toggleSidebar({ dispatch, getState }: ActionContext): void {
  void dispatch(updateSettings({ sidebarCollapsed: !selectSettings(getState()).sidebarCollapsed }))
}

/** Searches the open channel, or everything when none is open. In the search view it focuses the field again. */
export function searchHere({ dispatch, getState }: ActionContext): void {
  const { route, search } = getState().ui
  const cid = route.view === 'search' ? search?.cid : selectOpenCid(getState())
  dispatch(searchOpened(cid === undefined ? {} : { cid }))
}

/** Opens the dialog that explains why the open channel is unread. */
export function openWhyUnread({ dispatch, getState }: ActionContext): void {
  const cid = selectOpenCid(getState())
  if (cid !== undefined) void dispatch(dialogOpened({ kind: 'why-unread', cid }))
}

/** Toggles the details of the open channel. */
export function openDetails({ dispatch, getState }: ActionContext): void {
  const cid = selectOpenCid(getState())
  if (cid === undefined) return
  const { panel } = getState().ui
  dispatch(panel?.kind === 'info' && panel.page === undefined ? panelClosed() : panelOpened({ kind: 'info', cid }))
}

export function markOpenRead({ dispatch, getState }: ActionContext): void {
  const cid = selectOpenCid(getState())
  if (cid !== undefined) void dispatch(markChannelRead({ cid }))
}

export function shareLocationHere({ dispatch, getState }: ActionContext): void {
  const cid = selectOpenCid(getState())
  const channel = cid === undefined ? undefined : getState().entities.channels[cid]
  if (channel !== undefined && mayShareLocation(channel)) dispatch(dialogOpened({ kind: 'location', cid: channel.cid }))
}

export function newPollHere({ dispatch, getState }: ActionContext): void {
  const cid = selectOpenCid(getState())
  const channel = cid === undefined ? undefined : getState().entities.channels[cid]
  if (channel !== undefined && maySendPoll(channel)) dispatch(dialogOpened({ kind: 'poll', cid: channel.cid }))
}

/** Pauses notifications for an hour, or resumes them. */
export function pauseOrResume({ dispatch, getState }: ActionContext): void {
  const { notifications } = selectSettings(getState())
  const now = Date.now()
  const pause = notifications.pausedUntil <= now
  void dispatch(
    updateSettings({ notifications: { ...notifications, pausedUntil: pausedUntil(pause ? 'hour' : 'off', now) } }),
  )
  dispatch(
    noticeRaised({
      id: `local-${nanoid()}`,
      code: pause ? 'notifications/paused' : 'notifications/resumed',
      type: 'notifications:pause',
      severity: 'info',
      createdAt: now,
    }),
  )
}
