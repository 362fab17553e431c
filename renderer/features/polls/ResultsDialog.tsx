import { useState, useEffect, useRef } from 'react'
import type { Poll, PollOption, PollVoter, PollAnswer } from '#shared/domain/poll.ts'
import type { MessageId } from '#shared/lib/brand.ts'
import { shownText } from '#shared/lib/clean-text.ts'
import type { ErrorBody, Result } from '#shared/lib/app-error.ts'
import { csvOf } from '#shared/rules/server/csv.ts'
import { mayReply } from '#shared/rules/channels/capabilities.ts'
import { cutText } from '#shared/rules/messages/text.ts'
import { useErrorText, useFormats, useTexts } from '../../i18n/index.ts'
import { useMinute } from '../../lib/time/clocks.ts'
import { useAppDispatch, useAppStore, useAppSelector, useChannel, useConnection } from '../../store/hooks.ts'
import { Button, IconButton } from '../../ui/Button/Button.tsx'
import { Dialog } from '../../ui/Dialog/Dialog.tsx'
import { Icon } from '../../ui/Icon/Icon.tsx'
import { TextField } from '../../ui/Field/TextField.tsx'
import { Portrait, useName } from '../people/index.ts'
import { saveText } from '../attachments/index.ts'
import { readVoters, readAllVoters, answerPoll, readAnswers, removeAnswer, replyToComment } from './commands.ts'
import { winnersOf } from './results.ts'
import styles from './Dialogs.module.css'

type Props = { readonly poll: Poll; readonly messageId: MessageId; readonly onClose: () => void }

