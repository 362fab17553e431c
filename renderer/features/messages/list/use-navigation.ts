import { useCallback, useEffect, useLayoutEffect, useReducer, useRef, useState } from 'react'
import type { WindowKey } from '#shared/domain/changes.ts'
import type { ErrorBody, Result } from '#shared/lib/app-error.ts'
import type { Cid, MessageId } from '#shared/lib/brand.ts'
import { useTexts } from '../../../i18n/index.ts'
import { announce } from '../../../lib/page/announce.ts'
import { accountKeyOf } from '../../../store/accounts.ts'
import { commandFailed } from '../../../store/command.ts'
import {
  useAppDispatch,
  useAppSelector,
  useAppStore,
  useAttachCount,
  useObject,
  useChannelField,
  useConnection,
  useWindow,
} from '../../../store/hooks.ts'
import { selectMessage } from '../../../store/selectors.ts'
import type { AppState } from '../../../store/store.ts'
import { jumpDone, placeLeft, type Jump } from '../../../store/window/ui.ts'
import { messageIdsOf } from '../model/rows.ts'
import { unreadMarkOf } from '../row/select.ts'
import { leftPlaceOf, PLACES, type Places, type ListPosition, useLeftPlace } from './places.ts'
import { ListNavigation, type Target } from './list-navigation.ts'
import type { ListView } from './list-view.ts'

/** The position of a list in a request to the engine. */
export type OpenAt = {
  readonly around?: MessageId
  readonly at?: number
  readonly unread?: true
  readonly visit?: number
}

export type Opens = {
  /** Window key, which identifies the list. */
  readonly windowKey: WindowKey
  readonly cid: Cid
  readonly parentId?: MessageId
  /** Opens or moves the window. Errors are shown by this list. */
  readonly onOpen: (openAt: OpenAt) => Promise<Result<MessageId | null, ErrorBody>>
  readonly onClose: () => void
  /** Where to go at first, if nothing else is requested. */
  readonly first?: MessageId
  /** Coming back finds the place that was left. */
  readonly remembers?: boolean
}

type Options = Opens & { readonly view: ListView; readonly onForeign: () => void }

export type NavigationControls = {
  readonly navigation: ListNavigation
  /** Goes there, with a history entry for Back. */
  readonly jump: (target: Target) => void
  /** Goes there without a history entry. */
  readonly go: (target: Target) => void
  readonly currentPosition: () => ListPosition
  /** Error code if the list could not be opened. */
  readonly refused: string | undefined
  /** Retries the failed request. */
  readonly retry: () => void
}

/**
 * Every change of a list's position that is not scrolling goes through here: opening the list, a jump from anywhere in
 * the window, going back and forward in its history, a new attachment to the engine, and clicks in the list itself. The
 * last request wins; see {@link ListNavigation}.
 */
export function useNavigation({ onOpen, onClose, view, onForeign, ...opens }: Options): NavigationControls {
  const { windowKey: list, cid, parentId, remembers = false } = opens
  const store = useAppStore()
  const places = useObject(PLACES)
  const [{ who, navigation, taken }] = useState(() => begin(places, store.getState(), opens))
  const [started, render] = useReducer((count: number) => count + 1, 0)
  const currentPosition = useCallback((): ListPosition => currentPositionIn(store.getState(), view), [store, view])
  const go = useCallback(
    (target: Target) => {
      navigation.go(target)
      render()
    },
    [navigation],
  )
  const cancel = useCallback(() => {
    navigation.cancel()
    render()
  }, [navigation])
  useReattachment({ who, navigation, currentPosition })
  const refused = useWindowRequests({ cid, navigation, started, go, cancel, onOpen, onClose })
  useMissed({ list, cid, remembers, view, navigation, go })
  useLeftPlace({ who, list, cid, remembers, view, navigation, currentPosition })
  const saveStop = useHistoryStops({ list, navigation, go, currentPosition })
  const { jump, press } = useJumps({ cid, parentId, taken, go, saveStop, onForeign })
  const retry = useCallback(() => press({ kind: 'newest' }), [press])
  return { navigation, jump, go: press, currentPosition, refused, retry }
}

