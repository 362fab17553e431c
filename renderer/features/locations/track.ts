import { useEffect, useState } from 'react'
import type { TrackPoint } from '#shared/domain/place.ts'
import type { Message, MessageLocation } from '#shared/domain/message.ts'
import { useEngine, useSettings } from '../../store/hooks.ts'

const NONE: readonly TrackPoint[] = []

/** The track of a live location as recorded on this device; loaded again when the location moves. */
export function useTrack({ id }: Pick<Message, 'id'>, { updatedAt }: MessageLocation, live: boolean) {
  const engine = useEngine()
  const wanted = useSettings().locationTracks && live
  // `at`: the update that the points were loaded for.
  const [track, setTrack] = useState({ points: NONE, at: 0 })
  useEffect(() => {
    if (!wanted) return undefined
    let here = true
    engine.locations.track({ messageId: id }).then(
      (points) => here && setTrack({ points, at: updatedAt }),
      (reason: unknown) => console.warn('the track was not read', reason),
    )
    return () => {
      here = false
    }
  }, [engine, id, updatedAt, wanted])
  return wanted ? track.points : NONE
}
