export { ConnectionBanner } from './ConnectionBanner.tsx'
export { ConnectionChip } from './ConnectionChip.tsx'
