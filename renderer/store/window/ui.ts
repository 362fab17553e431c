import { createSlice, prepareAutoBatched, type PayloadAction } from '@reduxjs/toolkit'
import type { Place as DestinationPlace } from '#shared/domain/changes.ts'
import type { WindowPlace } from '#shared/bridge/window-place.ts'
import type { Cid, MessageId } from '#shared/lib/brand.ts'
import type { Section } from '#shared/rules/channels/sidebar.ts'
import { replicaAttached } from '../entities.ts'
import type { Dialog, Panel, Route } from './kinds.ts'
import {
  navigatedBack,
  navigatedForward,
  navigatedOut,
  halfEntered,
  opened,
  panelHidden,
  panelShown,
  splitShown,
  stopped,
} from './places.ts'

export type SearchTab = 'messages' | 'files' | 'channels' | 'people'

/** The state of the search; preserved when the view is left. */
export type SearchState = {
  /** The text in the field. */
  readonly text: string
  /** Filters moved from the text to chips, as typed: `from:ola`. */
  readonly chips: readonly string[]
  /** "Search here": only this channel. */
  readonly cid?: Cid
  /** In all accounts of this profile, unless `cid` is set. */
  readonly everywhere?: boolean
  readonly tab: SearchTab
  /** Rises each time the search is opened, so that the field is focused again. */
  readonly nonce: number
}

/**
 * A message to scroll to, without an id the first unread one; the unique `nonce` makes a second request for the same message
 * a new one.
 */
export type Jump = {
  readonly cid: Cid
  readonly messageId?: MessageId
  readonly parentId?: MessageId
  readonly nonce: number
}

/** An entry of the history: route and panel. Lists store their scroll position under its id. */
export type Place = {
  readonly id: number
  readonly route: Route
  readonly panel?: Panel
  /** Added by a jump inside the same list, so that going back scrolls that list. */
  readonly inside?: true
}

/** The account to switch to, and the place to open in it. */
/** What the start screen begins with: the server to sign in to, or an invitation that was opened. */
type StartPage = { readonly url?: string; readonly invitation?: string }

type AccountSwitchTarget = { readonly key: string; readonly place?: DestinationPlace }

export type UiState = {
  readonly route: Route
  /** The id of the current place. */
  readonly placeId: number
  /** The highest id used so far. */
  readonly lastPlaceId: number
  readonly back: readonly Place[]
  readonly forward: readonly Place[]
  readonly panel?: Panel
  /** The channel in the other half. Another panel covers it; closing that uncovers it. */
  readonly split?: Cid
  /** The other half has the focus, or had it last. */
  readonly inSplit?: true
  /** The place of a window that shows only one; absent in a main window. */
  readonly own?: WindowPlace
  /** Navigation in such a window to a place that it does not show. */
  readonly elsewhere?: { readonly route: Route; readonly messageId?: MessageId; readonly parentId?: MessageId }
  readonly search?: SearchState
  readonly dialog?: Dialog
  readonly jump?: Jump
  /** Number of jumps so far. */
  readonly jumps: number
  /** Below 640 px: which level is shown. */
  readonly narrowLevel: 'list' | 'main'
  /** Whether the message list of a channel is at its newest row. Reported by the list. */
  readonly atBottom: Record<string, boolean>
  /** Marked unread by hand: not marked read automatically until left. */
  readonly unreadByHand: Record<string, true>
  /** The user opened the sidebar although the window is too narrow for it by default. */
  readonly sidebarOpenByHand?: boolean
  /** A switch to another account in progress. */
  readonly leaving?: AccountSwitchTarget
  /** The start screen is open to add an account. */
  readonly adding?: StartPage
  /** The order of the sidebar, frozen while the pointer is over it. */
  readonly sidebarHeld?: readonly Section[]
}

/** The state in a reducer: its fields can be set, and what they contain is replaced. */
type UiDraft = { -readonly [Field in keyof UiState]: UiState[Field] }

const initial: UiState = {
  route: { view: 'home' },
  placeId: 0,
  lastPlaceId: 0,
  jumps: 0,
  back: [],
  forward: [],
  narrowLevel: 'list',
  atBottom: {},
  unreadByHand: {},
}

