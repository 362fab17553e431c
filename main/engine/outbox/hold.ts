import type { Clock, Stop } from '#main/lib/clock.ts'

/**
 * The queue rests because the server refused who asks. Most often a person is needed; but one proxy or one server of many
 * may have refused by mistake, so a single request asks again from time to time, and ends the hold when it is taken.
 */
type Hold = {
  /** How many requests may leave: all, one that asks, or none. */
  room(): 'all' | 'one' | 'none'
  /** A request was refused. Others that were on their way when the hold began make it no longer. */
  refused(): void
  /** Anyone who asks was let in. Answers whether there was a hold. */
  taken(): boolean
  /** Someone wants to know now. */
  askNow(): void
  stop(): void
}

const FIRST_MS = 1_000
/** No one signed in for long: asking more often would only be noise. */
const LONGEST_MS = 300_000

export function createHold(clock: Pick<Clock, 'after'>, random: () => number, onAsk: () => void): Hold {
  let refusals = 0
  let mayAsk = true
  let planned: Stop | undefined

  function askNow(): void {
    planned?.()
    planned = undefined
    mayAsk = true
  }

  return {
    room: () => (refusals === 0 ? 'all' : mayAsk ? 'one' : 'none'),
    refused() {
      if (!mayAsk) return
      refusals += 1
      mayAsk = false
      const ms = Math.min(FIRST_MS * 2 ** (refusals - 1), LONGEST_MS)
      planned = clock.after(ms * (1 + random() / 4), () => {
        askNow()
        onAsk()
      })
    },
    taken() {
      const wasOn = refusals > 0
      refusals = 0
      askNow()
      return wasOn
    },
    askNow,
    stop: () => planned?.(),
  }
}
