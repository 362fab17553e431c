export { ReactionGroups, glyphOf } from './ReactionGroups.tsx'
export { Reactions, toggleReaction } from './Reactions.tsx'
