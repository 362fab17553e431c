import { part } from '../../lib/page/part.tsx'

/** Replaces the sidebar while administration is open. */
export const ManageNav = part(async () => (await import('./Manage.tsx')).ManageNav)

export { ImportChip } from './imports/ImportChip.tsx'
export { useManage, useMayManage } from './state.ts'
