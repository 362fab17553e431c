import type { Chord } from '../../lib/text/chords.ts'
import { arrange, markAllRead, undoRead } from '../../features/sidebar/index.ts'
import { lockNow } from '../../features/lock/index.ts'
import { STOP_SHARING_EVENT } from '../../features/locations/index.ts'
import { selectHasRail } from '../../store/accounts.ts'
import { selectLock } from '../../store/window/lock.ts'
import { selectCanParticipate } from '../../store/selectors.ts'
import type { AppState } from '../../store/store.ts'
import {
  addAccountOpened,
  dialogOpened,
  panelClosed,
  panelOpened,
  routeOpened,
  searchOpened,
  wentBack,
  wentForward,
} from '../../store/window/ui.ts'
import { focusRegion } from '../regions.ts'
import type { ActionContext } from './action-context.ts'
import {
  stepAccount,
  goToAccountAt,
  hasOpen,
  hasThread,
  openWindowHere,
  toggleFollowing,
  showHistoryHere,
  widenThread,
  step,
  toggleSidebar,
  searchHere,
  openWhyUnread,
  openDetails,
  pauseOrResume,
  markOpenRead,
  shareLocationHere,
  newPollHere,
} from './actions-here.ts'
import { goToNewest, reactToNewest } from '../../features/messages/index.ts'

/**
 * Everything that can be done by key, in one place: keyboard, quick switcher, shortcut sheet, tooltips and tests read it.
 * An action without `run` is handled by the focused message list or composer; it is listed here for the shortcut sheet.
 */
export type Action = {
  readonly id: ActionId
  readonly chords: readonly Chord[]
  readonly macChords?: readonly Chord[]
  readonly group: 'navigation' | 'window' | 'messages' | 'composer'
  /** `at`: index of the pressed chord, from 0; absent when the action was chosen by name. */
  readonly run?: (context: ActionContext, at?: number) => void
  /** Whether the action applies now; absent: always. The quick switcher lists only those that apply. */
  readonly offered?: (state: AppState) => boolean
}

/** Actions that need a full account; guests do not get them. */
const memberActions: ReadonlySet<ActionId> = new Set<ActionId>([
  'newChannel',
  'newMessage',
  'threads',
  'setStatus',
  'followThread',
  'reminders',
  'drafts',
  'draftHistory',
  'catchUp',
  'mentions',
  'outbox',
  'browse',
  'openPolls',
  'stopSharing',
  'markRead',
  'markAllRead',
  'undoRead',
  'whyUnread',
  'unreadOnly',
  'nextUnread',
  'previousUnread',
  'newPoll',
  'shareLocation',
])

/** Whether the viewer may use the action at all: by key, by name or from a native menu. */
export const isFor = (id: ActionId, state: AppState): boolean =>
  id === 'lock' ? selectLock(state).on : !memberActions.has(id) || selectCanParticipate(state)

export type ActionId = (typeof ACTION_IDS)[number]

