export { Composer } from './Composer.tsx'
export { saveDraft } from './commands.ts'
