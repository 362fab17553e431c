import type { ThunkAction, UnknownAction } from '@reduxjs/toolkit'
import type { AccountHue } from '#shared/domain/account-list.ts'
import { selectAccounts } from '../../store/accounts.ts'
import { command } from '../../store/command.ts'
import type { AppState, StoreExtra } from '../../store/store.ts'
import { accountAsked } from '../../store/window/ui.ts'

/** Shows another account in this window; the one that is shown stays. */
export function goToAccount(key: string): ThunkAction<void, AppState, StoreExtra, UnknownAction> {
  return (dispatch, getState) => {
    if (selectAccounts(getState()).shown !== key) dispatch(accountAsked({ key }))
  }
}

/** The last step of going there: the engine of this window is another one from now on. */
export const showAccount = command('accounts/shown', (input: { key: string }, engine) => engine.session.show(input))

export const arrangeAccounts = command('accounts/arranged', (keys: readonly string[], engine) =>
  engine.session.arrange({ keys: [...keys] }),
)

export const changeAccount = command(
  'accounts/changed',
  (input: { key: string; name?: string; hue?: AccountHue; muted?: boolean }, engine) => engine.session.change(input),
)

export const openAccountWindow = command('accounts/windowOpened', (input: { key: string }, engine) =>
  engine.session.openWindow(input),
)

/** A refusal stands in the dialog that asked. */
export const renewAccount = command(
  'accounts/renewed',
  (input: { key: string; token?: string; tokenUrl?: string }, engine) => engine.session.renew(input),
  { quiet: true },
)
