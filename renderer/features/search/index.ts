import { part } from '../../lib/page/part.tsx'

export { openSaved, selectSavedSearches } from './saved/saved.ts'

/** Loaded on first use, or shortly after the start: see {@link warmSearch}. */
export const SearchView = part(async () => (await import('./SearchView.tsx')).SearchView)
export const MentionsView = part(async () => (await import('./MentionsView.tsx')).MentionsView)
export const ContextPanel = part(async () => (await import('./results/ContextPanel.tsx')).ContextPanel)

/** Preloads the code, so that the first search does not wait for it. */
export const warmSearch = (): void => {
  SearchView.warm()
  ContextPanel.warm()
}
