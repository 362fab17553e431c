import { endpoint, type None, type CursorBody, type CursorReply } from './endpoint.ts'
import type { WirePoll, WirePollOption, WirePollVote } from './objects.ts'

/** See docs/wire.md 3.7. */
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
  /** Custom: when it closes automatically. Parlor's server enforces it; on others the creator's Parlor does. */
  closes_at?: string | null
}
export const createPoll = endpoint('POST', '/polls', 'CreatePoll')<None, PollInput, { poll: WirePoll }>()
export const updatePollPartial = endpoint('PATCH', '/polls/:pollId', 'UpdatePollPartial')<
  None,
  { set?: Record<string, unknown>; unset?: readonly string[] },
  { poll: WirePoll }
>()
export const deletePoll = endpoint('DELETE', '/polls/:pollId', 'DeletePoll')<None, None, object>()

/** Options that are not listed are removed, with their votes. */
export const updatePoll = endpoint('PUT', '/polls', 'UpdatePoll')<
  None,
  PollInput & { id: string },
  { poll: WirePoll }
>()
export const queryPolls = endpoint('POST', '/polls/query', 'QueryPolls')<
  None,
  CursorBody,
  { polls: readonly WirePoll[] } & CursorReply
>()
/** Text answers are votes with `is_answer`. */
export const queryPollVotes = endpoint('POST', '/polls/:pollId/votes', 'QueryPollVotes')<
  None,
  CursorBody,
  { votes: readonly WirePollVote[] } & CursorReply
>()
export const createPollOption = endpoint('POST', '/polls/:pollId/options', 'CreatePollOption')<
  None,
  { text: string; [custom: string]: unknown },
  { poll_option: WirePollOption }
>()
export const updatePollOption = endpoint('PUT', '/polls/:pollId/options', 'UpdatePollOption')<
  None,
  { id: string; text: string; [custom: string]: unknown },
  { poll_option: WirePollOption }
>()
export const getPollOption = endpoint('GET', '/polls/:pollId/options/:optionId', 'GetPollOption')<
  None,
  None,
  { poll_option: WirePollOption }
>()
export const deletePollOption = endpoint('DELETE', '/polls/:pollId/options/:optionId', 'DeletePollOption')<
  None,
  None,
  object
>()