const ACTION_IDS = [
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
  'openWindow',
  'pressForWindow',
  'pressForHalf',
  'closePanel',
  'nextRegion',
  'previousRegion',
  'settings',
  'shortcuts',
  'pauseNotifications',
  'setStatus',
  'notices',
  'downloads',
  'lock',
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
  'reactToNewest',
  'oldestUnread',
  'nextMention',
  'replyInThread',
  'quote',
  'react',
  'edit',
  'delete',
  'deleteAtOnce',
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
  (kind: 'switcher' | 'new-channel' | 'new-direct' | 'shortcuts' | 'notice-log' | 'downloads') =>
  ({ dispatch }: ActionContext): void =>
    void dispatch(dialogOpened({ kind }))

/** Accounts of the rail with a shortcut. The higher digits are used for lists and quotes. */
const ACCOUNT_PLACES = [1, 2, 3, 4, 5, 6] as const

/** Actions handled by the message list and the composer, listed here for the shortcut sheet. */
const LIST_AND_COMPOSER_ACTIONS: readonly Action[] = [
  { id: 'walkMessages', chords: ['ArrowUp', 'ArrowDown'], group: 'messages' },
  { id: 'newest', chords: ['Mod+J'], group: 'messages', run: goToNewest },
  { id: 'reactToNewest', chords: ['Mod+Shift+\\'], group: 'messages', run: reactToNewest },
  { id: 'oldestUnread', chords: ['Shift+PageUp'], group: 'messages' },
  { id: 'nextMention', chords: ['N', 'Shift+N'], group: 'messages' },
  { id: 'replyInThread', chords: ['T'], group: 'messages' },
  { id: 'quote', chords: ['Q'], group: 'messages' },
  { id: 'react', chords: ['R'], group: 'messages' },
  { id: 'edit', chords: ['E'], group: 'messages' },
  { id: 'pin', chords: ['P'], group: 'messages' },
  { id: 'remind', chords: ['M'], group: 'messages' },
  { id: 'markUnread', chords: ['U'], group: 'messages' },
  { id: 'save', chords: ['A'], group: 'messages' },
  { id: 'openLink', chords: ['O'], group: 'messages' },
  { id: 'forwardMessage', chords: ['F'], group: 'messages' },
  { id: 'select', chords: ['X', 'Space'], group: 'messages' },
  { id: 'selectRange', chords: ['Shift+ArrowUp', 'Shift+ArrowDown'], group: 'messages' },
  { id: 'copy', chords: ['Mod+C'], group: 'messages' },
  { id: 'copyMarkdown', chords: ['Mod+Shift+C'], group: 'messages' },
  { id: 'copyLink', chords: ['L'], group: 'messages' },
  { id: 'quickReaction', chords: ['1', '2', '3'], group: 'messages' },
  { id: 'whoReacted', chords: ['I'], group: 'messages' },
  { id: 'profile', chords: ['S'], group: 'messages' },
  { id: 'whyNotified', chords: ['W'], group: 'messages' },
  { id: 'viewer', chords: ['V'], group: 'messages' },
  { id: 'delete', chords: ['Delete'], macChords: ['Backspace'], group: 'messages' },
  { id: 'deleteAtOnce', chords: ['Shift+Delete'], macChords: ['Shift+Backspace'], group: 'messages' },
  { id: 'messageMenu', chords: ['Shift+F10'], macChords: ['Mod+Enter'], group: 'messages' },
  { id: 'send', chords: ['Enter'], group: 'composer' },
  { id: 'newLine', chords: ['Shift+Enter'], group: 'composer' },
  { id: 'sendMenu', chords: ['Mod+Shift+Enter'], group: 'composer' },
  { id: 'editLast', chords: ['ArrowUp'], group: 'composer' },
  { id: 'undoHeld', chords: ['Mod+Z'], group: 'composer' },
  { id: 'preview', chords: ['Mod+Shift+P'], group: 'composer' },
  { id: 'bold', chords: ['Mod+B'], group: 'composer' },
  { id: 'italic', chords: ['Mod+I'], group: 'composer' },
  { id: 'strike', chords: ['Mod+Shift+X'], group: 'composer' },
  { id: 'attach', chords: ['Mod+U'], group: 'composer' },
  { id: 'cancel', chords: ['Escape'], group: 'composer' },
]

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
    chords: ['Mod+Shift+T', 'Mod+1', 'G T'],
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
  { id: 'whyUnread', chords: [], group: 'navigation', run: openWhyUnread },
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
    // On macOS Cmd+Shift+3 to 5 take screenshots.
    chords: ACCOUNT_PLACES.map((place) => `Mod+Shift+${place}`),
    macChords: ACCOUNT_PLACES.map((place) => `Ctrl+${place}`),
    group: 'window',
    // The quick switcher has a row for each account instead.
    offered: () => false,
    run: goToAccountAt,
  },
  { id: 'addAccount', chords: [], group: 'window', run: ({ dispatch }) => void dispatch(addAccountOpened()) },
  { id: 'sidebar', chords: ['Mod+Shift+D'], group: 'window', run: toggleSidebar },
  { id: 'openWindow', chords: [], group: 'window', offered: hasOpen, run: openWindowHere },
  // On a row of the sidebar, the quick switcher or the search results.
  { id: 'pressForWindow', chords: ['Mod+Enter'], group: 'window' },
  { id: 'pressForHalf', chords: ['Alt+Enter'], group: 'window' },
  { id: 'closePanel', chords: ['Mod+.'], group: 'window', run: ({ dispatch }) => void dispatch(panelClosed()) },
  {
    id: 'settings',
    chords: ['Mod+,'],
    group: 'window',
    run: ({ dispatch }) => void dispatch(routeOpened({ view: 'settings', section: 'appearance' })),
  },
  { id: 'shortcuts', chords: ['Mod+/', '?'], group: 'window', run: openDialog('shortcuts') },
  { id: 'pauseNotifications', chords: ['Mod+Shift+Y'], group: 'window', run: pauseOrResume },
  {
    id: 'setStatus',
    chords: [],
    group: 'window',
    run: ({ dispatch }) => void dispatch(routeOpened({ view: 'settings', section: 'workspace' })),
  },
  { id: 'notices', chords: [], group: 'window', run: openDialog('notice-log') },
  { id: 'downloads', chords: [], group: 'window', run: openDialog('downloads') },
  { id: 'lock', chords: ['Mod+L'], group: 'window', run: ({ dispatch }) => void dispatch(lockNow(undefined)) },
  { id: 'newPoll', chords: [], group: 'composer', run: newPollHere },
  { id: 'shareLocation', chords: [], group: 'composer', run: shareLocationHere },
  { id: 'draftHistory', chords: [], group: 'composer', run: showHistoryHere },
  ...LIST_AND_COMPOSER_ACTIONS,
]

/** The chords of an action on this system. */
export function chordsOf(action: Action, os: 'windows' | 'macos' | 'linux'): readonly Chord[] {
  return os === 'macos' && action.macChords !== undefined ? action.macChords : action.chords
}
