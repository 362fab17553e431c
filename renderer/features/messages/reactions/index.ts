export { ReactionGroups, glyphOf, Reactions, useToggleReaction } from './Reactions.tsx'
