import { useState } from 'react'
import { useRemark, useTexts } from '../../../i18n/index.ts'
import { fieldsOf, momentOf } from '../../../lib/time/moments.ts'
import { useMinute } from '../../../lib/time/clocks.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { DateField } from '../../../ui/Dates/DateField.tsx'
import { Dialog } from '../../../ui/Dialog/Dialog.tsx'

type Props = { readonly onDay: (at: number) => void; readonly onClose: () => void }

/** Jumps to any date. */
export function DayDialog({ onDay, onClose }: Props) {
  const t = useTexts('messages')
  const common = useTexts('common')
  const now = useMinute()
  const [day, setDay] = useState('')
  const formMessage = useRemark((own: 'noDay') => t(`jump.${own}`))
  const submit = (): void => {
    const at = momentOf(day, '00:00')
    if (at === undefined || at > Date.now()) return formMessage.show('noDay')
    onClose()
    onDay(Math.max(0, at))
  }
  return (
    <Dialog
      title={t('jump.title')}
      width={400}
      onClose={onClose}
      onSubmit={submit}
      actions={
        <>
          <Button onClick={onClose}>{common('cancel')}</Button>
          <Button type="submit" variant="primary">
            {t('jump.go')}
          </Button>
        </>
      }
    >
      <DateField
        label={t('jump.day')}
        value={day}
        max={fieldsOf(now).date}
        error={formMessage.text}
        onChange={setDay}
      />
    </Dialog>
  )
}
