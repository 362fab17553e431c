import type { Channel } from '#shared/domain/channel.ts'
import { useSecond } from '../../../lib/time/use-second.ts'
import { useAppSelector } from '../../../store/hooks.ts'
import { cooldownLeft } from './decision.ts'
import type { Place } from '../place.ts'
import { selectLastOwnAt } from '../selectors.ts'

/** Seconds until slow mode lets the viewer send again, counting down; 0 when they can. */
export function useCooldown(place: Place, channel: Channel): number {
  const free = channel.cooldown <= 0 || channel.capabilities.includes('skip-slow-mode')
  const lastOwnAt = useAppSelector((state) => (free ? undefined : selectLastOwnAt(state, place)))
  // A message newer than the last tick: the cooldown starts at the message.
  const left = (now: number): number =>
    free ? 0 : cooldownLeft(channel.cooldown, lastOwnAt, Math.max(now, lastOwnAt ?? 0))
  return left(useSecond((now) => left(now) > 0))
}