/** What is restored when the window returns to an account: its place and its history. */
export type LeftUi = Pick<
  UiState,
  'route' | 'placeId' | 'lastPlaceId' | 'back' | 'forward' | 'panel' | 'split' | 'inSplit' | 'search' | 'narrowLevel'
>

export const leftUi = (ui: UiState): LeftUi => {
  const { route, placeId, lastPlaceId, back, forward, panel, split, inSplit, search, narrowLevel } = ui
  return { route, placeId, lastPlaceId, back, forward, panel, split, inSplit, search, narrowLevel }
}

/** A search to open; {@link searchFor} has the defaults. */
type SearchOptions = Partial<Omit<SearchState, 'nonce'>>

/** The previous text is reused when the same place is searched again, and when a search widens to everywhere. */
function searchFor(before: SearchState | undefined, { cid, text, chips, tab, everywhere }: SearchOptions): SearchState {
  const keepsSearch = text === undefined && (cid === undefined || cid === before?.cid)
  return {
    text: text ?? (keepsSearch ? (before?.text ?? '') : ''),
    chips: chips ?? (keepsSearch ? (before?.chips ?? []) : []),
    tab: tab ?? (keepsSearch ? (before?.tab ?? 'messages') : 'messages'),
    nonce: (before?.nonce ?? 0) + 1,
    ...((everywhere ?? (keepsSearch && before?.everywhere)) === true ? { everywhere: true } : {}),
    ...(cid === undefined ? {} : { cid }),
  }
}

type Wanted = WindowPlace & { readonly messageId?: MessageId }

function withJump(state: UiState, { cid, parentId, messageId }: Wanted): UiState {
  const { elsewhere, jumps } = state
  const message = messageId === undefined ? {} : { messageId }
  if (elsewhere !== undefined) return { ...state, elsewhere: { ...elsewhere, ...message } }
  const jump: Jump = { cid, ...message, nonce: jumps + 1, parentId }
  return { ...state, jump, jumps: jumps + 1 }
}

