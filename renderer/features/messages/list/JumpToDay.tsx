import { useState, useCallback, type ReactNode } from 'react'
import type { Cid } from '#shared/lib/brand.ts'
import { startOfDay, useRemark, useTexts } from '../../../i18n/index.ts'
import { fieldsOf, momentOf } from '../../../lib/time/moments.ts'
import { useMinute } from '../../../lib/time/clocks.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { DateField } from '../../../ui/Dates/DateField.tsx'
import { Dialog } from '../../../ui/Dialog/Dialog.tsx'
import { Menu, type MenuItem } from '../../../ui/Menu/Menu.tsx'
import { useAppDispatch, useAppSelector } from '../../../store/hooks.ts'
import { dayPickerClosed, dayPickerOpened } from '../../../store/window/overlays.ts'

type DaysOptions = {
  readonly cid: Cid
  /** False in a thread, which has no day dividers. */
  readonly listening: boolean
  readonly onJump: (at: number) => void
  readonly onNewest: () => void
}

/** Jumps to a day, from a day divider or the quick switcher. */
export function useDays({ cid, listening, onJump, onNewest }: DaysOptions): {
  readonly open: (anchor: Element) => void
  readonly overlays: ReactNode
} {
  const dispatch = useAppDispatch()
  const isRequested = useAppSelector(({ overlays }) => listening && overlays.day === cid)
  const [anchor, setAnchor] = useState<Element>()
  const close = useCallback(() => setAnchor(undefined), [])
  return {
    open: setAnchor,
    overlays: (
      <>
        {anchor === undefined ? null : (
          <DayMenu
            anchor={anchor}
            onDay={onJump}
            onNewest={onNewest}
            onPick={() => dispatch(dayPickerOpened({ cid }))}
            onClose={close}
          />
        )}
        {isRequested ? <DayDialog onDay={onJump} onClose={() => void dispatch(dayPickerClosed())} /> : null}
      </>
    ),
  }
}

type MenuProps = {
  readonly anchor: Element
  readonly onDay: (at: number) => void
  readonly onNewest: () => void
  readonly onPick: () => void
  readonly onClose: () => void
}

/** Menu of a day divider. */
function DayMenu({ anchor, onDay, onNewest, onPick, onClose }: MenuProps) {
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
function DayDialog({ onDay, onClose }: DialogProps) {
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

/** Local midnight a number of days before a local midnight. Not a multiple of 24 hours across a clock change. */
export function daysBefore(midnight: number, days: number): number {
  const day = new Date(midnight)
  return new Date(day.getFullYear(), day.getMonth(), day.getDate() - days).getTime()
}

/** The same day one month earlier, or the last day of that month if it is shorter. */
export function monthBefore(midnight: number): number {
  const day = new Date(midnight)
  const lastOfMonth = new Date(day.getFullYear(), day.getMonth(), 0).getDate()
  return new Date(day.getFullYear(), day.getMonth() - 1, Math.min(day.getDate(), lastOfMonth)).getTime()
}
