import { createSlice, type PayloadAction } from '@reduxjs/toolkit'
import type { Place as DestinationPlace } from '#shared/domain/changes.ts'
import type { DeepLink } from '#shared/domain/desktop/deep-link.ts'
import type { SentPlace } from '#shared/domain/intent.ts'
import type { PollDefinition } from '#shared/domain/poll.ts'
import type { WindowPlace } from '#shared/bridge/window-place.ts'
import type { Cid, MessageId, PollId, UserId } from '#shared/lib/brand.ts'
import type { Section } from '#shared/rules/channels/sidebar.ts'
import { replicaAttached } from '../changes.ts'
import {
  goneBack,
  goneForward,
  goneOut,
  halfEntered,
  opened,
  panelGone,
  panelShown,
  splitShown,
  stopped,
} from './places.ts'

/** Where the main sheet stands. `home` is a workspace with no channel chosen. */
export type Route =
  | { readonly view: 'home' }
  | { readonly view: 'channel'; readonly cid: Cid }
  | { readonly view: 'drafts' }
  | { readonly view: 'reminders' }
  /** The threads of all channels. */
  | { readonly view: 'threads' }
  /** One thread over the whole sheet. */
  | { readonly view: 'thread'; readonly cid: Cid; readonly parentId: MessageId }
  /** All channels one may see. */
  | { readonly view: 'browse' }
  /** What is unread, channel by channel. */
  | { readonly view: 'catch-up' }
  /** What was said to the viewer, and reactions to what they said. */
  | { readonly view: 'mentions' }
  /** What is searched for stands in `UiState.search`, so that typing leaves the route alone. */
  | { readonly view: 'search' }
  /** `row`: the name of a setting on the page, brought into view and marked. */
  | { readonly view: 'settings'; readonly section: SettingsSection; readonly row?: string }

export const SETTINGS_SECTIONS = [
  'appearance',
  'notifications',
  'language',
  'composing',
  'emoji',
  'reading',
  'privacy',
  'desktop',
  'keyboard',
  'accessibility',
  'advanced',
  'network',
  'storage',
  'workspace',
  'about',
] as const
export type SettingsSection = (typeof SETTINGS_SECTIONS)[number]

export type InfoPage = 'media' | 'files' | 'links' | 'polls' | 'settings'

/** One panel at a time; opening another replaces it. */
export type Panel =
  | { readonly kind: 'thread'; readonly cid: Cid; readonly parentId: MessageId }
  | { readonly kind: 'pinned'; readonly cid: Cid }
  | { readonly kind: 'members'; readonly cid: Cid }
  /** The details of a channel; `page`: drilled into. */
  | { readonly kind: 'info'; readonly cid: Cid; readonly page?: InfoPage }
  | { readonly kind: 'outbox' }
  /** The other half: a channel beside the one in the main sheet. */
  | { readonly kind: 'channel'; readonly cid: Cid }
  /** A message found, among its neighbours. */
  | { readonly kind: 'context'; readonly cid: Cid; readonly messageId: MessageId }

export type SearchTab = 'messages' | 'files' | 'channels' | 'people'

/** The search as it stands; going away and coming back finds it again. */
export type SearchAsked = {
  /** What stands in the field. */
  readonly text: string
  /** Filters taken out of the field, as they were typed: `from:ola`. */
  readonly chips: readonly string[]
  /** "Search here": only this channel. */
  readonly cid?: Cid
  readonly tab: SearchTab
  /** Rises with every wish to search, so that the field takes the focus again. */
  readonly nonce: number
}

export type ChannelQuestion = 'leave' | 'delete' | 'clear' | 'hide' | 'people'

/** A question about the poll of a message. It outlives the message's row, which leaves when it is scrolled away. */
export type OfPoll = {
  readonly what: 'results' | 'answers' | 'suggest' | 'close' | 'edit' | 'remind' | 'changes'
  readonly cid: Cid
  readonly messageId: MessageId
  readonly pollId: PollId
}

