import { type Clock, every, type Stop } from '#main/lib/clock.ts'
import type { Host } from '#main/hosts/host.ts'
import { Ending, NOTHING_SENDING, type Sending, sumOfSending } from '#main/desktop/ending.ts'
import type { Account } from './accounts/account.ts'
import type { Translate } from './texts.ts'

/** How often a host without power events checks whether the device slept. */
const CHECK_MS = 15_000
/** The wall clock advanced this much more than the monotonic one: the device slept, or the clock was changed. */
const SLEPT_MS = 20_000

/** Calls `onResume` after the device woke: by a system event if the host has one, else by comparing clocks. */
export function watchResume(host: Pick<Host, 'power' | 'ports'>, onResume: () => void): Stop {
  if (host.power) {
    host.power.onResume(onResume)
    return () => undefined
  }
  return watchClocks(host.ports.clock, onResume)
}

/** Polled, because there is no system event that both hosts receive. */
const CHECK_NETWORK_MS = 3_000

/** Calls `onOnline` when this device joined another network, or is online again. */
export function watchNetwork({ network, ports }: Pick<Host, 'network' | 'ports'>, onOnline: () => void): Stop {
  let before = network.addresses()
  return every(ports.clock, CHECK_NETWORK_MS, () => {
    const now = network.addresses()
    if (now === before) return
    before = now
    if (now !== '') onOnline()
  })
}

/** Without input for this long nobody is in front of the screen. */
const IDLE_MS = 10 * 60_000
/** How often the idle time is checked; the focus of a window ends it at once. */
const CHECK_IDLE_MS = 60_000

/**
 * Reports when the user leaves the device and returns: meanwhile messages on screen are not read. If the host cannot
 * tell, the user is always present.
 *
 * @param idleMs how long without input that takes; `undefined`: they never leave
 */
export function watchAway(
  { power, ports }: Pick<Host, 'power' | 'ports'>,
  notify: (away: boolean) => void,
  idleMs: () => number | undefined = () => IDLE_MS,
): Stop {
  if (!power) return () => undefined
  let notified = false
  let locked = false
  const checkIdle = (): void => {
    const after = idleMs()
    const away = after !== undefined && (locked || (power.idleMs?.() ?? 0) >= after)
    if (away === notified) return
    notified = away
    notify(away)
  }
  power.onLock(() => {
    locked = true
    checkIdle()
  })
  power.onUnlock(() => {
    locked = false
    checkIdle()
  })
  return power.idleMs ? every(ports.clock, CHECK_IDLE_MS, checkIdle) : () => undefined
}

function watchClocks(clock: Clock, onResume: () => void): Stop {
  let before = { wall: clock.now(), monotonic: clock.monotonic() }
  return every(clock, CHECK_MS, () => {
    const now = { wall: clock.now(), monotonic: clock.monotonic() }
    const asleep = now.wall - before.wall - (now.monotonic - before.monotonic)
    before = now
    if (asleep > SLEPT_MS) onResume()
  })
}

type Options = {
  readonly host: Pick<Host, 'ending'>
  readonly translate: Translate
  readonly accounts: () => readonly Account[]
  readonly closing: () => void
  readonly stop: () => Promise<void>
}

/** How the program ends: the host may be asked to wait for uploads; `undefined` if it cannot wait. */
export function linkEnding({ host: { ending }, translate, accounts, closing, stop }: Options): Ending | undefined {
  if (!ending) return undefined
  return new Ending({
    ending,
    translate,
    running: () => sendingOf(accounts(), true),
    left: () => sendingOf(accounts(), false),
    closing,
    stop,
  })
}

/** What the accounts are sending. `running`: only connected accounts, where quitting interrupts something. */
export function sendingOf(accounts: readonly Account[], running: boolean): Sending {
  const each = accounts
    .filter(({ engine }) => !running || !engine.connection().offline)
    .map(({ engine }) => engine.sending())
  return each.length === 0 ? NOTHING_SENDING : sumOfSending(each)
}
