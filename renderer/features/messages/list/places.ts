import { useEffect, useLayoutEffect } from 'react'
import type { MessageId, Cid } from '#shared/lib/brand.ts'
import { MAX_LEFT_PLACES, type LeftPlace, type LeftPlaces } from '#shared/domain/settings.ts'
import { ok } from '#shared/lib/app-error.ts'
import { perAccount, perWindow } from '../../../store/objects.ts'
import { accountKeyOf } from '../../../store/accounts.ts'
import { command, type Command } from '../../../store/command.ts'
import { selectSettings } from '../../../store/selectors.ts'
import type { AppState } from '../../../store/store.ts'
import { useAppDispatch, useAppStore, useObject } from '../../../store/hooks.ts'
import type { Position, ListView } from './list-view.ts'
import type { ListNavigation } from './list-navigation.ts'

/** Position of a list: the nearest message and its time, so that it can be loaded again. */
export type ListPosition = { readonly position: Position; readonly near?: MessageId; readonly at: number }

/** A bounded map that drops its oldest entry. */
class Memory<Value> {
  readonly #held = new Map<string, Value>()
  readonly #limit: number

  constructor(limit: number) {
    this.#limit = limit
  }

  put(key: string, value: Value): void {
    this.#held.delete(key)
    this.#held.set(key, value)
    const oldest = this.#held.size > this.#limit ? this.#held.keys().next().value : undefined
    if (oldest !== undefined) this.#held.delete(oldest)
  }

  get = (key: string): Value | undefined => this.#held.get(key)

  drop(key: string): void {
    this.#held.delete(key)
  }
}

/** How long a place is stored. */
export const PLACE_MAX_AGE_MS = 24 * 3_600_000

type Left = {
  readonly listPosition: ListPosition
  readonly leftAt: number
  /** Time of the newest message of the channel at that moment. */
  readonly newestAt: number
}

/** Positions of the lists of one account in one window. */
export class Places {
  readonly #stops = new Memory<ListPosition>(200)
  readonly #left = new Memory<Left>(50)

  saveStop(stop: number, list: string, listPosition: ListPosition): void {
    this.#stops.put(`${stop} ${list}`, listPosition)
  }

  /** Position of a list at an entry of the window's history. */
  stop = (stop: number, list: string): ListPosition | undefined => this.#stops.get(`${stop} ${list}`)

  /** The end is not stored, because a list opens there by default. */
  leave(list: string, left: Left): void {
    if ('fromEnd' in left.listPosition.position) this.#left.drop(list)
    else this.#left.put(list, left)
  }

  /** Position at which the reader left a list. */
  leftAt(list: string, now: number): Left | undefined {
    const found = this.#left.get(list)
    return found !== undefined && now - found.leftAt < PLACE_MAX_AGE_MS ? found : undefined
  }
}

export const PLACES = perAccount(() => new Places())

/** Errors are ignored: without a saved place the list opens at its default position. */
const saveLeftPlaces = command(
  'messages/leftPlacesSaved',
  (leftPlaces: LeftPlaces, engine) => engine.settings.update({ leftPlaces }),
  { quiet: true },
)

/**
 * Where a channel was left, in this window or by an earlier start of Parlor. Unread messages come first, unless reading
 * already continued there, or nothing has arrived since the channel was left.
 */
export function leftPlaceOf(state: AppState, places: Places, cid: Cid, now: number): ListPosition | undefined {
  const who = accountKeyOf(state)
  const { unread = 0, lastReadAt = Infinity, lastMessageAt = 0 } = state.entities.channels[cid] ?? {}
  const canRestore = (at: number): boolean => unread === 0 || at > lastReadAt
  const here = places.leftAt(`timeline:${cid}`, now)
  if (here !== undefined)
    return canRestore(here.listPosition.at) || lastMessageAt <= here.newestAt ? here.listPosition : undefined
  const left = selectSettings(state).leftPlaces[who]?.[cid]
  if (left === undefined || isOld(left, now) || !canRestore(left.at)) return undefined
  const { messageId, at, offset } = left
  return { position: { key: messageId, offset }, near: messageId, at }
}

