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

export type PollInput = {
  id?: string
  name: string
  description?: string
  options?: readonly { id?: string; text: string }[]
  enforce_unique_vote?: boolean
  max_votes_allowed?: number | null
  allow_answers?: boolean
  allow_user_suggested_options?: boolean
  voting_visibility?: 'public' | 'anonymous'
  is_closed?: boolean
}
export const createPoll = endpoint('POST', '/polls', 'CreatePoll')<None, PollInput, { poll: WirePoll }>()
export const updatePollPartial = endpoint('PATCH', '/polls/:pollId', 'UpdatePollPartial')<
  None,
  { set?: Record<string, unknown>; unset?: readonly string[] },
  { poll: WirePoll }
>()
export const deletePoll = endpoint('DELETE', '/polls/:pollId', 'DeletePoll')<None, None, object>()
