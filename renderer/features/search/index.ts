export { openInChannel } from './commands.ts'
export { openSaved, selectSavedSearches } from './saved/saved.ts'
