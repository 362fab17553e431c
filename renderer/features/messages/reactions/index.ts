export { ReactionGroups } from './ReactionGroups.tsx'
export { glyphOf, Reactions, useToggleReaction } from './Reactions.tsx'
