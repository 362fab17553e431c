export { continueDraft, discardDraft, reschedule } from './commands.ts'
