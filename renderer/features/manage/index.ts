import { part } from '../../lib/page/part.tsx'

/** Replaces the sidebar while administration is open. */
export const ManageNav = part(async () => (await import('./Manage.tsx')).ManageNav)

export { Page, useReturnToRow, Listed, BulkBar, Needs } from './Page.tsx'
export { useManage, useMayManage, useTopic } from './state.ts'
export { BROWSING_PAUSE_MS, useLoaded, byCursor, usePagesOf, type PagesOf } from './loading.ts'
export { Question } from './Question.tsx'
export { FindList, type Found } from './FindList.tsx'
