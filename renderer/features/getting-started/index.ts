export { useChannelStart } from './GettingStarted.tsx'
