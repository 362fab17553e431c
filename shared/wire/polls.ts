import { endpoint, type None } from './endpoint.ts'
import type { WirePoll, WirePollVote } from './objects.ts'

/** Source: wire contract 3.7. */
export const castVote = endpoint('POST', '/messages/:messageId/polls/:pollId/vote', 'CastPollVote')<
  None,
  { vote: { option_id?: string; answer_text?: string } },
  { vote: WirePollVote; poll?: WirePoll }
>()
export const removeVote = endpoint('DELETE', '/messages/:messageId/polls/:pollId/vote/:voteId', 'DeletePollVote')<
  None,
  None,
  { vote: WirePollVote; poll?: WirePoll }
>()
export const getPoll = endpoint('GET', '/polls/:pollId', 'GetPoll')<None, None, { poll: WirePoll }>()
