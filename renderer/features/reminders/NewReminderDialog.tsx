import { useState } from 'react'
import { useRemark, useTexts } from '../../i18n/index.ts'
import { announce } from '../../lib/page/announce.ts'
import { useMinute } from '../../lib/time/clocks.ts'
import { useAppDispatch } from '../../store/hooks.ts'
import { dialogClosed } from '../../store/window/ui.ts'
import { Button } from '../../ui/Button/Button.tsx'
import { Dialog, DialogText, Refusal } from '../../ui/Dialog/Dialog.tsx'
import { TextField } from '../../ui/Field/TextField.tsx'
import { createReminder } from './commands.ts'
import { momentIn } from './ReminderDialog.tsx'
import { announcementOf, useWhen } from './RemindMenu.tsx'
import styles from './Dialog.module.css'

/**
 * A reminder of something that is not a message yet. The contract has reminders of messages only, so the text becomes a
 * note to self, and the reminder is of that note.
 */
export function NewReminderDialog() {
  const t = useTexts('reminders')
  const common = useTexts('common')
  const when = useWhen()
  const dispatch = useAppDispatch()
  const now = useMinute()
  const [text, setText] = useState('')
  const [time, setTime] = useState('')
  const [tried, setTried] = useState(false)
  const [working, setWorking] = useState(false)
  const remark = useRemark()
  const close = (): void => void dispatch(dialogClosed())
  const at = time.trim() === '' ? undefined : momentIn(time, now)
  const unclear = at === undefined ? t('dialog.notUnderstood') : undefined
  const missing = text.trim() === '' ? t('create.missing') : undefined
  const save = async (remindAt?: number): Promise<void> => {
    setWorking(true)
    const created = await dispatch(createReminder({ text: text.trim(), remindAt }))
    setWorking(false)
    if (!created.ok) return remark.refuse(created.error)
    announce(announcementOf(t, when, remindAt))
    close()
  }
  const submit = (): void => {
    setTried(true)
    // A relative time counts from the click.
    if (missing === undefined && unclear === undefined) void save(momentIn(time, Date.now()))
  }
  const submitWithoutTime = (): void => {
    setTried(true)
    if (missing === undefined) void save()
  }
  return (
    <Dialog
      title={t('create.title')}
      width={440}
      onClose={close}
      onSubmit={submit}
      hint={
        <Button variant="quiet" onClick={submitWithoutTime}>
          {t('create.noTime')}
        </Button>
      }
      actions={
        <>
          <Button onClick={close}>{common('cancel')}</Button>
          <Button variant="primary" type="submit" working={working}>
            {t('create.save')}
          </Button>
        </>
      }
    >
      <div className={styles['fields']}>
        <TextField
          label={t('create.text')}
          value={text}
          maxLength={500}
          autoComplete="off"
          error={tried ? missing : undefined}
          onChange={setText}
        />
        <TextField
          label={t('dialog.words')}
          value={time}
          autoComplete="off"
          error={tried ? unclear : undefined}
          hint={
            at === undefined
              ? t('create.examples')
              : t('dialog.result', { time: when.absolute(at, now), relative: when.relative(at, now) ?? '' })
          }
          onChange={setTime}
        />
        <DialogText muted>{t('create.where')}</DialogText>
        <Refusal text={remark.text} />
      </div>
    </Dialog>
  )
}
