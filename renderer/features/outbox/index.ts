export { OutboxPanel } from './OutboxPanel.tsx'
export { takeBackItem } from './commands.ts'
