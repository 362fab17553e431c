import { part } from '../../lib/page/part.tsx'

export { AccountCards } from './AccountCards.tsx'
export { AccountLogo } from './AccountLogo.tsx'
export { AccountRail } from './AccountRail.tsx'
export { AccountSwitch } from './AccountSwitch.tsx'
export { goToAccount } from './commands.ts'

/** Loaded on demand. */
export const AccountDialog = part(async () => (await import('./AccountDialog.tsx')).AccountDialog)
export const RenewDialog = part(async () => (await import('./RenewDialog.tsx')).RenewDialog)
