import { Ending, NOTHING_SENDING, type Sending, sumOfSending } from '#main/desktop/ending.ts'
import type { Host } from '#main/hosts/host.ts'
import type { Account } from './accounts/account.ts'
import type { Translate } from './texts.ts'

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
