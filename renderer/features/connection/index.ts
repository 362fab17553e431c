export { LoadingText, SKELETON_DELAY_MS, NotLoaded as Unanswered, UntilLoaded } from './ConnectionState.tsx'
export { ConnectionBanner } from './ConnectionState.tsx'
export { ConnectionChip } from './ConnectionState.tsx'
export { useRetryOnInput } from './ConnectionState.tsx'
