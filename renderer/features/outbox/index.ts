export { FailedSends, OutboxChip } from './OutboxChip.tsx'
export { useOutboxText, useOutboxWindow, discardItem, retryItem } from './OutboxPanel.tsx'
