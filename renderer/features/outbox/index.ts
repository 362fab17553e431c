export { discardItem, retryItem, takeBackItem } from './commands.ts'
