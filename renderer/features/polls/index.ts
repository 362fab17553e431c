export { PollCard } from './PollCard.tsx'
