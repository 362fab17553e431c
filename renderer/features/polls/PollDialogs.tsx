import { useId, useRef, useState, useEffect } from 'react'
import type { Poll, NonVoters } from '#shared/domain/poll.ts'
import type { ErrorBody } from '#shared/lib/app-error.ts'
import type { MessageId } from '#shared/lib/brand.ts'
import { shownText } from '#shared/lib/clean-text.ts'
import { sameOption } from '#shared/rules/polls/poll-form.ts'
import { useErrorText, useTexts } from '../../i18n/index.ts'
import { useAppDispatch, useSession, useAppStore } from '../../store/hooks.ts'
import { Button } from '../../ui/Button/Button.tsx'
import { Dialog, DialogText, Refusal } from '../../ui/Dialog/Dialog.tsx'
import { Switch } from '../../ui/Choice/Switch.tsx'
import { announce } from '../../lib/page/announce.ts'
import { TextField } from '../../ui/Field/TextField.tsx'
import { Portrait, selectName, useName } from '../people/index.ts'
import { closePoll, writeAbout, removePoll, suggestOption, readNonVoters } from './commands.ts'
import { useResultText } from './results.ts'
import styles from './Dialogs.module.css'

type Props = { readonly poll: Poll; readonly messageId: MessageId; readonly onClose: () => void }

/** Confirms closing a poll permanently. */
export function CloseDialog({ poll, messageId, onClose }: Props) {
  const t = useTexts('polls')
  const errorText = useErrorText()
  const dispatch = useAppDispatch()
  const keep = useRef<HTMLButtonElement>(null)
  const [working, setWorking] = useState(false)
  const [notifies, setTells] = useState(true)
  const resultText = useResultText()
  const id = useId()
  const [failure, setFailure] = useState<ErrorBody>()
  const end = async (): Promise<void> => {
    setWorking(true)
    const result = await dispatch(closePoll({ messageId }))
    setWorking(false)
    if (!result.ok) return setFailure(result.error)
    onClose()
    if (notifies) dispatch(writeAbout({ messageId, text: resultText(poll) }))
  }
  return (
    <Dialog
      alert
      title={t('close.title')}
      width={400}
      initialFocus={keep}
      onClose={onClose}
      actions={
        <>
          <Button ref={keep} onClick={onClose}>
            {t('close.cancel')}
          </Button>
          <Button variant="danger" working={working} onClick={() => void end()}>
            {t('close.confirm')}
          </Button>
        </>
      }
    >
      <DialogText>{t('close.why', { name: shownText(poll.name) })}</DialogText>
      <div className={styles['choice']}>
        <span id={id}>{t('close.tell')}</span>
        <Switch labelledBy={id} on={notifies} onChange={setTells} />
      </div>
      <p className={styles['failure']} role="alert">
        {failure === undefined ? null : errorText(failure)}
      </p>
    </Dialog>
  )
}

type DeletePollDialogProps = { readonly messageId: MessageId; readonly onClose: () => void }

/** Confirms deleting a poll with its votes. */
export function DeletePollDialog({ messageId, onClose }: DeletePollDialogProps) {
  const t = useTexts('polls')
  const errorText = useErrorText()
  const dispatch = useAppDispatch()
  const keep = useRef<HTMLButtonElement>(null)
  const [working, setWorking] = useState(false)
  const [error, setError] = useState<ErrorBody>()
  const remove = async (): Promise<void> => {
    setWorking(true)
    const removed = await dispatch(removePoll({ messageId }))
    setWorking(false)
    if (!removed.ok) return setError(removed.error)
    announce(t('delete.done'))
    onClose()
  }
  return (
    <Dialog
      alert
      width={400}
      title={t('delete.title')}
      initialFocus={keep}
      onClose={onClose}
      actions={
        <>
          <Button ref={keep} onClick={onClose}>
            {t('delete.cancel')}
          </Button>
          <Button variant="danger" working={working} onClick={() => void remove()}>
            {t('delete.confirm')}
          </Button>
        </>
      }
    >
      <DialogText>{t('delete.text')}</DialogText>
      <Refusal text={error === undefined ? undefined : errorText(error)} />
    </Dialog>
  )
}

