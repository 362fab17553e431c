import { useSecond } from '../../lib/time/use-second.ts'

/** Whole seconds until a time (epoch milliseconds), counting down; 0 after it, or without one. */
export function useSecondsTo(time = 0): number {
  const left = (now: number): number => Math.max(0, Math.ceil((time - now) / 1_000))
  return left(useSecond((now) => left(now) > 0))
}
