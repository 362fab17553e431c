import { useState } from 'react'
import { tomorrowMorning } from '#shared/rules/mornings.ts'
import { useFormats, useTexts } from '../../i18n/index.ts'
import { useMinute } from '../../lib/use-minute.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog, DialogText } from '../../ui/Dialog.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { fieldsOf, momentOf } from '../reminders/index.ts'
import styles from './ScheduleDialog.module.css'

type Props = {
  /** The time it has already. Epoch milliseconds. */
  readonly start?: number
  readonly onChoose: (at: number) => void
  readonly onClose: () => void
}

/** A day and a time to send at, and what has to be so for it to happen. */
export function ScheduleDialog({ start, onChoose, onClose }: Props) {
  const t = useTexts('composer')
  const { dayAndTime } = useFormats()
  const now = useMinute()
  const [fields, setFields] = useState(() => fieldsOf(start ?? tomorrowMorning(now)))
  const at = momentOf(fields.date, fields.time)
  const problem = at === undefined ? t('later.noTime') : at <= now ? t('later.past') : undefined
  const submit = (): void => {
    if (at === undefined || problem !== undefined) return
    onClose()
    onChoose(at)
  }
  return (
    <Dialog
      title={t('later.title')}
      width={440}
      onClose={onClose}
      onSubmit={submit}
      actions={
        <>
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button variant="primary" type="submit" aria-disabled={problem !== undefined || undefined}>
            {t('later.confirm')}
          </Button>
        </>
      }
    >
      <div className={styles['pair']}>
        <TextField
          label={t('later.date')}
          type="date"
          value={fields.date}
          error={problem}
          onChange={(date) => setFields({ ...fields, date })}
        />
        <TextField
          label={t('later.time')}
          type="time"
          value={fields.time}
          onChange={(time) => setFields({ ...fields, time })}
        />
      </div>
      {at === undefined || problem !== undefined ? null : (
        <DialogText>{t('later.at', { time: dayAndTime(at) })}</DialogText>
      )}
      <DialogText>{t('later.honest')}</DialogText>
    </Dialog>
  )
}
