import { createSlice, prepareAutoBatched, type PayloadAction } from '@reduxjs/toolkit'
import type { Place as DestinationPlace } from '#shared/domain/changes.ts'
import type { WindowPlace } from '#shared/bridge/window-place.ts'
import type { Cid, MessageId } from '#shared/lib/brand.ts'
import type { Section } from '#shared/rules/channels/sidebar.ts'
import { replicaAttached } from '../entities.ts'
import { type Dialog, type Panel, type Route, ownsSidebar } from './kinds.ts'

/** Navigation inside a window: what is reset on leaving a place, what stays open beside it, and the history. */

const HISTORY_LIMIT = 50

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

function without(marks: Readonly<Record<string, true>>, cid: string): Readonly<Record<string, true>> {
  if (!(cid in marks)) return marks
  const { [cid]: _removed, ...rest } = marks
  return rest
}

const isOf = (route: Route, cid: Cid | undefined): boolean => route.view === 'channel' && route.cid === cid

const withPanel = (state: UiState, panel: Panel | undefined): UiState => {
  const { panel: _panel, ...rest } = state
  return panel === undefined ? rest : { ...rest, panel }
}

/** The other half, if any; panels are shown over it. */
const halfOf = ({ split }: UiState): Panel | undefined =>
  split === undefined ? undefined : { kind: 'channel', cid: split }

function withoutHalf(state: UiState): UiState {
  const { split, inSplit: _in, ...rest } = state
  return split === undefined ? rest : { ...rest, unreadByHand: without(rest.unreadByHand, split) }
}

/** Resets what applies only while a channel is open. */
function left(state: UiState): UiState {
  const { jump: _jump, ...rest } = withPanel(state, halfOf(state))
  return rest.route.view === 'channel' ? { ...rest, unreadByHand: without(rest.unreadByHand, rest.route.cid) } : rest
}

const placeOf = ({ placeId, route, panel }: UiState): Place => ({
  id: placeId,
  route,
  panel,
})

/** Adds the current place to the history. */
function stopped(state: UiState, inside = false): UiState {
  const here: Place = { ...placeOf(state), ...(inside ? { inside } : {}) }
  const next = state.lastPlaceId + 1
  const isBetween = ownsSidebar(state.route.view) || state.route.view === 'home'
  const back = isBetween && !inside ? state.back : [...state.back, here].slice(-HISTORY_LIMIT)
  return { ...state, back, forward: [], placeId: next, lastPlaceId: next }
}

/** A new history whose places have ids that no place of the previous one had: positions of lists are stored by them. */
export function renumbered(state: UiState, before: UiState | undefined): UiState {
  const next = (before?.lastPlaceId ?? -1) + 1
  return { ...state, placeId: next, lastPlaceId: next }
}

const routeOf = ({ cid, parentId }: WindowPlace): Route =>
  parentId === undefined ? { view: 'channel', cid } : { view: 'thread', cid, parentId }

/** What a window of one place can show: that place, and for a channel also its threads and its search. */
function isShownIn(own: WindowPlace, route: Route): boolean {
  if (route.view === 'thread') return route.cid === own.cid && (own.parentId ?? route.parentId) === route.parentId
  return own.parentId === undefined && (route.view === 'search' || isOf(route, own.cid))
}

function opened(state: UiState, wanted: Route): UiState {
  const { own } = state
  const route = own !== undefined && wanted.view === 'home' ? routeOf(own) : wanted
  if (own !== undefined && !isShownIn(own, route)) return { ...state, elsewhere: { route } }
  // It is open in the other half already: two lists of one channel would both mark it read.
  if (isOf(route, state.split)) return { ...withPanel(state, halfOf(state)), inSplit: true, narrowLevel: 'main' }
  const { inSplit: _in, ...rest } = state
  if (isSame(state.route, route)) return { ...rest, narrowLevel: 'main' }
  return { ...left(stopped(rest)), route, narrowLevel: 'main' }
}

/** Restores a place of the history with its panel; if the panel was the other half, that is reopened. */
function revisited(state: UiState, place: Place, history: Pick<UiState, 'back' | 'forward'>): UiState {
  const { id, route, panel } = place
  // Going back cancels a jump in progress.
  const { jump: _jump, ...settled } = state
  const current = isSame(state.route, route) ? settled : left(settled)
  const half = panel?.kind === 'channel' ? panel.cid : isOf(route, state.split) ? undefined : state.split
  const based = half === undefined ? withoutHalf(current) : { ...current, split: half }
  const { inSplit: _in, ...rest } = withPanel(based, panel ?? halfOf(based))
  return { ...rest, ...history, placeId: id, route, narrowLevel: 'main' }
}

/** Places that look like the current one are skipped. */
const differs = (state: UiState, place: Place, passing: boolean): boolean =>
  passing || !isSame(place.route, state.route) || !isSame(place.panel ?? halfOf(state), state.panel)

function navigatedBack(state: UiState): UiState {
  const at = state.back.findLastIndex((place) => differs(state, place, place.inside === true))
  const target = state.back[at]
  if (target === undefined) return state
  const here: Place = { ...placeOf(state), ...(target.inside === true ? { inside: true } : {}) }
  return revisited(state, target, { back: state.back.slice(0, at), forward: [here, ...state.forward] })
}

function navigatedForward(state: UiState): UiState {
  const at = state.forward.findIndex((place) => differs(state, place, place.inside === true))
  const target = state.forward[at]
  if (target === undefined) return state
  const here: Place = { ...placeOf(state), ...(target.inside === true ? { inside: true } : {}) }
  return revisited(state, target, { back: [...state.back, here], forward: state.forward.slice(at + 1) })
}

/** Leaves a view and its panels; without an earlier place goes home. */
function navigatedOut(state: UiState): UiState {
  const at = state.back.findLastIndex(({ route }) => route.view !== state.route.view)
  const target = state.back[at]
  if (target === undefined) return opened(state, { view: 'home' })
  return revisited(state, target, { back: state.back.slice(0, at), forward: [placeOf(state), ...state.forward] })
}

function panelShown(state: UiState, panel: Panel): UiState {
  const { elsewhere } = state
  if (elsewhere !== undefined && panel.kind === 'thread')
    return { ...state, elsewhere: { ...elsewhere, parentId: panel.parentId } }
  if (isSame(state.panel, panel)) return { ...state, narrowLevel: 'main' }
  return { ...withPanel(stopped(state), panel), narrowLevel: 'main' }
}

/** Closes a panel, which uncovers the other half, or closes the other half. */
function panelHidden(state: UiState): UiState {
  const based = state.panel?.kind === 'channel' ? withoutHalf(state) : state
  return withPanel(based, halfOf(based))
}

/** Opens a channel in the other half, unless it is the open one. */
function splitShown(state: UiState, cid: Cid): UiState {
  if (state.own !== undefined || ownsSidebar(state.route.view)) return opened(state, { view: 'channel', cid })
  if (isOf(state.route, cid)) return { ...state, narrowLevel: 'main' }
  if (isSame(state.panel, { kind: 'channel', cid })) return { ...state, inSplit: true, narrowLevel: 'main' }
  const next: UiState = { ...withoutHalf(stopped(state)), split: cid, inSplit: true, narrowLevel: 'main' }
  return withPanel(next, halfOf(next))
}

/** Moves the focus to the other half, or back to the first. */
export function halfEntered(state: UiState, inSplit: boolean): UiState {
  if ((state.inSplit === true) === (inSplit && state.split !== undefined)) return state
  const { inSplit: _in, ...rest } = state
  return inSplit ? { ...rest, inSplit } : rest
}

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
type Place = {
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
