import type { Poll, PollOption } from '#shared/domain/poll.ts'
import { useFormats, useTexts } from '../../i18n/index.ts'
import { cleanText } from '../../lib/clean-name.ts'
import { cx } from '../../lib/cx.ts'
import { useAppSelector } from '../../store/hooks.ts'
import { Icon } from '../../ui/Icon.tsx'
import { Faces } from '../people/index.ts'
import { winnersOf } from './winners.ts'
import styles from './PollCard.module.css'

/** A poll as it stands. Votes are shown; casting one needs a call the engine does not offer yet, and the card says so. */
export function PollCard({ pollId }: { readonly pollId: string }) {
  const t = useTexts('polls')
  const poll = useAppSelector((state) => state.entities.polls[pollId])
  if (poll === undefined) return null
  const winners = winnersOf(poll)
  const most = Math.max(1, ...poll.options.map((option) => option.votes), leastScale(poll))
  const description = cleanText(poll.description)
  return (
    <div className={styles['poll']} role="group" aria-label={t('named', { name: poll.name })}>
      <div className={styles['question']} dir="auto">
        {cleanText(poll.name)}
      </div>
      {description === '' ? null : (
        <p className={styles['description']} dir="auto">
          {description}
        </p>
      )}
      <Rules poll={poll} />
      <ul className={styles['options']} aria-label={t('options')}>
        {poll.options.map((option) => (
          <Option
            key={option.id}
            option={option}
            share={option.votes / most}
            poll={poll}
            winner={winners.has(option.id)}
          />
        ))}
      </ul>
      {poll.closed ? null : (
        <p className={styles['note']}>
          <Icon name="info" size={15} />
          {t('readOnly')}
        </p>
      )}
    </div>
  )
}

/** Bars are measured against the most votes one option could have had, so that a single vote does not fill the card. */
const leastScale = (poll: Poll): number =>
  poll.enforceUniqueVote
    ? poll.voteCount
    : Math.ceil(poll.voteCount / Math.max(1, poll.maxVotes ?? poll.options.length))

function Rules({ poll }: { readonly poll: Poll }) {
  const t = useTexts('polls')
  const closedBy = useAppSelector((state) => state.entities.users[poll.createdBy]?.name ?? poll.createdBy)
  const rule = poll.enforceUniqueVote
    ? t('chooseOne')
    : poll.maxVotes === undefined
      ? t('chooseAny')
      : t('chooseUpTo', { max: poll.maxVotes })
  return (
    <div className={styles['rules']}>
      {poll.closed ? (
        <span>
          <Icon name="lock" size={14} />
          {t('closedBy', { name: closedBy })}
        </span>
      ) : (
        <span>{rule}</span>
      )}
      <span>{t('votes', { count: poll.voteCount })}</span>
      <span>
        <Icon name={poll.anonymous ? 'eye-off' : 'eye'} size={14} />
        {t(poll.anonymous ? 'anonymous' : 'public')}
      </span>
    </div>
  )
}

type OptionProps = {
  readonly option: PollOption
  readonly share: number
  readonly poll: Poll
  readonly winner: boolean
}

function Option({ option, share, poll, winner }: OptionProps) {
  const t = useTexts('polls')
  const formats = useFormats()
  const count = poll.voteCount === 0 ? 0 : option.votes / poll.voteCount
  const said = t(option.own ? 'optionOwn' : 'option', {
    text: option.text,
    count: option.votes,
    percent: formats.percent(count),
  })
  return (
    <li className={cx(styles['option'], option.own && styles['own'])}>
      <span className="sr-only">{winner ? t('winner', { option: said }) : said}</span>
      <i className={styles['fill']} style={{ width: `${Math.round(share * 1000) / 10}%` }} />
      <span
        aria-hidden="true"
        className={cx(
          styles['mark'],
          poll.enforceUniqueVote && styles['round'],
          option.own && !poll.closed && styles['on'],
          poll.closed && styles['bare'],
        )}
      >
        {poll.closed ? (
          winner ? (
            <Icon name="star" size={17} />
          ) : null
        ) : option.own ? (
          <Icon name="check" size={13} />
        ) : null}
      </span>
      <span aria-hidden="true" className={styles['text']} dir="auto">
        {cleanText(option.text)}
      </span>
      {poll.anonymous || option.voterIds.length === 0 ? null : <Faces userIds={option.voterIds} size={18} />}
      <span aria-hidden="true" className={styles['count']}>
        {formats.number(option.votes)}
      </span>
    </li>
  )
}
