import type { Precision } from '#shared/domain/place.ts'
import type { Cid, MessageId } from '#shared/lib/brand.ts'
import type { LiveShare } from '#shared/bridge/calls/locations.ts'
import type { Point } from '#shared/rules/locations/locations.ts'
import { ok } from '#shared/lib/app-error.ts'
import { command, type Command } from '../../store/command.ts'

const quiet = { quiet: true }

type PlaceToShare = Point & {
  readonly cid: Cid
  readonly precision: Precision
  readonly forMs?: number
  readonly device?: string
  readonly replaces?: string
  readonly again?: boolean
}

/** Quiet: the dialog or the card shows the error. */
export const shareLocation = command(
  'locations/shared',
  (place: PlaceToShare, engine) => engine.locations.share(place),
  quiet,
)
export const moveLocation = command('locations/moved', (to: Point, engine) => engine.locations.move(to), quiet)
export const stopLocation = command('locations/stopped', (share: { readonly messageId: MessageId }, engine) =>
  engine.locations.stop(share),
)
export const readLive = command('locations/liveAsked', (_input: void, engine) => engine.locations.live(), quiet)

export const setTracksEnabled = command('locations/tracksKept', (on: boolean, engine) =>
  engine.settings.update({ locationTracks: on }),
)

/** Stops all own shares; resolves with their number. */
export function stopAllLocations(shares: readonly Pick<LiveShare, 'messageId'>[]): Command<number> {
  return async (dispatch) => {
    for (const { messageId } of shares) {
      const stopped = await dispatch(stopLocation({ messageId }))
      if (!stopped.ok) return stopped
    }
    return ok(shares.length)
  }
}
