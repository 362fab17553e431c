import { shallowEqual } from 'react-redux'
import type { Poll, PollOption } from '#shared/domain/poll.ts'
import type { MessageId } from '#shared/lib/brand.ts'
import { useErrorText, useTexts } from '../../i18n/index.ts'
import { shownText } from '#shared/lib/clean-text.ts'
import { cx } from '../../lib/cx.ts'
import { useAppSelector, useConnection } from '../../store/hooks.ts'
import { Button } from '../../ui/Button/Button.tsx'
import { Icon } from '../../ui/Icon/Icon.tsx'
import { selectUnsentVotes } from './selectors.ts'
import type { useVote } from './use-vote.ts'
import styles from './PollCard.module.css'

type Props = { readonly poll: Poll; readonly voting: ReturnType<typeof useVote> }

/** Why a vote was refused. At the vote limit, the viewer's votes are listed to remove one. */
export function Refused({ poll, voting }: Props) {
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
export function Voted({ voting }: Pick<Props, 'voting'>) {
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

type Vote = { readonly option: PollOption; readonly given: boolean; readonly before: PollOption | undefined }

function voteText(t: ReturnType<typeof useTexts<'polls'>>, { option, given, before }: Vote): string {
  const text = shownText(option.text)
  if (before !== undefined) return t('voteMoved', { text, before: shownText(before.text) })
  return t(given ? 'voteGiven' : 'voteTaken', { text })
}

/** The viewer's votes that are queued, and those the server refused. */
export function Waiting({ messageId }: { readonly messageId: MessageId }) {
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
