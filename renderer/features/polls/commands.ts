import type { MessageId } from '#shared/lib/brand.ts'
import { command } from '../../store/command.ts'

type Vote = { readonly messageId: MessageId; readonly optionId: string }

/** Refusals are shown in the card, where they happened. */
export const castVote = command('polls/voteCast', (vote: Vote, engine) => engine.polls.castVote(vote), { quiet: true })
export const removeVote = command('polls/voteRemoved', (vote: Vote, engine) => engine.polls.removeVote(vote), {
  quiet: true,
})
