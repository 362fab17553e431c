import { part } from '../../lib/page/part.tsx'

export { PollCard } from './PollCard.tsx'
export { PollQuestions } from './PollQuestions.tsx'
/** Loaded on first use. */
export const PollDialog = part(async () => (await import('./form/PollDialog.tsx')).PollDialog)
export const OpenPollsDialog = part(async () => (await import('./OpenPollsDialog.tsx')).OpenPollsDialog)
