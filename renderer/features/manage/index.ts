import { part } from '../../lib/page/part.tsx'

/** Replaces the sidebar while administration is open. */
export const ManageNav = part(async () => (await import('./ManageNav.tsx')).ManageNav)

export { Page, useReturnToRow } from './Page.tsx'
export { Needs } from './Needs.tsx'
export { useManage, useMayManage, useTopic } from './state.ts'
export { BROWSING_PAUSE_MS, useLoaded } from './use-loaded.ts'
export { byCursor, usePagesOf, type PagesOf } from './use-pages-of.ts'
export { FindList, type Found } from './FindList.tsx'
export { Listed } from './Listed.tsx'
export { BulkBar } from './BulkBar.tsx'
