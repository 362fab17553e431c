import { type ReactNode, useEffect, useState } from 'react'
import { shallowEqual } from 'react-redux'
import type { Poll, PollOption } from '#shared/domain/poll.ts'
import type { Cid, MessageId, UserId } from '#shared/lib/brand.ts'
import { may } from '#shared/rules/channels/capabilities.ts'
import { isOver } from '#shared/rules/polls/polls.ts'
import { shownText } from '#shared/lib/clean-text.ts'
import type { OutboxItem } from '#shared/domain/intent.ts'
import type { ErrorBody } from '#shared/lib/app-error.ts'
import type { Channel } from '#shared/domain/channel.ts'
import { useFormats, useTexts, useErrorText } from '../../i18n/index.ts'
import { useMinute, useLiveClock } from '../../lib/time/clocks.ts'
import { useAppSelector, useChannel, useConnection, useAppDispatch, useSession } from '../../store/hooks.ts'
import { Icon } from '../../ui/Icon/Icon.tsx'
import { cx } from '../../lib/cx.ts'
import { Button, IconButton } from '../../ui/Button/Button.tsx'
import type { AppState } from '../../store/store.ts'
import type { Dialogs } from '../../store/window/kinds.ts'
import { dialogOpened } from '../../store/window/ui.ts'
import { type MenuItem, useMenu } from '../../ui/Menu/Menu.tsx'
import { Faces, useName } from '../people/index.ts'
import { winnersOf, useResultText } from './results.ts'
import { castVote, removeVote, writeAbout } from './commands.ts'
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
          <OptionRow
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
      {open ? <Voted voting={voting} /> : null}
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

type OptionRowProps = {
  readonly option: PollOption
  /** Length of the bar, 0 to 1. */
  readonly share: number
  readonly poll: Poll
  readonly winner: boolean
  /** Adds or removes the vote; undefined if voting is not allowed or over. */
  readonly onVote: (() => void) | undefined
}

