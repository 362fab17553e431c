import { useState } from 'react'
import { shallowEqual } from 'react-redux'
import type { Poll, PollOption as Option } from '#shared/domain/poll.ts'
import type { ErrorBody } from '#shared/lib/app-error.ts'
import type { Cid, MessageId } from '#shared/lib/brand.ts'
import { may } from '#shared/rules/capabilities.ts'
import { isOver } from '#shared/rules/polls.ts'
import { useErrorText, useFormats, useTexts } from '../../i18n/index.ts'
import { cleanText } from '../../lib/clean-name.ts'
import { cx } from '../../lib/cx.ts'
import { useMinute } from '../../lib/use-minute.ts'
import { useLiveClock } from '../../lib/use-live-clock.ts'
import { useAppDispatch, useAppSelector, useChannel, useConnection } from '../../store/hooks.ts'
import { Button } from '../../ui/Button.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { castVote, removeVote } from './commands.ts'
import { PollActions } from './PollActions.tsx'
import { PollOption } from './PollOption.tsx'
import { selectUnsentVotes } from './selectors.ts'
import { winnersOf } from './winners.ts'
import styles from './PollCard.module.css'

type Props = { readonly messageId: MessageId; readonly cid: Cid; readonly pollId: string }

/** A poll with its answers. A vote shows at once; one that is refused says why, here where it was given. */
export function PollCard({ messageId, cid, pollId }: Props) {
  const t = useTexts('polls')
  const errorText = useErrorText()
  const asked = useAppSelector((state) => state.entities.polls[pollId])
  const channel = useChannel(cid)
  const isThere = useAppSelector((state) => (state.entities.messages[messageId]?.status ?? 'received') === 'received')
  const { refusal, vote } = useVote(messageId)
  const now = useLiveClock(asked?.closesAt === undefined || asked.closed ? [] : [asked.closesAt])
  if (asked === undefined) return null
  const poll = { ...asked, closed: isOver(asked, now) }
  const winners = winnersOf(poll)
  const most = Math.max(1, ...poll.options.map((option) => option.votes), leastScale(poll))
  const description = cleanText(poll.description)
  const open = !poll.closed && channel !== undefined && may(channel, 'cast-poll-vote')
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
      <div role={open && poll.enforceUniqueVote ? 'radiogroup' : 'group'} aria-label={t('options')}>
        {poll.options.map((option) => (
          <PollOption
            key={option.id}
            option={option}
            share={option.votes / most}
            poll={poll}
            winner={winners.has(option.id)}
            onVote={open ? () => void vote(option) : undefined}
          />
        ))}
      </div>
      <Refused
        poll={poll}
        words={refusal === undefined ? undefined : errorText(refusal)}
        removable={refusal?.code === 'poll/vote-limit'}
        onRemove={(option) => void vote(option)}
      />
      {isThere ? <Waiting messageId={messageId} /> : null}
      {channel === undefined || !isThere ? null : (
        <PollActions poll={poll} messageId={messageId} channel={channel} open={open} />
      )}
    </div>
  )
}

type RefusedProps = {
  readonly poll: Poll
  readonly words: string | undefined
  /** At the limit: the own votes stand here, to be taken back at once. */
  readonly removable: boolean
  readonly onRemove: (option: Option) => void
}

function Refused({ poll, words, removable, onRemove }: RefusedProps) {
  const t = useTexts('polls')
  return (
    <>
      <p className={cx(styles['refusal'], removable && styles['limit'])} role="alert">
        {words === undefined ? null : (
          <>
            <Icon name="alert-triangle" size={16} />
            {words}
          </>
        )}
      </p>
      {words === undefined || !removable ? null : (
        <ul className={styles['ownVotes']} aria-label={t('ownVotes')}>
          {poll.options
            .filter((option) => option.own)
            .map((option) => (
              <li key={option.id}>
                <Button size="small" icon="x" onClick={() => onRemove(option)}>
                  {t('removeVote', { text: cleanText(option.text) })}
                </Button>
              </li>
            ))}
        </ul>
      )}
    </>
  )
}

/** Votes given here that the server has not taken yet, and those it did not take. */
function Waiting({ messageId }: { readonly messageId: MessageId }) {
  const t = useTexts('polls')
  const errorText = useErrorText()
  const { offline } = useConnection()
  const votes = useAppSelector((state) => selectUnsentVotes(state, messageId), shallowEqual)
  const refused = votes.find(({ state }) => state === 'parked')?.reason
  const waits = votes.some(({ state }) => state === 'waiting' || (offline && state !== 'parked'))
  return (
    <>
      {waits ? (
        <p className={styles['waits']}>
          <Icon name="cloud-off" size={15} />
          {t('voteWaits')}
        </p>
      ) : null}
      {refused === undefined ? null : (
        <p className={styles['refusal']}>{t('voteRefused', { reason: errorText(refused) })}</p>
      )}
    </>
  )
}

/** Gives a vote or takes it back; `refusal` is why the last one was not taken. */
function useVote(messageId: MessageId) {
  const dispatch = useAppDispatch()
  const [refusal, setRefusal] = useState<ErrorBody>()
  const vote = async (option: Option): Promise<void> => {
    const act = option.own ? removeVote : castVote
    const result = await dispatch(act({ messageId, optionId: option.id }))
    setRefusal(result.ok ? undefined : result.error)
  }
  return { refusal, vote }
}

/** Bars are measured against the most votes one option could have had, so that a single vote does not fill the card. */
const leastScale = (poll: Poll): number =>
  poll.enforceUniqueVote
    ? poll.voteCount
    : Math.ceil(poll.voteCount / Math.max(1, poll.maxVotes ?? poll.options.length))

function Rules({ poll }: { readonly poll: Poll }) {
  const t = useTexts('polls')
  const closedBy = useAppSelector((state) => state.entities.users[poll.createdBy]?.name ?? poll.createdBy)
  const formats = useFormats()
  const now = useMinute()
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
          {poll.closesAt !== undefined && poll.closesAt <= now
            ? t('closedAt', { time: formats.listTime(poll.closesAt, now) })
            : t('closedBy', { name: closedBy })}
        </span>
      ) : (
        <span>{rule}</span>
      )}
      <span>{t('votes', { count: poll.voteCount })}</span>
      {poll.closed || poll.closesAt === undefined ? null : (
        <span>
          <Icon name="clock" size={14} />
          {t('closes', { time: formats.dayAndTime(poll.closesAt) })}
        </span>
      )}
      <span>
        <Icon name={poll.anonymous ? 'eye-off' : 'eye'} size={14} />
        {t(poll.anonymous ? 'anonymous' : 'public')}
      </span>
    </div>
  )
}
