import type { EngineClient } from '#shared/bridge/index.ts'
import { composerKey } from '#shared/domain/draft.ts'
import type { Cid } from '#shared/lib/brand.ts'
import { asCid } from '#shared/lib/brand.ts'
import { maySendPoll, mayShareLocation } from '#shared/rules/capabilities.ts'
import type { Chord } from '../lib/chords.ts'
import { goToAccount } from '../features/accounts/index.ts'
import {
  arrange,
  isLoud,
  markAllRead,
  markChannelRead,
  selectConversationOrder,
  undoRead,
} from '../features/channels/index.ts'
import { STOP_SHARING_EVENT } from '../features/locations/index.ts'
import { updateSettings } from '../features/settings/index.ts'
import { followThread, showWide } from '../features/threads/index.ts'
import { selectOpenCid, selectOpenThread, selectSettings } from '../store/selectors.ts'
import { selectAccounts, selectHasRail, selectNeighbour } from '../store/accounts.ts'
import type { AppDispatch, AppState } from '../store/store.ts'
import {
  addingAsked,
  dialogOpened,
  panelClosed,
  panelOpened,
  routeOpened,
  searchOpened,
  viewLeft,
  wentBack,
  wentForward,
} from '../store/ui.ts'
import { focusComposer, focusRegion } from './regions.ts'
import { TOLD } from './told-actions.ts'

export type ActionContext = {
  readonly dispatch: AppDispatch
  readonly getState: () => AppState
  readonly engine: EngineClient
}

/**
 * Everything that can be done by key, in one place: keyboard, quick switcher, shortcut sheet, tooltips and tests read it.
 * An action without `run` is carried out by the list or the composer that has the focus; it stands here for the sheet.
 */
export type Action = {
  readonly id: ActionId
  readonly chords: readonly Chord[]
  readonly macChords?: readonly Chord[]
  readonly group: 'navigation' | 'window' | 'messages' | 'composer'
  /** `at`: which of its chords was pressed, from 0; absent when it was asked for by name. */
  readonly run?: (context: ActionContext, at?: number) => void
  /** Whether it means something now; absent: always. The quick switcher leaves out what does not. */
  readonly offered?: (state: AppState) => boolean
}

export type ActionId = (typeof ACTION_IDS)[number]

export const ACTION_IDS = [
  'switcher',
  'search',
  'searchHere',
  'nextConversation',
  'previousConversation',
  'nextUnread',
  'previousUnread',
  'back',
  'forward',
  'newChannel',
  'newMessage',
  'threads',
  'followThread',
  'widenThread',
  'reminders',
  'drafts',
  'draftHistory',
  'catchUp',
  'mentions',
  'outbox',
  'details',
  'browse',
  'openPolls',
  'stopSharing',
  'nextAccount',
  'previousAccount',
  'accountAt',
  'addAccount',
  'sidebar',
  'closePanel',
  'nextRegion',
  'previousRegion',
  'settings',
  'shortcuts',
  'notices',
  'markRead',
  'markAllRead',
  'undoRead',
  'whyUnread',
  'unreadOnly',
  'newSection',
  'moveUp',
  'focusComposer',
  'walkMessages',
  'newest',
  'oldestUnread',
  'nextMention',
  'replyInThread',
  'quote',
  'react',
  'edit',
  'delete',
  'pin',
  'remind',
  'markUnread',
  'save',
  'openLink',
  'copy',
  'copyMarkdown',
  'copyLink',
  'forwardMessage',
  'select',
  'selectRange',
  'quickReaction',
  'whoReacted',
  'profile',
  'whyNotified',
  'viewer',
  'messageMenu',
  'send',
  'newLine',
  'sendMenu',
  'editLast',
  'undoHeld',
  'preview',
  'bold',
  'italic',
  'strike',
  'attach',
  'newPoll',
  'shareLocation',
  'cancel',
] as const

const openDialog =
  (kind: 'switcher' | 'new-channel' | 'new-direct' | 'shortcuts' | 'notice-log') =>
  ({ dispatch }: ActionContext): void =>
    void dispatch(dialogOpened({ kind }))

