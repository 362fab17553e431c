export { DraftsView } from './DraftsView.tsx'
export { selectDraftCount } from './selectors.ts'