export type Dialog =
  | { readonly kind: 'new-channel' }
  | { readonly kind: 'new-direct' }
  | { readonly kind: 'switcher' }
  | { readonly kind: 'shortcuts' }
  /** `adding`: opened to make a new person, so that field comes first. */
  | { readonly kind: 'open-as'; readonly adding?: boolean }
  | { readonly kind: 'create-workspace' }
  | { readonly kind: 'delete-demo' }
  /** An own workspace of this computer. */
  | { readonly kind: 'delete-workspace'; readonly key: string }
  /** Of the account of this window, or of another one. */
  | { readonly kind: 'sign-out'; readonly key?: string }
  /** Name and colour of an account. */
  | { readonly kind: 'account'; readonly key: string }
  /** A new token for an account whose old one is no good any more. */
  | { readonly kind: 'renew'; readonly key: string }
  | { readonly kind: 'network' }
  | { readonly kind: 'notice-log' }
  /** Files that were saved. */
  | { readonly kind: 'downloads' }
  /** The messages held here as a file: of a channel, or all. */
  | { readonly kind: 'export'; readonly cid?: Cid }
  /** Something about a channel that is asked about first, or needs a form. */
  | { readonly kind: 'channel'; readonly what: ChannelQuestion; readonly cid: Cid }
  /** Who someone is, and what one can do about them. */
  | { readonly kind: 'person'; readonly userId: UserId }
  | { readonly kind: 'mute'; readonly target: { readonly cid: Cid } | { readonly userId: UserId } }
  /** Takes someone's right to write in a channel away. */
  | { readonly kind: 'ban'; readonly cid: Cid; readonly userId: UserId }
  /** To those who moderate. */
  | { readonly kind: 'report'; readonly target: { readonly messageId: MessageId } | { readonly userId: UserId } }
  /** A section of the viewer's own: its name, and what to put in it at once. */
  | { readonly kind: 'folder'; readonly id?: string; readonly cid?: Cid }
  | { readonly kind: 'delete-folder'; readonly id: string }
  | { readonly kind: 'why-unread'; readonly cid: Cid; readonly parentId?: MessageId }
  /** A link that leads to another workspace. */
  | { readonly kind: 'elsewhere'; readonly link: DeepLink }
  /** Why a message was told by the system, or was not. */
  | { readonly kind: 'why-notified'; readonly cid: Cid; readonly messageId: MessageId }
  /** Which messages of a channel are told. */
  | { readonly kind: 'notify-level'; readonly cid: Cid }
  /** A poll for this channel. */
  | { readonly kind: 'poll'; readonly cid: Cid; readonly from?: { readonly id: string; readonly poll: PollDefinition } }
  | { readonly kind: 'open-polls' }
  | ({ readonly kind: 'of-poll' } & OfPoll)
  /** Former words of one composer, or of all. */
  | { readonly kind: 'draft-history'; readonly of?: string }
  | { readonly kind: 'location'; readonly cid: Cid; readonly from?: { readonly id: string; readonly place: SentPlace } }
  /** When to be reminded of a message, by date or in words. */
  | { readonly kind: 'reminder'; readonly messageId: MessageId }
  /** The browser let no window be opened without a press for it. */
  | { readonly kind: 'blocked-window'; readonly url: string; readonly place: WindowPlace }

/** A message to bring into view, without an id the first unread one; `nonce`, which no other wish of the window has, makes a second one for it a new one. */
export type Jump = {
  readonly cid: Cid
  readonly messageId?: MessageId
  readonly parentId?: MessageId
  readonly nonce: number
}

/** A stop of the history: where one was, with what beside it. Lists keep under its id where they stood. */
export type Place = {
  readonly id: number
  readonly route: Route
  readonly panel?: Panel
  /** Left by a jump inside the same list, so that going back moves that list. */
  readonly inside?: true
}

/** The account that is to be shown, and where in it. */
type AccountAsked = { readonly key: string; readonly place?: DestinationPlace }

