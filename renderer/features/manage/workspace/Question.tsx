import { useState } from 'react'
import type { ErrorBody, Result } from '#shared/lib/app-error.ts'
import { useErrorText, useTexts } from '../../../i18n/index.ts'
import { announce } from '../../../lib/page/announce.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { Dialog, DialogText, Refusal } from '../../../ui/Dialog/Dialog.tsx'

type Props = {
  readonly title: string
  readonly text: string
  readonly confirm: string
  /** Announced afterwards. */
  readonly done: string
  readonly onConfirm: () => Promise<Result<unknown, ErrorBody>>
  readonly onClose: () => void
}

/** Asks before something is deleted that cannot be restored; a refusal is shown in place. */
export function Question({ title, text, confirm, done, onConfirm, onClose }: Props) {
  const t = useTexts('workspace')
  const errorText = useErrorText()
  const [working, setWorking] = useState(false)
  const [error, setError] = useState<ErrorBody>()
  const run = async (): Promise<void> => {
    setError(undefined)
    setWorking(true)
    const result = await onConfirm()
    setWorking(false)
    if (!result.ok) return setError(result.error)
    announce(done)
    onClose()
  }
  return (
    <Dialog
      alert
      width={400}
      title={title}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button variant="danger" working={working} onClick={() => void run()}>
            {confirm}
          </Button>
        </>
      }
    >
      <DialogText>{text}</DialogText>
      <Refusal text={error === undefined ? undefined : errorText(error)} />
    </Dialog>
  )
}
