import { useState } from 'react'
import type { Poll, PollAnswer } from '#shared/domain/poll.ts'
import type { ErrorBody } from '#shared/lib/app-error.ts'
import type { MessageId } from '#shared/lib/brand.ts'
import { mayReply } from '#shared/rules/channels/capabilities.ts'
import { cutText } from '#shared/rules/messages/text.ts'
import { useErrorText, useFormats, useTexts } from '../../i18n/index.ts'
import { useMinute } from '../../lib/time/clocks.ts'
import { useAppDispatch, useAppSelector, useChannel, useConnection } from '../../store/hooks.ts'
import { Button } from '../../ui/Button/Button.tsx'
import { IconButton } from '../../ui/Button/IconButton.tsx'
import { Dialog } from '../../ui/Dialog/Dialog.tsx'
import { TextField } from '../../ui/Field/TextField.tsx'
import { Portrait, useName } from '../people/index.ts'
import { answerPoll, readAnswers, removeAnswer, replyToComment } from './commands.ts'
import { usePages } from './use-pages.ts'
import styles from './Dialogs.module.css'

/** Longest answer. See docs/wire.md 3.7. */
const ANSWER_LENGTH = 500

type Props = {
  readonly poll: Poll
  readonly messageId: MessageId
  readonly speaks: boolean
  readonly onClose: () => void
}

/** Comments on a poll, and a field for the viewer's own. */
export function AnswersDialog({ poll, messageId, speaks, onClose }: Props) {
  const t = useTexts('polls')
  const errorText = useErrorText()
  const dispatch = useAppDispatch()
  const { offline } = useConnection()
  const [text, setText] = useState(poll.ownAnswer ?? '')
  const [working, setWorking] = useState(false)
  const [failure, setFailure] = useState<ErrorBody>()
  const { items, hasMore, loading, error, more } = usePages<PollAnswer>(
    async (cursor) => {
      const page = await dispatch(readAnswers({ messageId, cursor }))
      return page.ok ? { ok: true, value: { items: page.value.answers, next: page.value.next } } : page
    },
    `${poll.answersCount} ${poll.ownAnswer ?? ''}`,
  )
  const known = items.length > 0 ? items : (poll.answers ?? [])
  const act = async (what: 'say' | 'take back'): Promise<void> => {
    if (working || (what === 'say' && text.trim() === '')) return
    setWorking(true)
    const result = await (what === 'say'
      ? dispatch(answerPoll({ messageId, text: text.trim() }))
      : dispatch(removeAnswer({ messageId })))
    setWorking(false)
    setFailure(result.ok ? undefined : result.error)
    if (result.ok && what === 'take back') setText('')
  }
  return (
    <Dialog title={t('answers.title')} width={480} onClose={onClose} onSubmit={() => void act('say')}>
      {speaks ? (
        <div className={styles['say']}>
          <TextField
            label={t('answers.own')}
            value={text}
            maxLength={ANSWER_LENGTH}
            autoComplete="off"
            onChange={setText}
            error={failure === undefined ? undefined : errorText(failure)}
            hint={poll.anonymous ? t('answers.anonymousHint') : t('answers.publicHint')}
          />
          <div className={styles['buttons']}>
            {poll.ownAnswer === undefined ? null : (
              <Button size="small" onClick={() => void act('take back')}>
                {t('answers.remove')}
              </Button>
            )}
            <Button size="small" variant="primary" type="submit" working={working} aria-disabled={offline}>
              {t(poll.ownAnswer === undefined ? 'answers.add' : 'answers.change')}
            </Button>
          </div>
        </div>
      ) : null}
      {known.length === 0 && !loading && error === undefined ? (
        <p className={styles['note']}>{t('answers.none')}</p>
      ) : null}
      <ul className={styles['list']} aria-label={t('answers.title')} aria-busy={loading || undefined}>
        {known.map((answer) => (
          <Answer key={answer.id} answer={answer} messageId={messageId} />
        ))}
      </ul>
      {error === undefined ? null : (
        <p className={styles['failure']} role="alert">
          {errorText(error)}
        </p>
      )}
      {hasMore ? (
        <Button size="small" working={loading} onClick={more}>
          {t('more')}
        </Button>
      ) : null}
    </Dialog>
  )
}

function Answer({ answer, messageId }: { readonly answer: PollAnswer; readonly messageId: MessageId }) {
  const t = useTexts('polls')
  const dispatch = useAppDispatch()
  const channel = useChannel(useAppSelector((state) => state.entities.messages[messageId]?.cid) ?? '')
  const formats = useFormats()
  const now = useMinute()
  const name = useName(answer.userId ?? '')
  return (
    <li className={styles['person']}>
      {answer.userId === undefined ? null : <Portrait userId={answer.userId} size={20} />}
      <div className={styles['text']}>
        <span className={styles['who']}>
          <bdi>{answer.userId === undefined ? t('answers.someone') : name}</bdi>
          <time dateTime={new Date(answer.createdAt).toISOString()}>{formats.listTime(answer.createdAt, now)}</time>
        </span>
        <span dir="auto">{answer.text}</span>
      </div>
      {channel === undefined || !mayReply(channel) ? null : (
        <IconButton
          size="small"
          icon="reply"
          label={t('answers.reply', { text: cutText(answer.text, 40) })}
          onClick={() => {
            const { text, userId } = answer
            dispatch(replyToComment({ messageId, text, ...(userId === undefined ? {} : { name }) }))
          }}
        />
      )}
    </li>
  )
}