const slice = createSlice({
  name: 'ui',
  initialState: initial,
  reducers: {
    /** Navigates to a route. Navigating to the current one only changes the level. */
    routeOpened(state: UiState, { payload }: PayloadAction<Route>): UiState {
      return opened(state, payload)
    },
    /** Opens the search: in one channel (`cid`) or everywhere, with new text and filters or the previous ones. */
    searchOpened(state: UiState, { payload }: PayloadAction<SearchOptions>): UiState {
      return { ...opened(state, { view: 'search' }), search: searchFor(state.search, payload) }
    },
    searchChanged(state: UiDraft, { payload }: PayloadAction<Partial<Omit<SearchState, 'nonce' | 'cid'>>>) {
      state.search = { ...(state.search ?? searchFor(undefined, {})), ...payload }
    },
    /** Extends the search from one channel to all. */
    searchWidened(state: UiDraft) {
      const { cid: _cid, ...rest } = state.search ?? searchFor(undefined, {})
      state.search = rest
    },
    wentBack: navigatedBack,
    wentForward: navigatedForward,
    /** The place that was opened does not exist: goes back to the previous one. */
    placeRefused(state: UiState): UiState {
      const before = navigatedBack(state)
      return before === state ? opened(state, { view: 'home' }) : { ...before, forward: state.forward }
    },
    /** A jump inside a list: adds the place left to the history. */
    placeLeft(state: UiState): UiState {
      return stopped(state, true)
    },
    viewLeft: navigatedOut,
    listShown(state: UiDraft) {
      state.narrowLevel = 'list'
    },
    panelOpened(state: UiState, { payload }: PayloadAction<Panel>): UiState {
      return panelShown(state, payload)
    },
    panelClosed: panelHidden,
    /** Opens a channel in the other half. */
    splitOpened(state: UiState, { payload }: PayloadAction<{ readonly cid: Cid }>): UiState {
      return splitShown(state, payload.cid)
    },
    /** Records which half has the focus: reading and shortcuts apply to it. */
    splitEntered(state: UiState, { payload }: PayloadAction<{ readonly on: boolean }>): UiState {
      return halfEntered(state, payload.on)
    },
    /** Makes this a window of one place. */
    ownPlaceSet(state: UiState, { payload }: PayloadAction<WindowPlace>): UiState {
      return opened({ ...state, own: payload }, { view: 'home' })
    },
    /** The place that this window does not show was opened in another one. */
    elsewhereOpened(state: UiDraft) {
      delete state.elsewhere
    },
    dialogOpened(state: UiDraft, { payload }: PayloadAction<Dialog>) {
      state.dialog = payload
    },
    dialogClosed(state: UiDraft) {
      delete state.dialog
    },
    /**
     * Opens a place of a conversation: its channel, the thread beside it, and in one of them a message, or (`unread`) the
     * first unread one.
     */
    placeOpened(state: UiState, { payload }: PayloadAction<Wanted & { readonly unread?: true }>): UiState {
      const { cid, parentId, messageId, unread } = payload
      const there = opened(state, { view: 'channel', cid })
      const beside = parentId === undefined ? there : panelShown(there, { kind: 'thread', cid, parentId })
      return messageId === undefined && unread !== true ? beside : withJump(beside, { cid, parentId, messageId })
    },
    /** Requests a jump to a message in an open list; the list ends it with `jumpDone`. */
    jumpRequested(state: UiState, { payload }: PayloadAction<Wanted>): UiState {
      return withJump(state, payload)
    },
    jumpDone(state: UiDraft) {
      delete state.jump
    },
    timelineMoved: {
      // Nothing of it is painted at once: whoever follows it may do so in the next frame.
      prepare: prepareAutoBatched<{ cid: Cid; atBottom: boolean }>(),
      reducer(state: UiDraft, { payload }: PayloadAction<{ cid: Cid; atBottom: boolean }>) {
        state.atBottom[payload.cid] = payload.atBottom
      },
    },
    markedUnreadByHand(state: UiDraft, { payload }: PayloadAction<{ cid: Cid }>) {
      state.unreadByHand[payload.cid] = true
    },
    sidebarToggledByHand(state: UiDraft, { payload }: PayloadAction<{ open: boolean | undefined }>) {
      if (payload.open === undefined) delete state.sidebarOpenByHand
      else state.sidebarOpenByHand = payload.open
    },
    /** Freezes the order of the sidebar. */
    sidebarSettled(state: UiDraft, { payload }: PayloadAction<readonly Section[]>) {
      state.sidebarHeld = payload
    },
    /** Starts a switch of accounts: drafts are saved first, then the window attaches to the other account. */
    accountSwitchStarted(state: UiDraft, { payload }: PayloadAction<AccountSwitchTarget>) {
      delete state.dialog
      delete state.adding
      state.leaving = payload
    },
    /** The switch failed. */
    accountSwitchFailed(state: UiDraft) {
      delete state.leaving
    },
    /** Opens the start screen to add an account. */
    addAccountOpened(state: UiDraft, { payload = {} }: PayloadAction<StartPage | undefined>) {
      delete state.dialog
      state.adding = payload
    },
    addAccountClosed(state: UiDraft) {
      delete state.adding
    },
  },
  extraReducers: (builder) => {
    // Attaching ends a switch of accounts, even if the account is still the same.
    builder.addCase(replicaAttached, (state) => {
      delete state.leaving
    })
  },
})

export const uiReducer = slice.reducer
export const {
  accountSwitchStarted,
  accountSwitchFailed,
  addAccountOpened,
  addAccountClosed,
  dialogClosed,
  dialogOpened,
  jumpRequested,
  jumpDone,
  elsewhereOpened,
  listShown,
  markedUnreadByHand,
  ownPlaceSet,
  panelClosed,
  panelOpened,
  placeLeft,
  placeOpened,
  placeRefused,
  routeOpened,
  searchChanged,
  searchOpened,
  searchWidened,
  sidebarSettled,
  sidebarToggledByHand,
  splitEntered,
  splitOpened,
  timelineMoved,
  viewLeft,
  wentBack,
  wentForward,
} = slice.actions
