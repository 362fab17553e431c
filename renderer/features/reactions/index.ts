export { ReactionsDialog } from './ReactionsDialog.tsx'
export { Reactions } from './Reactions.tsx'
export { toggleReaction } from './commands.ts'
export { glyphOf } from './glyphs.ts'
