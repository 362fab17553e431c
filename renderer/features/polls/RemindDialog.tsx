import { useEffect, useState } from 'react'
import type { NonVoters } from '#shared/domain/poll.ts'
import type { ErrorBody } from '#shared/lib/app-error.ts'
import type { MessageId } from '#shared/lib/brand.ts'
import { useErrorText, useTexts } from '../../i18n/index.ts'
import { useAppDispatch, useAppStore } from '../../store/hooks.ts'
import { Button } from '../../ui/Button/Button.tsx'
import { Dialog, DialogText } from '../../ui/Dialog/Dialog.tsx'
import { Portrait, selectName, useName } from '../people/index.ts'
import { readNonVoters, writeAbout } from './commands.ts'
import styles from './Dialogs.module.css'

/** More names than this do not fit into one message. */
const NAMED = 20

type Props = { readonly messageId: MessageId; readonly onClose: () => void }

/** Lists people who have not voted, and inserts a reminder into the composer; nothing is sent automatically. */
export function RemindDialog({ messageId, onClose }: Props) {
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
