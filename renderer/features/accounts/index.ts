export { AccountCards, AccountLogo } from './AccountCards.tsx'
export { AccountRail } from './AccountRail.tsx'
export { AccountSwitch } from './AccountSwitch.tsx'
export { goToAccount } from './commands.ts'
