export { takeBackItem } from './commands.ts'
