import type { Poll } from '#shared/domain/poll.ts'
import { useFormats, useTexts } from '../../i18n/index.ts'
import { shownText } from '#shared/lib/clean-text.ts'
import { winnersOf } from './winners.ts'

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
