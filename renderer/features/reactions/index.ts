export { ReactionGroups } from './ReactionGroups.tsx'
export { Reactions } from './Reactions.tsx'
export { toggleReaction } from './commands.ts'
export { glyphOf } from './glyphs.ts'