export type UiState = {
  readonly route: Route
  /** The stop one is at now. */
  readonly placeId: number
  /** The highest stop made so far. */
  readonly lastPlaceId: number
  readonly back: readonly Place[]
  readonly forward: readonly Place[]
  readonly panel?: Panel
  /** The channel in the other half. Another panel covers it; closing that uncovers it. */
  readonly split?: Cid
  /** The focus is in the other half, or was there last. */
  readonly inSplit?: true
  /** The one place this window shows; absent in a whole window. */
  readonly own?: WindowPlace
  /** What was asked for in such a window and is not shown there. */
  readonly elsewhere?: { readonly route: Route; readonly messageId?: MessageId; readonly parentId?: MessageId }
  readonly search?: SearchAsked
  readonly dialog?: Dialog
  readonly jump?: Jump
  /** How many jumps were asked for so far. */
  readonly jumps: number
  /** Below 640 px: which of the levels is shown. */
  readonly narrowLevel: 'list' | 'main'
  /** Channels whose message list stands at its newest row. Reported by the list. */
  readonly atBottom: Readonly<Record<string, boolean>>
  /** Marked unread by hand: not read again by itself until left. */
  readonly unreadByHand: Readonly<Record<string, true>>
  /** The rail shown by the user's wish in this window; the window's width may ask for it too. */
  readonly sidebarOpenByHand?: boolean
  /** On the way to another account. */
  readonly leaving?: AccountAsked
  /** The ways to add an account stand over the window; with an address, that of a server to sign in to. */
  readonly adding?: { readonly url?: string }
  /** The order that stands in the sidebar until no one points at it. */
  readonly sidebarHeld?: readonly Section[]
}

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

/** What is searched for; what is absent stands as {@link searchFor} says. */
type SearchWanted = Partial<Omit<SearchAsked, 'nonce'>>

/** The words stay when the same place is searched again, and when a search widens to everywhere. */
function searchFor(before: SearchAsked | undefined, { cid, text, chips, tab }: SearchWanted): SearchAsked {
  const keeps = text === undefined && (cid === undefined || cid === before?.cid)
  return {
    text: text ?? (keeps ? (before?.text ?? '') : ''),
    chips: chips ?? (keeps ? (before?.chips ?? []) : []),
    tab: tab ?? (keeps ? (before?.tab ?? 'messages') : 'messages'),
    nonce: (before?.nonce ?? 0) + 1,
    ...(cid === undefined ? {} : { cid }),
  }
}

type Wanted = WindowPlace & { readonly messageId?: MessageId | undefined }

function asked(state: UiState, { cid, parentId, messageId }: Wanted): UiState {
  const { elsewhere, jumps } = state
  const message = messageId === undefined ? {} : { messageId }
  if (elsewhere !== undefined) return { ...state, elsewhere: { ...elsewhere, ...message } }
  const jump: Jump = { cid, ...message, nonce: jumps + 1, ...(parentId === undefined ? {} : { parentId }) }
  return { ...state, jump, jumps: jumps + 1 }
}

