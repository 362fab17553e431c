import { useCallback, useEffect, useLayoutEffect, useReducer, useRef, useState } from 'react'
import type { WindowKey } from '#shared/domain/changes.ts'
import type { ErrorBody } from '#shared/lib/app-error.ts'
import type { Cid, MessageId } from '#shared/lib/brand.ts'
import type { Result } from '#shared/lib/result.ts'
import { useTexts } from '../../../i18n/index.ts'
import { announce } from '../../../lib/page/announce.ts'
import { accountKeyOf } from '../../../store/accounts.ts'
import { commandFailed } from '../../../store/command.ts'
import { useAppDispatch, useAppSelector, useAppStore, useAttachCount, useObject } from '../../../store/hooks.ts'
import { selectMessage } from '../../../store/selectors.ts'
import type { AppState } from '../../../store/store.ts'
import { jumpDone, placeLeft, type Jump } from '../../../store/window/ui.ts'
import { Course, type Target } from './course.ts'
import type { ListView } from './list-view.ts'
import { leftPlaceOf } from '../places/left-places.ts'
import { messageIdsOf } from '../model/rows.ts'
import { PLACES, type Places, type ListPosition } from '../places/places.ts'
import { unreadMarkOf } from '../row/select.ts'
import { useMissed } from './use-missed.ts'
import { useLeftPlace } from '../places/use-left-place.ts'

/** The position of a list in a request to the engine. */
export type Aim = {
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
  readonly onOpen: (aim: Aim) => Promise<Result<MessageId | null, ErrorBody>>
  readonly onClose: () => void
  /** Where to go at first, if nothing else is asked for. */
  readonly first?: MessageId
  /** Coming back finds the place that was left. */
  readonly remembers?: boolean
}

type Options = Opens & { readonly view: ListView; readonly onForeign: () => void }

