import { MAX_LEFT_PLACES, type LeftPlace, type LeftPlaces } from '#shared/domain/settings.ts'
import type { Cid } from '#shared/lib/brand.ts'
import { ok } from '#shared/lib/result.ts'
import { accountKeyOf } from '../../../store/accounts.ts'
import { command, type Command } from '../../../store/command.ts'
import { perWindow } from '../../../store/objects.ts'
import { selectSettings } from '../../../store/selectors.ts'
import type { AppState } from '../../../store/store.ts'
import { PLACE_MAX_AGE_MS, type Places, type ListPosition } from './places.ts'

/** Errors are ignored: without a saved place the list opens at its default position. */
const saveLeftPlaces = command(
  'messages/leftPlacesSaved',
  (leftPlaces: LeftPlaces, engine) => engine.settings.update({ leftPlaces }),
  { quiet: true },
)

/**
 * Where a channel was left, in this window or by an earlier start of Parlor. What is unread comes first, unless reading
 * went on there already, or nothing has come since that was not there when it was left.
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

type Left = { readonly who: string; readonly cid: Cid; readonly listPosition: ListPosition; readonly now: number }

/** Places of all accounts, sent by this window and not confirmed yet; the next change builds on them. */
const SENT = perWindow((): { places?: LeftPlaces } => ({}))

/** Saves the position of a channel on disk, or removes it if it is the default. */
export const saveLeftPlace =
  (left: Left): Command<void> =>
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
export function withLeft(places: LeftPlaces, { who, cid, listPosition, now }: Left): LeftPlaces {
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
