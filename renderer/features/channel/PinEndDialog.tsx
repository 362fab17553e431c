import { useState } from 'react'
import { tomorrowMorning } from '#shared/rules/reminders/reminders.ts'
import { useFormats, useTexts } from '../../i18n/index.ts'
import { useMinute } from '../../lib/time/clocks.ts'
import { fieldsOf, momentOf } from '../../lib/time/moments.ts'
import { Button } from '../../ui/Button/Button.tsx'
import { Segments } from '../../ui/Choice/Choice.tsx'
import { DateField, TimeField } from '../../ui/Dates/DateField.tsx'
import { Dialog, DialogText } from '../../ui/Dialog/Dialog.tsx'
import styles from './Channel.module.css'

type Props = {
  /** When it ends now. */
  readonly end: number | undefined
  /** Null: it does not end. */
  readonly onEnd: (until: number | null) => void
  readonly onClose: () => void
}

const CHOICES = ['1d', '7d', '30d', 'never', 'until'] as const
type Choice = (typeof CHOICES)[number]

const DAY_MS = 24 * 3_600_000
const DAYS = { '1d': 1, '7d': 7, '30d': 30 } as const

/** Chooses when the server unpins a message. */
export function PinEndDialog({ end, onEnd, onClose }: Props) {
  const t = useTexts('channel')
  const common = useTexts('common')
  const formats = useFormats()
  const [triedAt, setTriedAt] = useState(0)
  // The minute may be nearly over: an end that had passed when it was to be saved is not in the future either.
  const now = Math.max(useMinute(), triedAt)
  const [choice, setChoice] = useState<Choice>(end === undefined ? '7d' : 'until')
  const [{ date, time }, setMoment] = useState(() => fieldsOf(end ?? tomorrowMorning(now)))
  const untilAt = (at: number): number | null | undefined =>
    choice === 'never' ? null : choice === 'until' ? momentOf(date, time) : at + DAYS[choice] * DAY_MS
  const until = untilAt(now)
  const isReady = until === null || (until !== undefined && until > now)
  return (
    <Dialog
      width={520}
      title={t('pinEnd.title')}
      onClose={onClose}
      onSubmit={() => {
        const at = Date.now()
        const chosen = untilAt(at)
        setTriedAt(at)
        if (chosen === undefined || (chosen !== null && chosen <= at)) return
        onEnd(chosen)
        onClose()
      }}
      actions={
        <>
          <Button onClick={onClose}>{common('cancel')}</Button>
          <Button type="submit" variant="primary" aria-disabled={!isReady || undefined}>
            {t('pinEnd.save')}
          </Button>
        </>
      }
    >
      <Segments
        block
        label={t('pinEnd.title')}
        value={choice}
        choices={CHOICES.map((value) => ({ value, label: t(`pinEnd.choices.${value}`) }))}
        onChange={setChoice}
      />
      {choice === 'until' ? (
        <div className={styles['moment']}>
          <DateField label={t('pinEnd.day')} value={date} onChange={(day) => setMoment({ date: day, time })} />
          <TimeField label={t('pinEnd.time')} value={time} onChange={(at) => setMoment({ date, time: at })} />
        </div>
      ) : null}
      <div className={styles['effect']} aria-live="polite">
        <DialogText muted>
          {until === null
            ? t('pinEnd.endless')
            : until === undefined
              ? t('pinEnd.unknown')
              : until <= now
                ? t('pinEnd.past')
                : t('pinEnd.ends', { time: formats.dayAndTime(until) })}
        </DialogText>
      </div>
    </Dialog>
  )
}