type SuggestDialogProps = { readonly poll: Poll; readonly messageId: MessageId; readonly onClose: () => void }

/** Suggests another option. */
export function SuggestDialog({ poll, messageId, onClose }: SuggestDialogProps) {
  const t = useTexts('polls')
  const errorText = useErrorText()
  const dispatch = useAppDispatch()
  const mine = poll.createdBy === useSession().userId
  const [text, setText] = useState('')
  const [tried, setTried] = useState(false)
  const [working, setWorking] = useState(false)
  const [failure, setFailure] = useState<ErrorBody>()
  const same = sameOption(text)
  const problem = poll.options.some((option) => same !== '' && sameOption(option.text) === same)
    ? t('form.problems.optionExists')
    : tried && same === ''
      ? t('form.problems.optionEmpty')
      : undefined
  const submit = async (): Promise<void> => {
    setTried(true)
    if (problem !== undefined || same === '' || working) return
    setWorking(true)
    const result = await dispatch(suggestOption({ messageId, text: text.trim() }))
    setWorking(false)
    if (result.ok) onClose()
    else setFailure(result.error)
  }
  return (
    <Dialog
      title={t(mine ? 'addOption' : 'suggest')}
      width={400}
      onClose={onClose}
      onSubmit={() => void submit()}
      actions={
        <>
          <Button onClick={onClose}>{t('form.cancel')}</Button>
          <Button variant="primary" type="submit" working={working}>
            {t(mine ? 'addOption' : 'suggest')}
          </Button>
        </>
      }
    >
      <TextField
        label={t('suggestion')}
        value={text}
        maxLength={500}
        autoComplete="off"
        onChange={(value) => {
          setText(value)
          setFailure(undefined)
        }}
        error={problem ?? (failure === undefined ? undefined : errorText(failure))}
      />
    </Dialog>
  )
}

/** More names than this do not fit into one message. */
const NAMED = 20

type RemindDialogProps = { readonly messageId: MessageId; readonly onClose: () => void }

/** Lists people who have not voted, and inserts a reminder into the composer; nothing is sent automatically. */
export function RemindDialog({ messageId, onClose }: RemindDialogProps) {
  const t = useTexts('polls')
  const errorText = useErrorText()
  const dispatch = useAppDispatch()
  const store = useAppStore()
  const [found, setFound] = useState<NonVoters>()
  const [failure, setFailure] = useState<ErrorBody>()
  useEffect(() => {
    let live = true
    const load = async (): Promise<void> => {
      const answer = await dispatch(readNonVoters({ messageId }))
      if (!live) return
      if (answer.ok) setFound(answer.value)
      else setFailure(answer.error)
    }
    void load()
    return () => {
      live = false
    }
  }, [dispatch, messageId])
  const write = (): void => {
    const names = (found?.userIds ?? []).slice(0, NAMED).map((id) => `@${selectName(store.getState(), id)}`)
    onClose()
    dispatch(writeAbout({ messageId, text: t('remind.words', { names: names.join(' ') }) }))
  }
  const people = found?.userIds ?? []
  return (
    <Dialog
      title={t('remind.title')}
      width={440}
      onClose={onClose}
      actions={
        <Button
          variant="primary"
          aria-disabled={people.length === 0 || undefined}
          onClick={() => people.length > 0 && write()}
        >
          {t('remind.write')}
        </Button>
      }
    >
      {failure === undefined ? null : (
        <p className={styles['failure']} role="alert">
          {errorText(failure)}
        </p>
      )}
      {found === undefined ? null : (
        <DialogText muted>
          {found.total === 0 ? t('remind.nobody') : t('remind.count', { count: found.total })}
        </DialogText>
      )}
      <ul
        className={styles['list']}
        aria-label={t('remind.title')}
        aria-busy={found === undefined && failure === undefined}
      >
        {people.map((userId) => (
          <Person key={userId} userId={userId} />
        ))}
      </ul>
    </Dialog>
  )
}

function Person({ userId }: { readonly userId: NonVoters['userIds'][number] }) {
  const name = useName(userId)
  return (
    <li className={styles['person']}>
      <Portrait userId={userId} size={20} />
      <bdi>{name}</bdi>
    </li>
  )
}
