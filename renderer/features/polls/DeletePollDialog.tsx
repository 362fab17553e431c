import { useRef, useState } from 'react'
import type { ErrorBody } from '#shared/lib/app-error.ts'
import type { MessageId } from '#shared/lib/brand.ts'
import { useErrorText, useTexts } from '../../i18n/index.ts'
import { announce } from '../../lib/page/announce.ts'
import { useAppDispatch } from '../../store/hooks.ts'
import { Button } from '../../ui/Button/Button.tsx'
import { Dialog, DialogText, Refusal } from '../../ui/Dialog/Dialog.tsx'
import { removePoll } from './commands.ts'

type Props = { readonly messageId: MessageId; readonly onClose: () => void }

/** Confirms deleting a poll with its votes. */
export function DeletePollDialog({ messageId, onClose }: Props) {
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