type Steps = {
  readonly navigation: ListNavigation
  readonly go: (target: Target) => void
  readonly currentPosition: () => ListPosition
}

/**
 * After a new attachment the engine has no window for this list, and the one in the store contains its newest page: the
 * list returns to its position. Decided when the store changes, before any of that page is rendered.
 */
function useReattachment({ who, navigation, currentPosition }: Omit<Steps, 'go'> & { readonly who: string }): void {
  const store = useAppStore()
  const known = useRef(useAttachCount())
  useLayoutEffect(() => {
    const check = (): void => {
      const state = store.getState()
      const { attachCount } = state.windows
      // After a switch of accounts this list unmounts, and saves its position for the previous account.
      if (attachCount === known.current || accountKeyOf(state) !== who) return
      known.current = attachCount
      navigation.go(navigation.pending?.target ?? targetOf(currentPosition()), { isHidden: true })
    }
    check()
    return store.subscribe(check)
  }, [store, who, navigation, currentPosition])
}

type RequestOptions = Pick<Opens, 'cid' | 'onOpen' | 'onClose'> &
  Pick<Steps, 'navigation' | 'go'> & {
    /** Counts the navigations that were started or canceled. */
    readonly started: number
    readonly cancel: () => void
  }

/**
 * Opens the window in the engine, moves it to each target, and closes it when the list unmounts. Returns the error code
 * if the window could not be opened.
 */
function useWindowRequests({
  cid,
  navigation,
  started,
  go,
  cancel,
  onOpen,
  onClose,
}: RequestOptions): string | undefined {
  const t = useTexts('messages')
  const store = useAppStore()
  const dispatch = useAppDispatch()
  const attached = useAttachCount()
  const [refused, setRefused] = useState<string>()
  const latest = useRef({ onOpen, onClose })
  useLayoutEffect(() => {
    latest.current = { onOpen, onClose }
  })
  const requested = useRef(0)
  const isClosed = useRef(false)
  const opened = useRef<number>(undefined)
  const request = useCallback(async (): Promise<void> => {
    // A window that is loaded needs no request, unless it is not open yet or an earlier request would move it.
    const isOpen = opened.current === store.getState().windows.attachCount
    const next = navigation.pending ?? (isOpen && requested.current === 0 ? undefined : navigation.completed)
    if (next === undefined) return
    opened.current = store.getState().windows.attachCount
    const { target, visit, isHidden } = next
    requested.current = visit
    const answer = await latest.current.onOpen(openAtOf(target, visit))
    // Closed in the meantime: the result is ignored.
    if (isClosed.current) return
    const isLatest = requested.current === visit
    if (isLatest) requested.current = 0
    if (isLatest && target.kind === 'newest') setRefused(answer.ok ? undefined : answer.error.code)
    if (navigation.pending?.visit !== visit) return
    if (answer.ok && (answer.value !== null || target.kind === 'newest')) return
    if (target.kind === 'unread') return go({ kind: 'newest' })
    if (target.kind === 'newest') return isHidden ? undefined : cancel()
    // The target does not exist, or could not be loaded: the reason is shown, and the list shows what it can.
    if (answer.ok) announce(t('jump.nothing'))
    else if (isHidden && store.getState().entities.channels[cid] === undefined) setRefused(answer.error.code)
    else if (target.kind !== 'back') dispatch(commandFailed({ type: 'messages/visited', error: answer.error }))
    if (isHidden) go({ kind: 'newest' })
    else cancel()
  }, [navigation, store, dispatch, go, cancel, t, cid])
  useEffect(() => {
    if (attached >= 0 && started >= 0) void request()
  }, [request, attached, started])
  useEffect(() => {
    isClosed.current = false
    return () => {
      isClosed.current = true
      latest.current.onClose()
    }
  }, [])
  return refused
}