export type Travel = {
  readonly course: Course
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
 * The one way to every place of a list. What may ask for one: opening the list, a jump from anywhere in the window, going
 * back and forward in its history, a new attachment to the engine, and what is pressed in the list itself. The last of
 * them is where the list goes; see {@link Course}.
 */
export function useCourse({ onOpen, onClose, view, onForeign, ...opens }: Options): Travel {
  const { windowKey: list, cid, parentId, remembers = false } = opens
  const t = useTexts('messages')
  const store = useAppStore()
  const dispatch = useAppDispatch()
  const attached = useAttachCount()
  const placeId = useAppSelector((state) => state.ui.placeId)
  const request = useAppSelector(({ ui }) => (isFor(ui.jump, cid, parentId) ? ui.jump : undefined))
  const places = useObject(PLACES)
  const [{ who, course, taken }] = useState(() => begin(places, store.getState(), opens))
  const [trip, setOut] = useReducer((count: number) => count + 1, 0)
  const [refused, setRefused] = useState<string>()

  const currentPosition = useCallback((): ListPosition => currentPositionIn(store.getState(), view), [store, view])
  const go = useCallback(
    (target: Target) => {
      course.go(target)
      setOut()
    },
    [course],
  )

  // Attached again: the other side knows of no list, and what is held is its newest page. Before anything of it is rendered.
  const known = useRef(attached)
  useLayoutEffect(() => {
    const look = (): void => {
      const state = store.getState()
      const { attachCount } = state.windows
      // After a switch of accounts this list goes, and leaves its position behind.
      if (attachCount === known.current || accountKeyOf(state) !== who) return
      known.current = attachCount
      course.go(course.unfinished?.target ?? targetOf(currentPosition()), { isBare: true })
    }
    look()
    return store.subscribe(look)
  }, [store, who, course, currentPosition])

  const ask = useRef(onOpen)
  useLayoutEffect(() => {
    ask.current = onOpen
  })
  const requested = useRef(0)
  const isClosed = useRef(false)
  const opened = useRef<number>(undefined)
  const travel = useCallback(async (): Promise<void> => {
    // What is held already needs no asking, unless the list is still to be opened or would be moved by an earlier call.
    const isOpen = opened.current === store.getState().windows.attachCount
    const way = course.unfinished ?? (isOpen && requested.current === 0 ? undefined : course.finished)
    if (way === undefined) return
    opened.current = store.getState().windows.attachCount
    const { target, visit, isBare } = way
    requested.current = visit
    const answer = await ask.current(aimOf(target, visit))
    // Closed in the meantime: the result is ignored.
    if (isClosed.current) return
    const isDue = requested.current === visit
    if (isDue) requested.current = 0
    if (isDue && target.kind === 'newest') setRefused(answer.ok ? undefined : answer.error.code)
    if (course.unfinished?.visit !== visit) return
    if (answer.ok && (answer.value !== null || target.kind === 'newest')) return
    if (target.kind === 'unread') return go({ kind: 'newest' })
    if (target.kind === 'newest') return void (isBare || stayed())
    // There is no such place, or not now: why is said, and the list shows what it can.
    if (answer.ok) announce(t('jump.nothing'))
    else if (isBare && store.getState().entities.channels[cid] === undefined) setRefused(answer.error.code)
    else if (target.kind !== 'back') dispatch(commandFailed({ type: 'messages/visited', error: answer.error }))
    if (isBare) go({ kind: 'newest' })
    else stayed()
    function stayed(): void {
      course.stay()
      setOut()
    }
  }, [course, store, dispatch, go, t, cid])
  useEffect(() => {
    if (attached >= 0 && trip >= 0) void travel()
  }, [travel, attached, trip])
  const close = useRef(onClose)
  useLayoutEffect(() => {
    close.current = onClose
  })
  useEffect(() => {
    isClosed.current = false
    return () => {
      isClosed.current = true
      close.current()
    }
  }, [])

  // What was left: by a jump in the list, by another stop of the history, or as a whole.
  const leftBehind = useRef<number>(undefined)
  useLayoutEffect(
    () => () => {
      // A jump has kept it already, before it moved.
      if (leftBehind.current === placeId) leftBehind.current = undefined
      else if (course.unfinished === undefined) places.saveStop(placeId, list, currentPosition())
    },
    [places, placeId, list, currentPosition, course],
  )
  useMissed({ list, cid, remembers, view, course, go })
  useLeftPlace({ who, list, cid, remembers, view, course, currentPosition })
  const lastNonce = useRef(taken)
  const takeJump = useCallback((): Jump | undefined => {
    const requested = store.getState().ui.jump
    if (requested === undefined || !isFor(requested, cid, parentId)) return undefined
    dispatch(jumpDone())
    const isNews = lastNonce.current !== requested.nonce
    lastNonce.current = requested.nonce
    return isNews ? requested : undefined
  }, [store, dispatch, cid, parentId])
  const leap = useCallback(
    (target: Target) => {
      const here = store.getState().ui.placeId
      places.saveStop(here, list, currentPosition())
      leftBehind.current = here
      dispatch(placeLeft())
      go(target)
    },
    [store, dispatch, places, list, currentPosition, go],
  )
  const stop = useRef(placeId)
  useEffect(() => {
    if (stop.current === placeId) return
    stop.current = placeId
    const listPosition = places.stop(placeId, list)
    if (listPosition !== undefined) go(targetOf(listPosition))
  }, [places, placeId, list, go])
  useEffect(() => {
    const requested = request && takeJump()
    if (requested === undefined) return
    onForeign()
    leap(targetOfJump(requested, store.getState()))
  }, [store, request, takeJump, onForeign, leap])
  // What is pressed in the list is the later wish: a jump from elsewhere that was not heard yet gives in.
  const jump = useCallback(
    (target: Target) => {
      takeJump()
      leap(target)
    },
    [takeJump, leap],
  )
  const press = useCallback(
    (target: Target) => {
      takeJump()
      go(target)
    },
    [takeJump, go],
  )

  const retry = useCallback(() => press({ kind: 'newest' }), [press])
  return { course, jump, go: press, currentPosition, refused, retry }
}

const isFor = (jump: Jump | undefined, cid: Cid, parentId: MessageId | undefined): boolean =>
  jump !== undefined && jump.cid === cid && jump.parentId === parentId

type Begun = { readonly who: string; readonly course: Course; readonly taken: number | undefined }

/** A jump is answered first; then the stop of the history, the place that was left, and the list's own rule. */
function begin(
  places: Places,
  state: AppState,
  { windowKey: list, cid, parentId, first, remembers }: Omit<Opens, 'onOpen' | 'onClose'>,
): Begun {
  const who = accountKeyOf(state)
  const { jump, placeId } = state.ui
  if (jump !== undefined && isFor(jump, cid, parentId)) {
    return { who, course: new Course(targetOfJump(jump, state)), taken: jump.nonce }
  }
  const now = Date.now()
  const left = remembers === true ? leftPlaceOf(state, places, cid, now) : undefined
  const listPosition = places.stop(placeId, list) ?? left
  const isUnread = unreadMarkOf(state, cid, parentId).unread > 0
  const opening: Target = isUnread ? unreadTarget(state, cid, parentId) : { kind: 'newest' }
  const own: Target = first === undefined ? opening : { kind: 'message', id: first }
  return { who, course: new Course(listPosition === undefined ? own : targetOf(listPosition)), taken: undefined }
}

const targetOfJump = ({ cid, parentId, messageId }: Jump, state: AppState): Target =>
  messageId === undefined ? unreadTarget(state, cid, parentId) : { kind: 'message', id: messageId }

const unreadTarget = (state: AppState, cid: Cid, parentId: MessageId | undefined): Target => ({
  kind: 'unread',
  id: unreadMarkOf(state, cid, parentId).firstUnreadId,
})

/** The way back to where a list stood. */
export function targetOf({ position, near, at }: ListPosition): Target {
  return 'fromEnd' in position || near === undefined ? { kind: 'newest' } : { kind: 'back', position, near, at }
}

function aimOf(target: Target, visit: number): Aim {
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
