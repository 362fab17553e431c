import { lazy } from 'react'

export { openSaved, selectSavedSearches } from './saved.ts'

const loadView = () => import('./SearchView.tsx')
const loadContext = () => import('./ContextPanel.tsx')

/** Both come when they are needed, or a little after the start: see {@link warmSearch}. */
export const SearchView = lazy(() => loadView().then((part) => ({ default: part.SearchView })))
export const MentionsView = lazy(() => import('./MentionsView.tsx').then((part) => ({ default: part.MentionsView })))
export const ContextPanel = lazy(() => loadContext().then((part) => ({ default: part.ContextPanel })))

/** Fetches the search's code, so that the first search does not wait for it. */
export const warmSearch = (): void => {
  Promise.all([loadView(), loadContext()]).catch(() => {
    // Tried again when it is asked for, and told then.
  })
}
