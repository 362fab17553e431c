export { Awaited, PATIENCE_MS } from './Awaited.tsx'
export { ConnectionBanner } from './ConnectionBanner.tsx'
export { ConnectionChip } from './ConnectionChip.tsx'