const slice = createSlice({
  name: 'ui',
  initialState: initial,
  reducers: {
    /** The user (or a notification) went somewhere. Going where one already is changes nothing but the level. */
    routeOpened(state: UiState, { payload }: PayloadAction<Route>): UiState {
      return opened(state, payload)
    },
    /** Someone wants to search: here (`cid`) or everywhere, with words and filters or with those of before. */
    searchOpened(state: UiState, { payload }: PayloadAction<SearchWanted>): UiState {
      return { ...opened(state, { view: 'search' }), search: searchFor(state.search, payload) }
    },
    searchChanged(state: UiState, { payload }: PayloadAction<Partial<Omit<SearchAsked, 'nonce' | 'cid'>>>): UiState {
      return { ...state, search: { ...(state.search ?? searchFor(undefined, {})), ...payload } }
    },
    /** The search is no longer for one channel alone. */
    searchWidened(state: UiState): UiState {
      const { cid: _cid, ...rest } = state.search ?? searchFor(undefined, {})
      return { ...state, search: rest }
    },
    wentBack: goneBack,
    wentForward: goneForward,
    /** What was opened is not there: one is where one was before. */
    placeRefused(state: UiState): UiState {
      const before = goneBack(state)
      return before === state ? opened(state, { view: 'home' }) : { ...before, forward: state.forward }
    },
    /** Someone jumped elsewhere in the list they read. */
    placeLeft(state: UiState): UiState {
      return stopped(state, true)
    },
    viewLeft: goneOut,
    listShown(state: UiState): UiState {
      return { ...state, narrowLevel: 'list' }
    },
    panelOpened(state: UiState, { payload }: PayloadAction<Panel>): UiState {
      return panelShown(state, payload)
    },
    panelClosed: panelGone,
    /** A channel in the other half of the window. */
    splitOpened(state: UiState, { payload }: PayloadAction<{ readonly cid: Cid }>): UiState {
      return splitShown(state, payload.cid)
    },
    /** Where the focus is: what is done by key, and what is read, is of that half. */
    splitEntered(state: UiState, { payload }: PayloadAction<{ readonly on: boolean }>): UiState {
      return halfEntered(state, payload.on)
    },
    /** This window shows one place only. */
    ownPlaceSet(state: UiState, { payload }: PayloadAction<WindowPlace>): UiState {
      return opened({ ...state, own: payload }, { view: 'home' })
    },
    /** Someone was led to what this window does not show. */
    ledElsewhere({ elsewhere: _elsewhere, ...rest }: UiState): UiState {
      return rest
    },
    dialogOpened(state: UiState, { payload }: PayloadAction<Dialog>): UiState {
      return { ...state, dialog: payload }
    },
    dialogClosed(state: UiState): UiState {
      const { dialog: _dialog, ...rest } = state
      return rest
    },
    /**
     * The one way from anywhere to a place of a conversation: its channel, the thread beside it, the message in the one or
     * the other, or (`unread`) the first unread one.
     */
    placeOpened(state: UiState, { payload }: PayloadAction<Wanted & { readonly unread?: true }>): UiState {
      const { cid, parentId, messageId, unread } = payload
      const there = opened(state, { view: 'channel', cid })
      const beside = parentId === undefined ? there : panelShown(there, { kind: 'thread', cid, parentId })
      return messageId === undefined && unread !== true ? beside : asked(beside, { cid, parentId, messageId })
    },
    /** Someone wants this message in view, in a list that is shown; the list takes it over with `jumpDone`. */
    jumpAsked(state: UiState, { payload }: PayloadAction<Wanted>): UiState {
      return asked(state, payload)
    },
    jumpDone(state: UiState): UiState {
      const { jump: _jump, ...rest } = state
      return rest
    },
    timelineMoved(state: UiState, { payload }: PayloadAction<{ cid: Cid; atBottom: boolean }>): UiState {
      if (state.atBottom[payload.cid] === payload.atBottom) return state
      return { ...state, atBottom: { ...state.atBottom, [payload.cid]: payload.atBottom } }
    },
    markedUnreadByHand(state: UiState, { payload }: PayloadAction<{ cid: Cid }>): UiState {
      return { ...state, unreadByHand: { ...state.unreadByHand, [payload.cid]: true } }
    },
    sidebarToggledByHand(state: UiState, { payload }: PayloadAction<{ open: boolean | undefined }>): UiState {
      const { sidebarOpenByHand: _open, ...rest } = state
      return payload.open === undefined ? rest : { ...rest, sidebarOpenByHand: payload.open }
    },
    /** The sidebar may stand like this from now on. */
    sidebarSettled(state: UiState, { payload }: PayloadAction<readonly Section[]>): UiState {
      return { ...state, sidebarHeld: payload }
    },
    /** Someone goes to another account: what they write here is saved first, then the window attaches to it. */
    accountAsked(state: UiState, { payload }: PayloadAction<AccountAsked>): UiState {
      const { dialog: _dialog, adding: _adding, ...rest } = state
      return { ...rest, leaving: payload }
    },
    /** It came to nothing: everything is as it was. */
    accountStayed({ leaving: _leaving, ...rest }: UiState): UiState {
      return rest
    },
    /** Another account is to be added beside the one that is shown. */
    addingAsked(state: UiState, { payload = {} }: PayloadAction<{ readonly url?: string } | undefined>): UiState {
      const { dialog: _dialog, ...rest } = state
      return { ...rest, adding: payload }
    },
    addingLeft({ adding: _adding, ...rest }: UiState): UiState {
      return rest
    },
  },
  extraReducers: (builder) => {
    // The window attached to where it was already: the way ends here.
    builder.addCase(replicaAttached, ({ leaving: _leaving, ...rest }) => rest)
  },
})

export const uiReducer = slice.reducer
export const {
  accountAsked,
  accountStayed,
  addingAsked,
  addingLeft,
  dialogClosed,
  dialogOpened,
  jumpAsked,
  jumpDone,
  ledElsewhere,
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
