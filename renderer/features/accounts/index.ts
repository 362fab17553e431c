import { lazy } from 'react'

export { AccountCards } from './AccountCards.tsx'
export { AccountLogo } from './AccountLogo.tsx'
export { AccountRail } from './AccountRail.tsx'
export { AccountSwitch } from './AccountSwitch.tsx'
export { goToAccount } from './commands.ts'

/** Loaded when they are asked for. */
export const AccountDialog = lazy(async () => ({ default: (await import('./AccountDialog.tsx')).AccountDialog }))
export const RenewDialog = lazy(async () => ({ default: (await import('./RenewDialog.tsx')).RenewDialog }))
