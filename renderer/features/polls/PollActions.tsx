import { lazy, Suspense, useState } from 'react'
import type { Channel } from '#shared/domain/channel.ts'
import type { Poll } from '#shared/domain/poll.ts'
import type { MessageId } from '#shared/lib/brand.ts'
import { may } from '#shared/rules/capabilities.ts'
import { useTexts } from '../../i18n/index.ts'
import { useSession } from '../../store/hooks.ts'
import { Button } from '../../ui/Button.tsx'
import styles from './PollCard.module.css'

const ResultsDialog = lazy(async () => ({ default: (await import('./ResultsDialog.tsx')).ResultsDialog }))
const AnswersDialog = lazy(async () => ({ default: (await import('./AnswersDialog.tsx')).AnswersDialog }))
const SuggestDialog = lazy(async () => ({ default: (await import('./SuggestDialog.tsx')).SuggestDialog }))
const CloseDialog = lazy(async () => ({ default: (await import('./CloseDialog.tsx')).CloseDialog }))

type Props = {
  readonly poll: Poll
  readonly messageId: MessageId
  readonly channel: Channel
  /** The viewer may vote, so also suggest and comment. */
  readonly open: boolean
}

type Shown = 'results' | 'answers' | 'suggest' | 'close'

/** What can be done with a poll besides voting. */
export function PollActions({ poll, messageId, channel, open }: Props) {
  const t = useTexts('polls')
  const me = useSession().userId
  const [shown, setShown] = useState<Shown>()
  const mine = poll.createdBy === me
  const close = (): void => setShown(undefined)
  const button = (what: Shown, label: string) => (
    <Button size="small" variant="quiet" aria-haspopup="dialog" onClick={() => setShown(what)}>
      {label}
    </Button>
  )
  const speaks = poll.allowAnswers === true && open
  return (
    <div className={styles['actions']}>
      {open && (poll.allowSuggestions === true || mine) ? button('suggest', t(mine ? 'addOption' : 'suggest')) : null}
      {poll.answersCount > 0 ? button('answers', t('answers.count', { count: poll.answersCount })) : null}
      {speaks && poll.answersCount === 0 ? button('answers', t('answers.add')) : null}
      {button('results', t('results.view'))}
      {!poll.closed && (mine || (channel.capabilities.length > 0 && may(channel, 'update-any-message')))
        ? button('close', t('close.action'))
        : null}
      <Suspense fallback={null}>
        {shown === 'results' ? <ResultsDialog poll={poll} messageId={messageId} onClose={close} /> : null}
        {shown === 'answers' ? (
          <AnswersDialog poll={poll} messageId={messageId} speaks={speaks} onClose={close} />
        ) : null}
        {shown === 'suggest' ? <SuggestDialog poll={poll} messageId={messageId} onClose={close} /> : null}
        {shown === 'close' ? <CloseDialog poll={poll} messageId={messageId} onClose={close} /> : null}
      </Suspense>
    </div>
  )
}
