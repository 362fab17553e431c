import { LEFT_PLACES_KEPT, type LeftPlace, type LeftPlaces } from '#shared/domain/settings.ts'
import type { Cid } from '#shared/lib/brand.ts'
import { ok } from '#shared/lib/result.ts'
import { accountKeyOf } from '../../../store/accounts.ts'
import { command, type Command } from '../../../store/command.ts'
import { selectSettings } from '../../../store/selectors.ts'
import type { AppState } from '../../../store/store.ts'
import { KEEP_MS, type Places, type Stood } from './places.ts'

/** Errors are ignored: without a saved place the list opens at its default position. */
const keepLeftPlaces = command(
  'messages/placesKept',
  (leftPlaces: LeftPlaces, engine) => engine.settings.update({ leftPlaces }),
  { quiet: true },
)

/**
 * Where a channel was left, in this window or by an earlier start of Parlor. What is unread comes first, unless reading
 * went on there already, or nothing has come since that was not there when it was left.
 */
export function leftPlaceOf(state: AppState, places: Places, cid: Cid, now: number): Stood | undefined {
  const who = accountKeyOf(state)
  const { unread = 0, lastReadAt = Infinity, lastMessageAt = 0 } = state.entities.channels[cid] ?? {}
  const mayStand = (at: number): boolean => unread === 0 || at > lastReadAt
  const here = places.leftAt(who, `timeline:${cid}`, now)
  if (here !== undefined) return mayStand(here.stood.at) || lastMessageAt <= here.newestAt ? here.stood : undefined
  const left = selectSettings(state).leftPlaces[who]?.[cid]
  if (left === undefined || isOld(left, now) || !mayStand(left.at)) return undefined
  const { messageId, at, offset } = left
  return { position: { key: messageId, offset }, near: messageId, at }
}

const isOld = ({ leftAt }: LeftPlace, now: number): boolean => now - leftAt >= KEEP_MS

type Left = { readonly who: string; readonly cid: Cid; readonly stood: Stood; readonly now: number }

/** Places sent by this window and not confirmed yet; the next change builds on them. */
const sent = new WeakMap<object, LeftPlaces>()

/** Saves the position of a channel on disk, or removes it if it is the default. */
export const keepLeftPlace =
  (left: Left): Command<void> =>
  async (dispatch, getState, { engine }) => {
    const before = sent.get(engine) ?? selectSettings(getState()).leftPlaces
    const places = withLeft(before, left)
    if (places === before) return ok(undefined)
    sent.set(engine, places)
    const answer = await dispatch(keepLeftPlaces(places))
    if (sent.get(engine) === places) sent.delete(engine)
    return answer
  }

/** Returns the same object if nothing changes. */
export function withLeft(places: LeftPlaces, { who, cid, stood, now }: Left): LeftPlaces {
  const { [who]: own = {}, ...others } = places
  const { [cid]: before, ...rest } = own
  const left = leftFrom(stood, now)
  if (before?.messageId === left?.messageId && before?.offset === left?.offset) return places
  const kept = Object.entries(left === undefined ? rest : { ...rest, [cid]: left })
    .filter(([, one]) => !isOld(one, now))
    .toSorted(([, one], [, other]) => other.leftAt - one.leftAt)
    .slice(0, LEFT_PLACES_KEPT)
  const live = Object.entries(others).filter(([, of]) => Object.values(of).some((one) => !isOld(one, now)))
  return { ...Object.fromEntries(live), ...(kept.length === 0 ? {} : { [who]: Object.fromEntries(kept) }) }
}

/** The end is not stored, because a list opens there by default. */
function leftFrom({ position, near, at }: Stood, now: number): LeftPlace | undefined {
  if ('fromEnd' in position || near === undefined) return undefined
  return { messageId: near, at: Math.max(0, Math.round(at)), offset: Math.round(position.offset), leftAt: now }
}
