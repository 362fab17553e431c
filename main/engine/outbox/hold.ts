import type { Clock, Stop } from '#main/lib/clock.ts'

/**
 * Stops the queue after the server rejected the account (its token or its rights). Usually the user has to do something,
 * but a single proxy or server may have rejected it by mistake, so one request is sent from time to time as a probe; the
 * first accepted request ends the hold.
 */
export type Hold = {
  /** How many requests may be sent: all, one probe, or none. */
  allowance(): 'all' | 'one' | 'none'
  /** A request was rejected. Further rejections of requests sent before the hold began do not lengthen it. */
  refused(): void
  /** A request was accepted. Returns whether there was a hold. */
  accepted(): boolean
  /** Allows a probe immediately, at the user's request. */
  probeNow(): void
  stop(): void
}

const FIRST_MS = 1_000
/** After long failure more frequent probes would only add load. */
const LONGEST_MS = 300_000

export function createHold(clock: Pick<Clock, 'after'>, random: () => number, onProbe: () => void): Hold {
  let refusals = 0
  let mayProbe = true
  let planned: Stop | undefined

  function probeNow(): void {
    planned?.()
    planned = undefined
    mayProbe = true
  }

  return {
    allowance: () => (refusals === 0 ? 'all' : mayProbe ? 'one' : 'none'),
    refused() {
      if (!mayProbe) return
      refusals += 1
      mayProbe = false
      const ms = Math.min(FIRST_MS * 2 ** (refusals - 1), LONGEST_MS)
      planned = clock.after(ms * (1 + random() / 4), () => {
        probeNow()
        onProbe()
      })
    },
    accepted() {
      const wasOn = refusals > 0
      refusals = 0
      probeNow()
      return wasOn
    },
    probeNow,
    stop: () => planned?.(),
  }
}
