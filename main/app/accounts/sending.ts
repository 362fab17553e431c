import { NOTHING_SENDING, type Sending, sumOfSending } from '#main/desktop/ending.ts'
import type { Account } from './account.ts'

/** What the accounts are sending. `running`: only connected accounts, where quitting interrupts something. */
export function sendingOf(accounts: readonly Account[], running: boolean): Sending {
  const each = accounts
    .filter(({ engine }) => !running || !engine.connection().offline)
    .map(({ engine }) => engine.sending())
  return each.length === 0 ? NOTHING_SENDING : sumOfSending(each)
}
