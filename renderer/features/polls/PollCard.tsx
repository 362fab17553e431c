import type { ReactNode } from 'react'
import type { Poll } from '#shared/domain/poll.ts'
import type { Cid, MessageId } from '#shared/lib/brand.ts'
import { may } from '#shared/rules/channels/capabilities.ts'
import { isOver } from '#shared/rules/polls/polls.ts'
import { useFormats, useTexts } from '../../i18n/index.ts'
import { shownText } from '#shared/lib/clean-text.ts'
import { useMinute } from '../../lib/time/use-minute.ts'
import { useLiveClock } from '../../lib/time/use-live-clock.ts'
import { useAppSelector, useChannel } from '../../store/hooks.ts'
import { Icon } from '../../ui/Icon/Icon.tsx'
import { PollActions } from './PollActions.tsx'
import { Refused, Voted, Waiting } from './PollNotes.tsx'
import { PollOption } from './PollOption.tsx'
import { useVote } from './use-vote.ts'
import { winnersOf } from './winners.ts'
import styles from './PollCard.module.css'

type Props = {
  readonly messageId: MessageId
  readonly cid: Cid
  readonly pollId: string
  /** Renders the description, which is Markdown like a message. */
  readonly renderDescription: (text: string) => ReactNode
}

/** A poll with its options. A vote shows at once; a refused one shows the reason in the card. */
export function PollCard({ messageId, cid, pollId, renderDescription }: Props) {
  const t = useTexts('polls')
  const storedPoll = useAppSelector((state) => state.entities.polls[pollId])
  const channel = useChannel(cid)
  const isThere = useAppSelector((state) => (state.entities.messages[messageId]?.status ?? 'received') === 'received')
  const voting = useVote(messageId)
  const now = useLiveClock(storedPoll?.closesAt === undefined || storedPoll.closed ? [] : [storedPoll.closesAt])
  if (storedPoll === undefined) return null
  const poll = { ...storedPoll, closed: isOver(storedPoll, now) }
  const winners = winnersOf(poll)
  const most = Math.max(1, ...poll.options.map((option) => option.votes), leastScale(poll))
  const description = shownText(poll.description)
  const open = !poll.closed && channel !== undefined && may(channel, 'cast-poll-vote')
  return (
    <div className={styles['poll']} role="group" aria-label={t('named', { name: poll.name })}>
      <div className={styles['question']} dir="auto">
        {shownText(poll.name)}
      </div>
      {description === '' ? null : (
        <div className={styles['description']} dir="auto">
          {renderDescription(description)}
        </div>
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
            onVote={open ? () => void voting.vote(poll, option) : undefined}
          />
        ))}
      </div>
      <Refused poll={poll} voting={voting} />
      <Voted voting={voting} />
      {isThere ? <Waiting messageId={messageId} /> : null}
      {channel === undefined || !isThere ? null : (
        <PollActions poll={poll} messageId={messageId} channel={channel} open={open} />
      )}
    </div>
  )
}

/** Bars are relative to the most votes an option could have, so that a single vote does not fill the card. */
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
