import type { Poll } from '#shared/domain/poll.ts'
import { shownText } from '#shared/lib/clean-text.ts'
import { useFormats, useTexts } from '../../i18n/index.ts'

/** The result of a poll as one line of text. */
export function useResultText(): (poll: Poll) => string {
  const t = useTexts('polls')
  const formats = useFormats()
  return (poll) => {
    const name = shownText(poll.name)
    const first = leadersOf(poll)
    if (first.length === 0) return t('result.none', { name })
    const option = formats.list(first.map(({ text }) => shownText(text)))
    return t('result.won', { name, option, count: first[0]?.votes ?? 0, total: formats.number(poll.voteCount) })
  }
}

/** What a closed poll decided, or what leads in an open one. */
export function useOutcome(): (poll: Poll) => string {
  const t = useTexts('polls')
  const formats = useFormats()
  return (poll) => {
    const first = leadersOf(poll)
    if (first.length === 0) return t('register.noVotes')
    const option = formats.list(first.map(({ text }) => shownText(text)))
    return poll.closed ? option : t('register.leads', { option })
  }
}

/** The options with the most votes, whether or not the poll is closed. */
function leadersOf(poll: Poll): Poll['options'] {
  const winners = winnersOf({ ...poll, closed: true })
  return poll.options.filter(({ id }) => winners.has(id))
}

/** Ids of the options with the most votes in a closed poll; several in a tie, none without votes. */
export function winnersOf(poll: Pick<Poll, 'closed' | 'options'>): ReadonlySet<string> {
  const most = Math.max(0, ...poll.options.map((option) => option.votes))
  if (!poll.closed || most === 0) return new Set()
  return new Set(poll.options.filter((option) => option.votes === most).map((option) => option.id))
}
