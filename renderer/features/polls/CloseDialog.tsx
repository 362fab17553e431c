import { useId, useRef, useState } from 'react'
import type { Poll } from '#shared/domain/poll.ts'
import type { ErrorBody } from '#shared/lib/app-error.ts'
import type { MessageId } from '#shared/lib/brand.ts'
import { shownText } from '#shared/lib/clean-text.ts'
import { useErrorText, useTexts } from '../../i18n/index.ts'
import { useAppDispatch } from '../../store/hooks.ts'
import { Button } from '../../ui/Button/Button.tsx'
import { Dialog, DialogText } from '../../ui/Dialog/Dialog.tsx'
import { Switch } from '../../ui/Choice/Switch.tsx'
import { closePoll, writeAbout } from './commands.ts'
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
