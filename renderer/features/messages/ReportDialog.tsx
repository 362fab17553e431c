import { useState } from 'react'
import type { MessageId } from '#shared/lib/brand.ts'
import { useErrorText, useTexts } from '../../i18n/index.ts'
import { announce } from '../../lib/announce.ts'
import { useAppDispatch } from '../../store/hooks.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog, DialogText } from '../../ui/Dialog.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { reportMessage } from './commands.ts'

type Props = { readonly messageId: MessageId; readonly onClose: () => void }

/** Tells those who moderate of a message. A refusal stands in the dialog, with the words kept. */
export function ReportDialog({ messageId, onClose }: Props) {
  const t = useTexts('messages')
  const common = useTexts('common')
  const errorText = useErrorText()
  const dispatch = useAppDispatch()
  const [reason, setReason] = useState('')
  const [working, setWorking] = useState(false)
  const [error, setError] = useState<string>()
  const submit = async (): Promise<void> => {
    setWorking(true)
    const words = reason.trim()
    const sent = await dispatch(reportMessage({ messageId, ...(words === '' ? {} : { reason: words }) }))
    setWorking(false)
    if (!sent.ok) return setError(errorText(sent.error))
    announce(t('report.done'))
    onClose()
  }
  return (
    <Dialog
      title={t('report.title')}
      width={400}
      onClose={onClose}
      onSubmit={() => void submit()}
      actions={
        <>
          <Button onClick={onClose}>{common('cancel')}</Button>
          <Button type="submit" variant="primary" working={working}>
            {t('report.send')}
          </Button>
        </>
      }
    >
      <DialogText muted>{t('report.why')}</DialogText>
      <TextField
        label={t('report.reason')}
        optional={t('forward.optional')}
        value={reason}
        error={error}
        maxLength={500}
        onChange={setReason}
      />
    </Dialog>
  )
}
