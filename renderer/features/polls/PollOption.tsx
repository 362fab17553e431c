import type { Poll, PollOption as Option } from '#shared/domain/poll.ts'
import type { UserId } from '#shared/lib/brand.ts'
import { useFormats, useTexts } from '../../i18n/index.ts'
import { shownText } from '#shared/lib/clean-text.ts'
import { cx } from '../../lib/cx.ts'
import { Icon } from '../../ui/Icon/Icon.tsx'
import { Faces, useName } from '../people/index.ts'
import styles from './PollCard.module.css'

type Props = {
  readonly option: Option
  /** Length of the bar, 0 to 1. */
  readonly share: number
  readonly poll: Poll
  readonly winner: boolean
  /** Adds or removes the vote; undefined if voting is not allowed or over. */
  readonly onVote: (() => void) | undefined
}

/** An option: a control while the poll is open, a row of the result afterwards. */
export function PollOption({ option, share, poll, winner, onVote }: Props) {
  const t = useTexts('polls')
  const formats = useFormats()
  const percent = formats.percent(poll.voteCount === 0 ? 0 : option.votes / poll.voteCount)
  const values = { text: shownText(option.text), count: option.votes, percent }
  const look = cx(styles['option'], option.own && styles['own'])
  const inside = <Inside option={option} share={share} poll={poll} winner={winner} />
  if (onVote === undefined) {
    const optionText = t(option.own ? 'optionOwn' : 'option', values)
    return (
      <div className={look}>
        <span className="sr-only">{winner ? t('winner', { option: optionText }) : optionText}</span>
        {inside}
      </div>
    )
  }
  return (
    <button
      type="button"
      role={poll.enforceUniqueVote ? 'radio' : 'checkbox'}
      aria-checked={option.own}
      aria-label={t('option', values)}
      className={cx(look, styles['choice'])}
      onClick={onVote}
    >
      {inside}
    </button>
  )
}

function Inside({ option, share, poll, winner }: Omit<Props, 'onVote'>) {
  const formats = useFormats()
  const mark = cx(
    styles['mark'],
    poll.enforceUniqueVote && styles['round'],
    option.own && !poll.closed && styles['on'],
    poll.closed && styles['bare'],
  )
  return (
    <>
      <i className={styles['fill']} style={{ width: `${Math.round(share * 1000) / 10}%` }} />
      <span aria-hidden="true" className={mark}>
        {poll.closed && winner ? <Icon name="star" size={17} /> : null}
        {!poll.closed && option.own ? <Icon name="check" size={13} /> : null}
      </span>
      <span aria-hidden="true" className={styles['text']} dir="auto">
        {shownText(option.text)}
        {option.suggestedBy === undefined ? null : <Suggested by={option.suggestedBy} />}
      </span>
      {poll.anonymous || option.voterIds.length === 0 ? null : <Faces userIds={option.voterIds} size={18} />}
      <span aria-hidden="true" className={styles['count']}>
        {formats.number(option.votes)}
      </span>
    </>
  )
}

/** Shows who suggested an option other than the author. */
function Suggested({ by }: { readonly by: UserId }) {
  const t = useTexts('polls')
  const name = useName(by)
  return <span className={styles['suggested']}>{t('suggestedBy', { name })}</span>
}
