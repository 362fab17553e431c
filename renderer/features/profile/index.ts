import { lazy } from 'react'

/** They come when they are needed. */
export const MuteDialog = lazy(async () => ({ default: (await import('./MuteDialog.tsx')).MuteDialog }))
export const PersonDialog = lazy(async () => ({ default: (await import('./PersonDialog.tsx')).PersonDialog }))
export const ReportDialog = lazy(async () => ({ default: (await import('./ReportDialog.tsx')).ReportDialog }))
export const BanDialog = lazy(async () => ({ default: (await import('./BanDialog.tsx')).BanDialog }))
export { liftBan, loadBans } from './commands.ts'
