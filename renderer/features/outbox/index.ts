export { FailedSends, OutboxChip } from './OutboxChip.tsx'
export { discardItem, retryItem, takeBackItem } from './commands.ts'
export { useOutboxText, useOutboxWindow } from './OutboxPanel.tsx'