/** An option: a control while the poll is open, a row of the result afterwards. */
function OptionRow({ option, share, poll, winner, onVote }: OptionRowProps) {
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

function Inside({ option, share, poll, winner }: Omit<OptionRowProps, 'onVote'>) {
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

type PollNotesProps = { readonly poll: Poll; readonly voting: ReturnType<typeof useVote> }

/** Why a vote was refused. At the vote limit, the viewer's votes are listed to remove one. */
function Refused({ poll, voting }: PollNotesProps) {
  const t = useTexts('polls')
  const errorText = useErrorText()
  const { refusal } = voting
  const removable = refusal?.code === 'poll/vote-limit'
  return (
    <>
      <p className={cx(styles['refusal'], removable && styles['limit'])} role="alert">
        {refusal === undefined ? null : (
          <>
            <Icon name="alert-triangle" size={16} />
            {errorText(refusal)}
          </>
        )}
      </p>
      {removable ? (
        <ul className={styles['ownVotes']} aria-label={t('ownVotes')}>
          {poll.options
            .filter((option) => option.own)
            .map((option) => (
              <li key={option.id}>
                <Button size="small" icon="x" onClick={() => void voting.vote(poll, option)}>
                  {t('removeVote', { text: shownText(option.text) })}
                </Button>
              </li>
            ))}
        </ul>
      ) : null}
    </>
  )
}

/** Shown for a while after a vote, with Undo. */
function Voted({ voting }: Pick<PollNotesProps, 'voting'>) {
  const t = useTexts('polls')
  const { voted } = voting
  return (
    <p className={styles['voted']} role="status">
      {voted === undefined ? null : (
        <>
          {voteText(t, voted)}
          <Button variant="link" size="small" onClick={() => void voting.undo()}>
            {t('undo')}
          </Button>
        </>
      )}
    </p>
  )
}

function voteText(t: ReturnType<typeof useTexts<'polls'>>, { option, given, before }: LastVote): string {
  const text = shownText(option.text)
  if (before !== undefined) return t('voteMoved', { text, before: shownText(before.text) })
  return t(given ? 'voteGiven' : 'voteTaken', { text })
}

/** The viewer's votes that are queued, and those the server refused. */
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

/** The viewer's votes in this message's poll that are queued or were refused. */
const selectUnsentVotes = ({ entities }: AppState, messageId: string): readonly OutboxItem[] =>
  Object.values(entities.outbox).filter(
    (item) => item.messageId === messageId && (item.kind === 'cast-vote' || item.kind === 'remove-vote'),
  )

const UNDO_MS = 5_000

type LastVote = {
  readonly option: PollOption
  /** True if the vote was added, false if removed. */
  readonly given: boolean
  /** The option this vote replaced. */
  readonly before: PollOption | undefined
}

/** Adds or removes a vote. `refusal`: why the last vote was refused; `undo` reverts the last vote for a while. */
function useVote(messageId: MessageId) {
  const dispatch = useAppDispatch()
  const [refusal, setRefusal] = useState<ErrorBody>()
  const [voted, setVoted] = useState<LastVote>()
  useEffect(() => {
    if (voted === undefined) return undefined
    const timer = setTimeout(() => setVoted(undefined), UNDO_MS)
    return () => clearTimeout(timer)
  }, [voted])
  const change = async (optionId: string, give: boolean): Promise<boolean> => {
    const result = await dispatch((give ? castVote : removeVote)({ messageId, optionId }))
    setRefusal(result.ok ? undefined : result.error)
    return result.ok
  }
  return {
    refusal,
    voted,
    vote: async (poll: Poll, option: PollOption): Promise<void> => {
      const before = poll.enforceUniqueVote && !option.own ? poll.options.find(({ own }) => own) : undefined
      const done = await change(option.id, !option.own)
      setVoted(done ? { option, given: !option.own, before } : undefined)
    },
    undo: async (): Promise<void> => {
      setVoted(undefined)
      if (voted === undefined) return
      if (voted.before === undefined) await change(voted.option.id, !voted.given)
      else await change(voted.before.id, true)
    },
  }
}

type PollActionsProps = {
  readonly poll: Poll
  readonly messageId: MessageId
  readonly channel: Channel
  /** The viewer may vote, and therefore suggest options and comment. */
  readonly open: boolean
}

/** Actions on a poll besides voting. */
function PollActions({ poll, messageId, channel, open }: PollActionsProps) {
  const t = useTexts('polls')
  const dispatch = useAppDispatch()
  const me = useSession().userId
  const mine = poll.createdBy === me
  const show = (what: Dialogs['of-poll']['what']): void =>
    void dispatch(dialogOpened({ kind: 'of-poll', what, cid: channel.cid, messageId, pollId: poll.id }))
  const button = (what: Dialogs['of-poll']['what'], label: string) => (
    <Button size="small" variant="quiet" aria-haspopup="dialog" onClick={() => show(what)}>
      {label}
    </Button>
  )
  const rules = mine || (channel.capabilities.length > 0 && may(channel, 'update-any-message'))
  const speaks = poll.allowAnswers === true && open
  return (
    <div className={cx(styles['actions'], rules && styles['roomForMore'])}>
      {open && (poll.allowSuggestions === true || mine) ? button('suggest', t(mine ? 'addOption' : 'suggest')) : null}
      {poll.answersCount > 0 ? button('answers', t('answers.count', { count: poll.answersCount })) : null}
      {speaks && poll.answersCount === 0 ? button('answers', t('answers.add')) : null}
      {button('results', t('results.view'))}
      {!poll.closed && mine ? button('close', t('close.action')) : null}
      {poll.changes === undefined ? null : button('changes', t('changes.action'))}
      {rules ? <More poll={poll} messageId={messageId} mine={mine} onShow={show} /> : null}
    </div>
  )
}

type MoreProps = Pick<PollActionsProps, 'poll' | 'messageId'> & {
  readonly mine: boolean
  readonly onShow: (what: Dialogs['of-poll']['what']) => void
}

/** Less frequent actions, for the author and moderators. */
function More({ poll, messageId, mine, onShow }: MoreProps) {
  const t = useTexts('polls')
  const dispatch = useAppDispatch()
  const resultText = useResultText()
  const remove: MenuItem = {
    id: 'delete',
    icon: 'trash',
    danger: true,
    label: t('delete.action'),
    onSelect: () => onShow('delete'),
  }
  const { triggerProps, menu } = useMenu({
    label: t('moreActions'),
    items: () =>
      poll.closed
        ? [
            {
              id: 'tell',
              icon: 'megaphone',
              label: t('result.tell'),
              onSelect: () => dispatch(writeAbout({ messageId, text: resultText(poll) })),
            },
            remove,
          ]
        : [
            { id: 'edit', icon: 'pencil', label: t('edit.action'), onSelect: () => onShow('edit') },
            {
              id: 'remind',
              icon: 'bell',
              label: t('remind.action'),
              onSelect: () => onShow('remind'),
              disabledReason: poll.anonymous ? t('remind.anonymous') : undefined,
            },
            ...(mine
              ? []
              : [{ id: 'close', icon: 'lock' as const, label: t('close.action'), onSelect: () => onShow('close') }]),
            remove,
          ],
  })
  return (
    <span className={styles['more']}>
      <IconButton icon="more" size="small" label={t('moreActions')} {...triggerProps} />
      {menu}
    </span>
  )
}
