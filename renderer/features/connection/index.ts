export {
  LoadingText,
  SKELETON_DELAY_MS,
  NotLoaded as Unanswered,
  UntilLoaded,
  ConnectionBanner,
  ConnectionChip,
  useRetryOnInput,
} from './ConnectionState.tsx'
