import { part } from '../../../lib/page/part.tsx'

/** Loaded on demand. */
export const MuteDialog = part(async () => (await import('./MuteDialog.tsx')).MuteDialog)
export const PersonDialog = part(async () => (await import('./PersonDialog.tsx')).PersonDialog)
export const ReportDialog = part(async () => (await import('./ReportDialog.tsx')).ReportDialog)
export const BanDialog = part(async () => (await import('./BanDialog.tsx')).BanDialog)
export { liftBan, loadBans } from './commands.ts'
