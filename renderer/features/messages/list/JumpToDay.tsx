import { useState } from 'react'
import { startOfDay, useRemark, useTexts } from '../../../i18n/index.ts'
import { fieldsOf, momentOf } from '../../../lib/time/moments.ts'
import { useMinute } from '../../../lib/time/use-minute.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { DateField } from '../../../ui/Dates/DateField.tsx'
import { Dialog } from '../../../ui/Dialog/Dialog.tsx'
import { Menu, type MenuItem } from '../../../ui/Menu/Menu.tsx'
import { daysBefore, monthBefore } from '../model/days.ts'

type MenuProps = {
  readonly anchor: Element
  readonly onDay: (at: number) => void
  readonly onNewest: () => void
  readonly onPick: () => void
  readonly onClose: () => void
}

/** Menu of a day divider. */
export function DayMenu({ anchor, onDay, onNewest, onPick, onClose }: MenuProps) {
  const t = useTexts('messages')
  const to = (id: 'yesterday' | 'week' | 'month' | 'beginning', at: (today: number) => number): MenuItem => ({
    id,
    label: t(`jump.${id}`),
    onSelect: () => onDay(at(startOfDay(Date.now()))),
  })
  const items: MenuItem[] = [
    { id: 'newest', label: t('jump.newest'), icon: 'arrow-down', onSelect: onNewest },
    { kind: 'separator', id: 'days' },
    to('yesterday', (today) => daysBefore(today, 1)),
    to('week', (today) => daysBefore(today, 7)),
    to('month', monthBefore),
    to('beginning', () => 0),
    { kind: 'separator', id: 'any' },
    { id: 'pick', label: t('jump.pick'), icon: 'calendar', onSelect: onPick },
  ]
  return <Menu label={t('jump.menu')} items={items} anchor={anchor} minWidth={220} onClose={onClose} />
}

type DialogProps = { readonly onDay: (at: number) => void; readonly onClose: () => void }

/** Jumps to any date. */
export function DayDialog({ onDay, onClose }: DialogProps) {
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