/** Of the rail that have a key: the digits behind them belong to lists and quotes. Source: design reference, section 11. */
const ACCOUNT_PLACES = [1, 2, 3, 4, 5, 6] as const

export const ACTIONS: readonly Action[] = [
  { id: 'switcher', chords: ['Mod+K'], group: 'navigation', run: openDialog('switcher') },
  {
    id: 'search',
    chords: ['Mod+Shift+F'],
    group: 'navigation',
    run: ({ dispatch }) => void dispatch(searchOpened({})),
  },
  { id: 'searchHere', chords: ['Mod+F'], group: 'navigation', run: searchHere },
  { id: 'nextConversation', chords: ['Alt+ArrowDown'], group: 'navigation', run: (context) => step(context, 1, false) },
  {
    id: 'previousConversation',
    chords: ['Alt+ArrowUp'],
    group: 'navigation',
    run: (context) => step(context, -1, false),
  },
  {
    id: 'nextUnread',
    chords: ['Alt+Shift+ArrowDown', 'F8'],
    group: 'navigation',
    run: (context) => step(context, 1, true),
  },
  {
    id: 'previousUnread',
    chords: ['Alt+Shift+ArrowUp', 'Shift+F8'],
    group: 'navigation',
    run: (context) => step(context, -1, true),
  },
  {
    id: 'back',
    chords: ['Alt+ArrowLeft'],
    macChords: ['Mod+['],
    group: 'navigation',
    run: ({ dispatch }) => void dispatch(wentBack()),
  },
  {
    id: 'forward',
    chords: ['Alt+ArrowRight'],
    macChords: ['Mod+]'],
    group: 'navigation',
    run: ({ dispatch }) => void dispatch(wentForward()),
  },
  {
    id: 'newMessage',
    chords: ['Mod+N', 'Mod+Shift+K'],
    group: 'navigation',
    run: openDialog('new-direct'),
  },
  { id: 'newChannel', chords: [], group: 'navigation', run: openDialog('new-channel') },
  {
    id: 'threads',
    chords: ['Mod+Shift+T', 'Mod+1'],
    group: 'navigation',
    run: ({ dispatch }) => void dispatch(routeOpened({ view: 'threads' })),
  },
  { id: 'followThread', chords: [], group: 'navigation', offered: hasThread, run: toggleFollowing },
  {
    id: 'widenThread',
    chords: [],
    group: 'navigation',
    offered: ({ ui }) => ui.panel?.kind === 'thread',
    run: widenThread,
  },
  {
    id: 'reminders',
    chords: ['Mod+2', 'Mod+Shift+S'],
    group: 'navigation',
    run: ({ dispatch }) => void dispatch(routeOpened({ view: 'reminders' })),
  },
  {
    id: 'drafts',
    chords: ['Mod+3'],
    group: 'navigation',
    run: ({ dispatch }) => void dispatch(routeOpened({ view: 'drafts' })),
  },
  {
    id: 'catchUp',
    chords: ['Mod+Shift+A'],
    group: 'navigation',
    run: ({ dispatch }) => void dispatch(routeOpened({ view: 'catch-up' })),
  },
  {
    id: 'mentions',
    chords: ['Mod+Shift+M'],
    group: 'navigation',
    run: ({ dispatch }) => void dispatch(routeOpened({ view: 'mentions' })),
  },
  {
    id: 'outbox',
    chords: ['Mod+Shift+O'],
    group: 'navigation',
    run: ({ dispatch }) => void dispatch(panelOpened({ kind: 'outbox' })),
  },
  {
    id: 'openPolls',
    chords: [],
    group: 'navigation',
    run: ({ dispatch }) => void dispatch(dialogOpened({ kind: 'open-polls' })),
  },
  { id: 'details', chords: ['Mod+Shift+I'], group: 'navigation', run: openDetails },
  {
    id: 'browse',
    chords: ['Mod+Shift+L'],
    group: 'navigation',
    run: ({ dispatch }) => void dispatch(routeOpened({ view: 'browse' })),
  },
  {
    id: 'stopSharing',
    chords: ['Mod+Shift+G'],
    group: 'window',
    run: () => void window.dispatchEvent(new CustomEvent(STOP_SHARING_EVENT)),
  },
  { id: 'markRead', chords: [], group: 'navigation', run: markOpenRead },
  {
    id: 'markAllRead',
    chords: ['Shift+Escape'],
    group: 'navigation',
    run: ({ dispatch }) => void dispatch(markAllRead()),
  },
  { id: 'undoRead', chords: [], group: 'navigation', run: ({ dispatch }) => void dispatch(undoRead()) },
  { id: 'whyUnread', chords: [], group: 'navigation', run: askWhy },
  {
    id: 'unreadOnly',
    chords: [],
    group: 'navigation',
    run: ({ dispatch }) => void dispatch(arrange((plan) => ({ ...plan, unreadOnly: !plan.unreadOnly }))),
  },
  {
    id: 'newSection',
    chords: [],
    group: 'navigation',
    run: ({ dispatch }) => void dispatch(dialogOpened({ kind: 'folder' })),
  },
  { id: 'moveUp', chords: ['Mod+Shift+ArrowUp', 'Mod+Shift+ArrowDown'], group: 'navigation' },
  { id: 'nextRegion', chords: ['F6', 'Ctrl+F6'], group: 'window', run: () => focusRegion(1) },
  { id: 'previousRegion', chords: ['Shift+F6'], group: 'window', run: () => focusRegion(-1) },
  {
    id: 'nextAccount',
    chords: ['Ctrl+Tab'],
    group: 'window',
    offered: selectHasRail,
    run: (context) => stepAccount(context, 1),
  },
  {
    id: 'previousAccount',
    chords: ['Ctrl+Shift+Tab'],
    group: 'window',
    offered: selectHasRail,
    run: (context) => stepAccount(context, -1),
  },
  {
    id: 'accountAt',
    // On macOS the system takes pictures of the screen with Cmd Shift 3 to 5.
    chords: ACCOUNT_PLACES.map((place) => `Mod+Shift+${place}`),
    macChords: ACCOUNT_PLACES.map((place) => `Ctrl+${place}`),
    group: 'window',
    // By name there is a row for each account.
    offered: () => false,
    run: goToAccountAt,
  },
  { id: 'addAccount', chords: [], group: 'window', run: ({ dispatch }) => void dispatch(addingAsked()) },
  { id: 'sidebar', chords: ['Mod+Shift+D'], group: 'window', run: toggleSidebar },
  { id: 'closePanel', chords: ['Mod+.'], group: 'window', run: ({ dispatch }) => void dispatch(panelClosed()) },
  {
    id: 'settings',
    chords: ['Mod+,'],
    group: 'window',
    run: ({ dispatch }) => void dispatch(routeOpened({ view: 'settings', section: 'appearance' })),
  },
  { id: 'shortcuts', chords: ['Mod+/'], group: 'window', run: openDialog('shortcuts') },
  { id: 'notices', chords: [], group: 'window', run: openDialog('notice-log') },
  { id: 'newPoll', chords: [], group: 'composer', run: newPollHere },
  { id: 'shareLocation', chords: [], group: 'composer', run: shareLocationHere },
  { id: 'draftHistory', chords: [], group: 'composer', run: showHistoryHere },
  ...TOLD,
]

