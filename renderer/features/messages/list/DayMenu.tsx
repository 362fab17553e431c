import { startOfDay, useTexts } from '../../../i18n/index.ts'
import { Menu, type MenuItem } from '../../../ui/Menu/Menu.tsx'

type Props = {
  readonly anchor: Element
  readonly onDay: (at: number) => void
  readonly onNewest: () => void
  readonly onPick: () => void
  readonly onClose: () => void
}

/** Menu of a day divider. */
export function DayMenu({ anchor, onDay, onNewest, onPick, onClose }: Props) {
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
