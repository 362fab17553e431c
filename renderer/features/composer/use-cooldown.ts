import { useEffect, useState } from 'react'
import type { Channel } from '#shared/domain/channel.ts'
import { useAppSelector } from '../../store/hooks.ts'
import { cooldownLeft } from './decision.ts'
import type { Place } from './place.ts'
import { selectLastOwnAt } from './selectors.ts'

/** Seconds until slow mode lets the viewer send again, counting down; 0 when nothing holds. */
export function useCooldown(place: Place, channel: Channel): number {
  const free = channel.cooldown <= 0 || channel.capabilities.includes('skip-slow-mode')
  const lastOwnAt = useAppSelector((state) => (free ? undefined : selectLastOwnAt(state, place)))
  const [now, setNow] = useState(() => Date.now())
  // A message newer than the last tick began the wait after it.
  const left = free ? 0 : cooldownLeft(channel.cooldown, lastOwnAt, Math.max(now, lastOwnAt ?? 0))
  const waiting = left > 0
  useEffect(() => {
    if (!waiting) return undefined
    const timer = setInterval(() => setNow(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [waiting])
  return left
}