/**
 * Saves the position of the list at each entry of the window's history, and returns to it when the user goes back or
 * forward. Returns a function that saves it before a jump, which adds an entry.
 */
function useHistoryStops({ list, navigation, go, currentPosition }: Steps & { readonly list: WindowKey }): () => void {
  const store = useAppStore()
  const places = useObject(PLACES)
  const placeId = useAppSelector((state) => state.ui.placeId)
  /** The entry whose position a jump has saved already, before it moved the list. */
  const saved = useRef<number>(undefined)
  useLayoutEffect(
    () => () => {
      if (saved.current === placeId) saved.current = undefined
      else if (navigation.pending === undefined) places.saveStop(placeId, list, currentPosition())
    },
    [places, placeId, list, currentPosition, navigation],
  )
  const shown = useRef(placeId)
  useEffect(() => {
    if (shown.current === placeId) return
    shown.current = placeId
    const listPosition = places.stop(placeId, list)
    if (listPosition !== undefined) go(targetOf(listPosition))
  }, [places, placeId, list, go])
  return useCallback(() => {
    const current = store.getState().ui.placeId
    places.saveStop(current, list, currentPosition())
    saved.current = current
  }, [store, places, list, currentPosition])
}

type JumpOptions = Pick<Options, 'cid' | 'parentId' | 'onForeign'> &
  Pick<Steps, 'go'> & {
    /** Nonce of the jump with which the list was opened. */
    readonly taken: number | undefined
    readonly saveStop: () => void
  }

/** Jumps that other parts of the window request through the store, and those from the list itself. */
function useJumps({ cid, parentId, taken, go, saveStop, onForeign }: JumpOptions) {
  const store = useAppStore()
  const dispatch = useAppDispatch()
  const request = useAppSelector(({ ui }) => (isFor(ui.jump, cid, parentId) ? ui.jump : undefined))
  const lastNonce = useRef(taken)
  const takeRequest = useCallback((): Jump | undefined => {
    const requested = store.getState().ui.jump
    if (requested === undefined || !isFor(requested, cid, parentId)) return undefined
    dispatch(jumpDone())
    const isNew = lastNonce.current !== requested.nonce
    lastNonce.current = requested.nonce
    return isNew ? requested : undefined
  }, [store, dispatch, cid, parentId])
  const goWithEntry = useCallback(
    (target: Target) => {
      saveStop()
      dispatch(placeLeft())
      go(target)
    },
    [dispatch, saveStop, go],
  )
  useEffect(() => {
    const requested = request && takeRequest()
    if (requested === undefined) return
    onForeign()
    goWithEntry(targetOfJump(requested, store.getState()))
  }, [store, request, takeRequest, onForeign, goWithEntry])
  // A click in the list is later than a requested jump that was not handled yet, and replaces it.
  const jump = useCallback(
    (target: Target) => {
      takeRequest()
      goWithEntry(target)
    },
    [takeRequest, goWithEntry],
  )
  const press = useCallback(
    (target: Target) => {
      takeRequest()
      go(target)
    },
    [takeRequest, go],
  )
  return { jump, press }
}

const isFor = (jump: Jump | undefined, cid: Cid, parentId: MessageId | undefined): boolean =>
  jump !== undefined && jump.cid === cid && jump.parentId === parentId

type Begun = { readonly who: string; readonly navigation: ListNavigation; readonly taken: number | undefined }

