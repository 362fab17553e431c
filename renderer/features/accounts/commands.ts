import type { SmallPicture } from '#shared/bridge/schemas.ts'
import type { AccountHue } from '#shared/domain/session.ts'
import { selectAccounts } from '../../store/accounts.ts'
import { command } from '../../store/command.ts'
import type { Thunk } from '../../store/store.ts'
import { accountSwitchStarted } from '../../store/window/ui.ts'

/** Switches this window to another account; does nothing for the current one. */
export function goToAccount(key: string): Thunk {
  return (dispatch, getState) => {
    if (selectAccounts(getState()).shown !== key) dispatch(accountSwitchStarted({ key }))
  }
}

/** The last step of the switch: from now on this window uses the engine of the other account. */
export const showAccount = command('accounts/shown', (input: { key: string }, engine) => engine.session.show(input))

export const arrangeAccounts = command('accounts/arranged', (keys: readonly string[], engine) =>
  engine.session.arrange({ keys: [...keys] }),
)

export const changeAccount = command(
  'accounts/changed',
  (input: { key: string; name?: string; icon?: SmallPicture | null; hue?: AccountHue; muted?: boolean }, engine) =>
    engine.session.change(input),
)

export const openAccountWindow = command('accounts/windowOpened', (input: { key: string }, engine) =>
  engine.session.openWindow(input),
)

/** Quiet: the dialog shows the error. */
export const renewAccount = command(
  'accounts/renewed',
  (input: { key: string; token?: string; tokenUrl?: string }, engine) => engine.session.renew(input),
  { quiet: true },
)
