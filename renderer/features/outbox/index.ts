export { OutboxPanel } from './OutboxPanel.tsx'
export { discardItem, retryItem, takeBackItem } from './commands.ts'
