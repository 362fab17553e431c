import { useState } from 'react'
import type { MessageId, UserId } from '#shared/lib/brand.ts'
import { useRemark, useTexts } from '../../../i18n/index.ts'
import { useAppDispatch } from '../../../store/hooks.ts'
import { dialogClosed } from '../../../store/window/ui.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { Dialog, DialogText } from '../../../ui/Dialog/Dialog.tsx'
import { report } from './commands.ts'
import { Radios } from '../../../ui/Choice/Choice.tsx'
import { TextArea } from '../../../ui/Field/TextField.tsx'
import styles from './Profile.module.css'

type Target = { readonly messageId: MessageId } | { readonly userId: UserId }

const REASONS = ['spam', 'insult', 'private', 'other'] as const
type Reason = (typeof REASONS)[number]
/** With the reason before it, within the limit of the contract. */
const NOTE_LIMIT = 400

/** Reports to the moderators: a reason and an optional note. Ends with a confirmation. */
export function ReportDialog({ target }: { readonly target: Target }) {
  const t = useTexts('profile')
  const common = useTexts('common')
  const dispatch = useAppDispatch()
  const [reason, setReason] = useState<Reason>('spam')
  const [note, setNote] = useState('')
  const formMessage = useRemark((own: 'noteMissing') => t(`reportDialog.${own}`))
  const [state, setState] = useState<'asking' | 'working' | 'sent'>('asking')
  const close = (): void => void dispatch(dialogClosed())
  const submit = async (): Promise<void> => {
    const text = note.trim()
    if (reason === 'other' && text === '') {
      formMessage.show('noteMissing')
      return
    }
    setState('working')
    // The reason comes first and untranslated, so that moderators can sort by it.
    const sent = await dispatch(report({ target, reason: text === '' ? reason : `${reason}: ${text}` }))
    setState(sent.ok ? 'sent' : 'asking')
    if (!sent.ok) formMessage.refuse(sent.error)
  }
  if (state === 'sent') {
    return (
      <Dialog
        width={400}
        title={t('reportDialog.title')}
        onClose={close}
        actions={
          <Button variant="primary" onClick={close}>
            {t('reportDialog.done')}
          </Button>
        }
      >
        <p role="status">{t('reportDialog.sent')}</p>
      </Dialog>
    )
  }
  return (
    <Dialog
      width={400}
      title={t('reportDialog.title')}
      onClose={close}
      onSubmit={() => void submit()}
      actions={
        <>
          <Button onClick={close}>{common('cancel')}</Button>
          <Button type="submit" variant="primary" working={state === 'working'}>
            {t('reportDialog.confirm')}
          </Button>
        </>
      }
    >
      <div className={styles['form']}>
        <DialogText>{'messageId' in target ? t('reportDialog.textMessage') : t('reportDialog.textPerson')}</DialogText>
        <Radios
          label={t('reportDialog.reason')}
          value={reason}
          onChange={(value) => {
            setReason(value)
            formMessage.clear()
          }}
          choices={REASONS.map((value) => ({ value, label: t(`reportDialog.reasons.${value}`) }))}
        />
        <TextArea
          label={t('reportDialog.note')}
          optional={reason === 'other' ? undefined : t('reportDialog.optional')}
          maxLength={NOTE_LIMIT}
          value={note}
          error={formMessage.text}
          onChange={(value) => {
            setNote(value)
            formMessage.clear()
          }}
        />
      </div>
    </Dialog>
  )
}