/** First target: a requested jump, else the position in the history, else where the channel was left, else the default. */
function begin(
  places: Places,
  state: AppState,
  { windowKey: list, cid, parentId, first, remembers }: Omit<Opens, 'onOpen' | 'onClose'>,
): Begun {
  const who = accountKeyOf(state)
  const { jump, placeId } = state.ui
  if (jump !== undefined && isFor(jump, cid, parentId)) {
    return { who, navigation: new ListNavigation(targetOfJump(jump, state)), taken: jump.nonce }
  }
  const now = Date.now()
  const left = remembers === true ? leftPlaceOf(state, places, cid, now) : undefined
  const listPosition = places.stop(placeId, list) ?? left
  const isUnread = unreadMarkOf(state, cid, parentId).unread > 0
  const opening: Target = isUnread ? unreadTarget(state, cid, parentId) : { kind: 'newest' }
  const own: Target = first === undefined ? opening : { kind: 'message', id: first }
  return {
    who,
    navigation: new ListNavigation(listPosition === undefined ? own : targetOf(listPosition)),
    taken: undefined,
  }
}

const targetOfJump = ({ cid, parentId, messageId }: Jump, state: AppState): Target =>
  messageId === undefined ? unreadTarget(state, cid, parentId) : { kind: 'message', id: messageId }

const unreadTarget = (state: AppState, cid: Cid, parentId: MessageId | undefined): Target => ({
  kind: 'unread',
  id: unreadMarkOf(state, cid, parentId).firstUnreadId,
})

/** The target that returns to a position. */
export function targetOf({ position, near, at }: ListPosition): Target {
  return 'fromEnd' in position || near === undefined ? { kind: 'newest' } : { kind: 'back', position, near, at }
}

function openAtOf(target: Target, visit: number): OpenAt {
  switch (target.kind) {
    case 'newest':
      return {}
    case 'message':
      return { around: target.id, visit }
    case 'unread':
      return { unread: true, visit }
    case 'time':
      return { at: target.at, visit }
    case 'back':
      return { around: target.near, visit, at: target.at > 0 ? target.at : undefined }
  }
}

function currentPositionIn(state: AppState, view: ListView): ListPosition {
  const position = view.where()
  const { rows } = view
  if ('fromEnd' in position) return { position, at: 0 }
  const from = rows.findIndex((row) => row.key === position.key)
  const near = from < 0 ? undefined : rows.slice(from).flatMap(messageIdsOf)[0]
  return { position, near, at: (near === undefined ? undefined : selectMessage(state, near)?.createdAt) ?? 0 }
}

type MissedOptions = {
  readonly list: WindowKey
  readonly cid: Cid
  readonly remembers: boolean
  readonly view: ListView
  readonly navigation: ListNavigation
  readonly go: (target: Target) => void
}

/**
 * A channel that is opened while disconnected shows its cached messages. Messages that arrived while Parlor was closed
 * are known only after its first page is loaded: if the user has not scrolled or jumped by then, the list goes to the
 * unread line.
 */
function useMissed({ list, cid, remembers, view, navigation, go }: MissedOptions): void {
  const store = useAppStore()
  const isHealthy = useConnection().state === 'healthy'
  const loading = useWindow(list)?.loading ?? 'none'
  const unread = useChannelField(cid, 'unread') ?? 0
  const first = useRef(navigation.pending?.visit)
  const stage = useRef<'waiting' | 'loading' | 'done'>(remembers && !isHealthy && unread === 0 ? 'waiting' : 'done')
  useEffect(() => {
    if (stage.current === 'waiting' && isHealthy && loading !== 'none') stage.current = 'loading'
    const isDue = stage.current !== 'done' && unread > 0
    if (isDue || (stage.current === 'loading' && loading === 'none')) stage.current = 'done'
    const { visit, target } = navigation.pending ?? navigation.completed ?? {}
    const isOpening = visit === first.current && (target?.kind === 'newest' || target?.kind === 'back')
    if (!isDue || !isOpening || !view.isUntouched) return
    go({ kind: 'unread', id: store.getState().entities.channels[cid]?.firstUnreadId })
  }, [isHealthy, loading, unread, store, cid, navigation, view, go])
}
