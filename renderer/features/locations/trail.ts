import { useEffect, useState } from 'react'
import type { TrailPoint } from '#shared/domain/place.ts'
import type { Message, MessageLocation } from '#shared/domain/message.ts'
import { useEngine, useSettings } from '../../store/hooks.ts'

const NONE: readonly TrailPoint[] = []

/** Where a live place has been, as far as this computer saw and keeps it; read anew when it moves. */
export function useTrail({ id }: Pick<Message, 'id'>, { updatedAt }: MessageLocation, live: boolean) {
  const engine = useEngine()
  const wanted = useSettings().locationTrails && live
  const [trail, setTrail] = useState(NONE)
  useEffect(() => {
    if (!wanted) return undefined
    let here = true
    engine.locations.trail({ messageId: id }).then(
      (points) => here && setTrail(points),
      (reason: unknown) => console.warn('the trail was not read', reason),
    )
    return () => {
      here = false
    }
  }, [engine, id, updatedAt, wanted])
  return wanted ? trail : NONE
}
