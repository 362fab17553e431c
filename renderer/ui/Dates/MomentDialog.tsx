import { useState } from 'react'
import { tomorrowMorning } from '#shared/rules/reminders/mornings.ts'
import { useFormats, useTexts } from '../../i18n/index.ts'
import { fieldsOf, momentOf } from '../../lib/time/moments.ts'
import { useMinute } from '../../lib/time/use-minute.ts'
import { Button } from '../Button/Button.tsx'
import { Dialog, DialogText } from '../Dialog/Dialog.tsx'
import { MomentFields } from './MomentFields.tsx'

type Props = {
  readonly title: string
  /** The button's verb. */
  readonly confirm: string
  /** What choosing this time comes to, in a sentence. */
  readonly result: (time: string) => string
  /** What has to be so for it to happen. */
  readonly note?: string
  /** The time it has already; absent: tomorrow morning. Epoch milliseconds. */
  readonly start?: number
  readonly onChoose: (at: number) => void
  readonly onClose: () => void
}

/** A moment still to come, by its day and time. */
export function MomentDialog({ title, confirm, result, note, start, onChoose, onClose }: Props) {
  const t = useTexts('common')
  const { dayAndTime } = useFormats()
  const now = useMinute()
  const [fields, setFields] = useState(() => fieldsOf(start ?? tomorrowMorning(now)))
  const at = momentOf(fields.date, fields.time)
  const problem = at === undefined ? t('calendar.none') : at <= now ? t('calendar.past') : undefined
  const submit = (): void => {
    if (at === undefined || problem !== undefined) return
    onClose()
    onChoose(at)
  }
  return (
    <Dialog
      title={title}
      width={440}
      onClose={onClose}
      onSubmit={submit}
      actions={
        <>
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button variant="primary" type="submit" aria-disabled={problem !== undefined || undefined}>
            {confirm}
          </Button>
        </>
      }
    >
      <MomentFields fields={fields} min={fieldsOf(now).date} error={problem} onChange={setFields} />
      {at === undefined || problem !== undefined ? null : <DialogText>{result(dayAndTime(at))}</DialogText>}
      {note === undefined ? null : <DialogText>{note}</DialogText>}
    </Dialog>
  )
}
