export { ReactionGroups, glyphOf, Reactions, toggleReaction } from './Reactions.tsx'
