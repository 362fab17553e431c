import { lazy } from 'react'

export { PollCard } from './PollCard.tsx'
export { PollQuestions } from './PollQuestions.tsx'
/** Loaded when someone asks for them. */
export const PollDialog = lazy(async () => ({ default: (await import('./form/PollDialog.tsx')).PollDialog }))
export const OpenPollsDialog = lazy(async () => ({ default: (await import('./OpenPollsDialog.tsx')).OpenPollsDialog }))
