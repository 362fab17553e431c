import { NOTHING_SENDING, type Sending, sumOfSending } from '#main/desktop/ending.ts'
import type { Account } from './account.ts'

/** What the accounts have on its way. `running`: only those whose line is up, where a quit interrupts something. */
export function sendingOf(accounts: readonly Account[], running: boolean): Sending {
  const each = accounts
    .filter(({ engine }) => !running || !engine.connection().offline)
    .map(({ engine }) => engine.sending())
  return each.length === 0 ? NOTHING_SENDING : sumOfSending(each)
}
