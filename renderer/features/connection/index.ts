export { LoadingText, SKELETON_DELAY_MS, NotLoaded as Unanswered, UntilLoaded } from './NotLoaded.tsx'
export { ConnectionBanner } from './ConnectionBanner.tsx'
export { ConnectionChip } from './ConnectionChip.tsx'
export { useRetryOnInput } from './ConnectionBanner.tsx'
