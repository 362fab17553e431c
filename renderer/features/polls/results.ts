import type { Poll } from '#shared/domain/poll.ts'
import { shownText } from '#shared/lib/clean-text.ts'
import { useFormats, useTexts } from '../../i18n/index.ts'

/** The result of a poll as one line of text. */
export function useResultText(): (poll: Poll) => string {
  const t = useTexts('polls')
  const formats = useFormats()
  return (poll) => {
    const winners = winnersOf({ ...poll, closed: true })
    const name = shownText(poll.name)
    const first = poll.options.filter(({ id }) => winners.has(id))
    const option = formats.list(first.map(({ text }) => shownText(text)))
    if (first.length === 0) return t('result.none', { name })
    return t('result.won', { name, option, count: first[0]?.votes ?? 0, total: formats.number(poll.voteCount) })
  }
}

/** Ids of the options with the most votes in a closed poll; several in a tie, none without votes. */
export function winnersOf(poll: Pick<Poll, 'closed' | 'options'>): ReadonlySet<string> {
  const most = Math.max(0, ...poll.options.map((option) => option.votes))
  if (!poll.closed || most === 0) return new Set()
  return new Set(poll.options.filter((option) => option.votes === most).map((option) => option.id))
}