const isOld = ({ leftAt }: LeftPlace, now: number): boolean => now - leftAt >= PLACE_MAX_AGE_MS

type LeftChannel = {
  readonly who: string
  readonly cid: Cid
  readonly listPosition: ListPosition
  readonly now: number
}

/** Places of all accounts, sent by this window and not confirmed yet; the next change builds on them. */
const SENT = perWindow((): { places?: LeftPlaces } => ({}))

/** Saves the position of a channel on disk, or removes it if it is the default. */
const saveLeftPlace =
  (left: LeftChannel): Command<void> =>
  async (dispatch, getState, { objects }) => {
    const sent = objects.of(SENT)
    const before = sent.places ?? selectSettings(getState()).leftPlaces
    const places = withLeft(before, left)
    if (places === before) return ok(undefined)
    sent.places = places
    const answer = await dispatch(saveLeftPlaces(places))
    if (sent.places === places) delete sent.places
    return answer
  }

/** Returns the same object if nothing changes. */
export function withLeft(places: LeftPlaces, { who, cid, listPosition, now }: LeftChannel): LeftPlaces {
  const { [who]: own = {}, ...others } = places
  const { [cid]: before, ...rest } = own
  const left = leftFrom(listPosition, now)
  if (before?.messageId === left?.messageId && before?.offset === left?.offset) return places
  const recent = Object.entries(left === undefined ? rest : { ...rest, [cid]: left })
    .filter(([, one]) => !isOld(one, now))
    .toSorted(([, one], [, other]) => other.leftAt - one.leftAt)
    .slice(0, MAX_LEFT_PLACES)
  const live = Object.entries(others).filter(([, of]) => Object.values(of).some((one) => !isOld(one, now)))
  return { ...Object.fromEntries(live), ...(recent.length === 0 ? {} : { [who]: Object.fromEntries(recent) }) }
}

/** The end is not stored, because a list opens there by default. */
function leftFrom({ position, near, at }: ListPosition, now: number): LeftPlace | undefined {
  if ('fromEnd' in position || near === undefined) return undefined
  return { messageId: near, at: Math.max(0, Math.round(at)), offset: Math.round(position.offset), leftAt: now }
}

/** The position is saved after this time without scrolling, so at most this much is lost in a crash. */
const REST_MS = 1_000

type LeftPlaceOptions = {
  readonly who: string
  readonly list: string
  readonly cid: Cid
  readonly remembers: boolean
  readonly view: ListView
  readonly navigation: ListNavigation
  readonly currentPosition: () => ListPosition
}

/** Saves where a channel was left: in memory for Back, on disk for the next start. */
export function useLeftPlace({ who, list, cid, remembers, view, navigation, currentPosition }: LeftPlaceOptions): void {
  const dispatch = useAppDispatch()
  const store = useAppStore()
  const places = useObject(PLACES)
  useLayoutEffect(
    () => () => {
      if (!remembers || !isThere(navigation, view)) return
      const listPosition = currentPosition()
      const newestAt = store.getState().entities.channels[cid]?.lastMessageAt ?? 0
      places.leave(list, { listPosition, newestAt, leftAt: Date.now() })
      void dispatch(saveLeftPlace({ who, cid, listPosition, now: Date.now() }))
    },
    [store, places, dispatch, remembers, who, list, cid, currentPosition, navigation, view],
  )
  useEffect(() => {
    if (!remembers) return undefined
    let timer: ReturnType<typeof setTimeout> | undefined
    const save = (): void => {
      clearTimeout(timer)
      if (isThere(navigation, view))
        void dispatch(saveLeftPlace({ who, cid, listPosition: currentPosition(), now: Date.now() }))
    }
    const rested = (): void => {
      clearTimeout(timer)
      timer = setTimeout(save, REST_MS)
    }
    const letGo = view.followTopRow(rested)
    window.addEventListener('pagehide', save)
    return () => {
      clearTimeout(timer)
      letGo()
      window.removeEventListener('pagehide', save)
    }
  }, [dispatch, remembers, who, cid, currentPosition, navigation, view])
}

/** During a jump, or without rows, a list has no position. */
const isThere = (navigation: ListNavigation, { rows }: ListView): boolean =>
  navigation.pending === undefined && rows.length > 0
