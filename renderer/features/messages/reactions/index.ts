export { glyphOf, Reactions, useToggleReaction } from './Reactions.tsx'