/** The votes as a table, with voters and times unless the poll is anonymous. */
export function ResultsDialog({ poll, messageId, onClose }: Props) {
  const t = useTexts('polls')
  const formats = useFormats()
  const winners = winnersOf(poll)
  const share = (option: PollOption): string =>
    formats.percent(poll.voteCount === 0 ? 0 : option.votes / poll.voteCount)
  return (
    <Dialog
      title={t('results.title')}
      width={520}
      onClose={onClose}
      actions={<SaveResults poll={poll} messageId={messageId} />}
    >
      <p className={styles['question']} dir="auto">
        {shownText(poll.name)}
      </p>
      <table className={styles['table']}>
        <caption className={styles['note']}>
          {t('votes', { count: poll.voteCount })}. {t(poll.anonymous ? 'anonymous' : 'public')}.
        </caption>
        <thead>
          <tr>
            <th scope="col">{t('results.option')}</th>
            <th scope="col">{t('results.votes')}</th>
            <th scope="col">{t('results.share')}</th>
          </tr>
        </thead>
        <tbody>
          {poll.options.map((option) => (
            <tr key={option.id}>
              <th scope="row" dir="auto">
                {winners.has(option.id) ? (
                  <>
                    <Icon name="star" size={15} />
                    <span className="sr-only">{t('results.most')} </span>
                  </>
                ) : null}
                {shownText(option.text)}
                {option.own ? <span className={styles['own']}>{t('results.own')}</span> : null}
              </th>
              <td>{formats.number(option.votes)}</td>
              <td>{share(option)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {poll.anonymous
        ? null
        : poll.options
            .filter((option) => option.votes > 0)
            .map((option) => <Voters key={option.id} messageId={messageId} option={option} />)}
    </Dialog>
  )
}

/** Voters of an option, loaded when expanded. */
function Voters({ messageId, option }: { readonly messageId: MessageId; readonly option: PollOption }) {
  const t = useTexts('polls')
  const [open, setOpen] = useState(false)
  return (
    <section className={styles['voters']}>
      <h3>
        <button type="button" aria-expanded={open} onClick={() => setOpen(!open)}>
          <Icon name={open ? 'chevron-down' : 'chevron-right'} size={16} />
          <bdi>{shownText(option.text)}</bdi>
          <span className={styles['note']}>{t('votes', { count: option.votes })}</span>
        </button>
      </h3>
      {open ? <VoterList messageId={messageId} option={option} /> : null}
    </section>
  )
}

function VoterList({ messageId, option }: { readonly messageId: MessageId; readonly option: PollOption }) {
  const t = useTexts('polls')
  const errorText = useErrorText()
  const dispatch = useAppDispatch()
  const { items, hasMore, loading, error, more } = usePages<PollVoter>(async (cursor) => {
    const request = { messageId, optionId: option.id, ...(cursor === undefined ? {} : { cursor }) }
    const page = await dispatch(readVoters(request))
    return page.ok ? { ok: true, value: { items: page.value.voters, next: page.value.next } } : page
  }, `${option.id} ${option.votes} ${option.own}`)
  return (
    <>
      <ul
        className={styles['list']}
        aria-busy={loading || undefined}
        aria-label={t('results.by', { option: option.text })}
      >
        {items.length > 0
          ? items.map(({ id, userId, votedAt }) => <Voter key={id} userId={userId} votedAt={votedAt} />)
          : option.voterIds.map((userId) => <Voter key={userId} userId={userId} />)}
      </ul>
      {error === undefined ? null : (
        <p className={styles['failure']} role="alert">
          {t('results.notAll', { reason: errorText(error) })}
        </p>
      )}
      {hasMore ? (
        <Button size="small" working={loading} onClick={more}>
          {t('more')}
        </Button>
      ) : null}
    </>
  )
}

function Voter({ userId, votedAt }: { readonly userId: PollVoter['userId']; readonly votedAt?: number }) {
  const formats = useFormats()
  const now = useMinute()
  const name = useName(userId)
  return (
    <li className={styles['person']}>
      <Portrait userId={userId} size={20} />
      <span className={styles['who']}>
        <bdi>{name}</bdi>
        {votedAt === undefined ? null : (
          <time dateTime={new Date(votedAt).toISOString()} title={formats.full(votedAt)}>
            {formats.ago(votedAt, now)}
          </time>
        )}
      </span>
    </li>
  )
}

type SaveResultsProps = { readonly poll: Poll; readonly messageId: MessageId }

/** Saves the results as a spreadsheet table: a row per vote, or per option if the poll is anonymous. */
export function SaveResults({ poll, messageId }: SaveResultsProps) {
  const t = useTexts('polls')
  const errorText = useErrorText()
  const rowsOf = useRows({ poll, messageId })
  const [working, setWorking] = useState(false)
  const [failure, setFailure] = useState<ErrorBody>()
  const save = async (): Promise<void> => {
    if (working) return
    setWorking(true)
    const rows = await rowsOf()
    setWorking(false)
    if (!Array.isArray(rows)) return setFailure(rows)
    setFailure(undefined)
    saveText(csvOf(rows), { name: t('results.fileName'), type: 'text/csv' })
  }
  return (
    <>
      {failure === undefined ? null : (
        <span className={styles['failure']} role="alert">
          {t('results.notAll', { reason: errorText(failure) })}
        </span>
      )}
      <Button icon="download" working={working} onClick={() => void save()}>
        {t('results.save')}
      </Button>
    </>
  )
}

type Row = readonly string[]

function useRows({ poll, messageId }: SaveResultsProps): () => Promise<Row[] | ErrorBody> {
  const t = useTexts('polls')
  const dispatch = useAppDispatch()
  const store = useAppStore()
  const nameOf = (id: string): string => store.getState().entities.users[id]?.name ?? id
  return async () => {
    if (poll.anonymous) {
      const head = [t('results.option'), t('results.votes')]
      return [head, ...poll.options.map(({ text, votes }) => [text, String(votes)])]
    }
    const rows: Row[] = [[t('results.option'), t('results.person'), t('results.time')]]
    for (const option of poll.options) {
      if (option.votes === 0) rows.push([option.text, '', ''])
      if (option.votes === 0) continue
      const voters = await dispatch(readAllVoters({ messageId, optionId: option.id }))
      if (!voters.ok) return voters.error
      for (const { userId, votedAt } of voters.value) {
        rows.push([option.text, nameOf(userId), new Date(votedAt).toISOString()])
      }
    }
    return rows
  }
}

/** Longest answer. See docs/wire.md 3.7. */
const ANSWER_LENGTH = 500

type AnswersDialogProps = {
  readonly poll: Poll
  readonly messageId: MessageId
  readonly speaks: boolean
  readonly onClose: () => void
}

/** Comments on a poll, and a field for the viewer's own. */
export function AnswersDialog({ poll, messageId, speaks, onClose }: AnswersDialogProps) {
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

type Page<Item> = { readonly items: readonly Item[]; readonly next?: string }
type Read<Item> = (cursor: string | undefined) => Promise<Result<Page<Item>, ErrorBody>>

/** A paged list: the first page at once and again when `key` changes, others on request. */
function usePages<Item>(
  read: Read<Item>,
  key: string,
): {
  readonly items: readonly Item[]
  readonly hasMore: boolean
  readonly loading: boolean
  readonly error: ErrorBody | undefined
  readonly more: () => void
} {
  const [items, setItems] = useState<readonly Item[]>([])
  const [next, setNext] = useState<string>()
  const [loading, setLoading] = useState(true)
  const [error, setError] = useState<ErrorBody>()
  const requestCount = useRef(0)
  const wanted = useRef(key)
  const latest = useRef(read)
  useEffect(() => {
    latest.current = read
  })
  /** `about`: the key the page belongs to; a late page of another key is dropped. */
  const ask = useRef(async (cursor: string | undefined, about: string): Promise<void> => {
    requestCount.current += 1
    const mine = requestCount.current
    setLoading(true)
    const page = await latest.current(cursor)
    if (mine !== requestCount.current || about !== wanted.current) return
    setLoading(false)
    if (!page.ok) return setError(page.error)
    setError(undefined)
    setNext(page.value.next)
    setItems((before) => (cursor === undefined ? page.value.items : [...before, ...page.value.items]))
  })
  useEffect(() => {
    wanted.current = key
    void ask.current(undefined, key)
    return () => {
      requestCount.current += 1
    }
  }, [key])
  return {
    items,
    hasMore: next !== undefined,
    loading,
    error,
    more: () => void (next !== undefined && !loading && ask.current(next, key)),
  }
}
