import type { Poll } from '#shared/domain/poll.ts'

/** Ids of the options with the most votes in a closed poll; several in a tie, none without votes. */
export function winnersOf(poll: Pick<Poll, 'closed' | 'options'>): ReadonlySet<string> {
  const most = Math.max(0, ...poll.options.map((option) => option.votes))
  if (!poll.closed || most === 0) return new Set()
  return new Set(poll.options.filter((option) => option.votes === most).map((option) => option.id))
}