function stepAccount({ dispatch, getState }: ActionContext, by: 1 | -1): void {
  const next = selectNeighbour(getState(), by)
  if (next !== undefined) dispatch(goToAccount(next.key))
}

function goToAccountAt({ dispatch, getState }: ActionContext, at?: number): void {
  const account = at === undefined ? undefined : selectAccounts(getState()).accounts[at]
  if (account !== undefined) dispatch(goToAccount(account.key))
}

function hasThread(state: AppState): boolean {
  const open = selectOpenThread(state)
  return open !== undefined && state.entities.messages[open.parentId]?.thread !== undefined
}

/** Follows the open thread, or leaves it. */
function toggleFollowing({ dispatch, getState }: ActionContext): void {
  const open = selectOpenThread(getState())
  if (open === undefined) return
  const { cid, parentId } = open
  const follows = getState().entities.messages[parentId]?.thread?.following !== true
  void dispatch(followThread({ cid, parentId, follows }))
}

/** Of the open thread, else of the open channel; where none is open, of all. */
function showHistoryHere({ dispatch, getState }: ActionContext): void {
  const thread = selectOpenThread(getState())
  const cid = selectOpenCid(getState())
  const of = thread === undefined ? cid : composerKey(thread.cid, thread.parentId)
  dispatch(dialogOpened({ kind: 'draft-history', ...(of === undefined ? {} : { of }) }))
}

