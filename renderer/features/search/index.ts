export { openSaved, selectSavedSearches } from './saved/saved.ts'
