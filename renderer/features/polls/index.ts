import { part } from '../../lib/page/part.tsx'

/** Loaded with the first message that has one. */
export const PollCard = part(async () => (await import('./PollCard.tsx')).PollCard)