function widenThread({ dispatch, getState }: ActionContext): void {
  const open = selectOpenThread(getState())
  if (open !== undefined) dispatch(showWide(open))
}

/** The chords of an action on this system. */
export function chordsOf(action: Action, os: 'windows' | 'macos' | 'linux'): readonly Chord[] {
  return os === 'macos' && action.macChords !== undefined ? action.macChords : action.chords
}

/** Opens the neighbour of the open conversation in sidebar order, around the ends. */
function step({ dispatch, getState }: ActionContext, direction: 1 | -1, unreadOnly: boolean): void {
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

function toggleSidebar({ dispatch, getState }: ActionContext): void {
  void dispatch(updateSettings({ sidebarCollapsed: !selectSettings(getState()).sidebarCollapsed }))
}

/** In the open channel; where none is open, everywhere. In the search itself the field takes the focus again. */
function searchHere({ dispatch, getState }: ActionContext): void {
  const { route, search } = getState().ui
  const cid = route.view === 'search' ? search?.cid : selectOpenCid(getState())
  dispatch(searchOpened(cid === undefined ? {} : { cid }))
}

/** Of the thread that is open, else of the channel. */
function askWhy({ dispatch, getState }: ActionContext): void {
  const cid = selectOpenCid(getState())
  if (cid !== undefined) void dispatch(dialogOpened({ kind: 'why-unread', cid }))
}

/** Of the open channel; a second press closes them. */
function openDetails({ dispatch, getState }: ActionContext): void {
  const cid = selectOpenCid(getState())
  if (cid === undefined) return
  const { panel } = getState().ui
  dispatch(panel?.kind === 'info' && panel.page === undefined ? panelClosed() : panelOpened({ kind: 'info', cid }))
}

function markOpenRead({ dispatch, getState }: ActionContext): void {
  const cid = selectOpenCid(getState())
  if (cid !== undefined) void dispatch(markChannelRead({ cid }))
}

/** In the open channel, where places can be shared. */
function shareLocationHere({ dispatch, getState }: ActionContext): void {
  const cid = selectOpenCid(getState())
  const channel = cid === undefined ? undefined : getState().entities.channels[cid]
  if (channel !== undefined && mayShareLocation(channel)) dispatch(dialogOpened({ kind: 'location', cid: channel.cid }))
}

/** In the open channel, where polls can be sent. */
function newPollHere({ dispatch, getState }: ActionContext): void {
  const cid = selectOpenCid(getState())
  const channel = cid === undefined ? undefined : getState().entities.channels[cid]
  if (channel !== undefined && maySendPoll(channel)) dispatch(dialogOpened({ kind: 'poll', cid: channel.cid }))
}

/**
 * The last steps of the Esc ladder; whatever is nearer to the focus has taken the key before. Source: product paper 4.1.
 * Answers whether there was anything to do.
 */
export function escape({ dispatch, getState }: ActionContext): boolean {
  const { ui } = getState()
  if (ui.route.view === 'settings') {
    dispatch(viewLeft())
    return true
  }
  if (ui.panel !== undefined) {
    dispatch(panelClosed())
    return true
  }
  if (ui.route.view === 'search') {
    dispatch(viewLeft())
    return true
  }
  return ui.route.view === 'channel' && escapeInChannel({ dispatch, getState }, ui.route.cid)
}

function escapeInChannel({ dispatch, getState }: Pick<ActionContext, 'dispatch' | 'getState'>, cid: Cid): boolean {
  if (focusComposer(cid)) return true
  const { entities, ui } = getState()
  if ((entities.channels[cid]?.unread ?? 0) === 0 || ui.atBottom[cid] !== true) return false
  void dispatch(markChannelRead({ cid: asCid(cid) }))
  return true
}
