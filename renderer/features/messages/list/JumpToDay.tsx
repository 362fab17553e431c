import { useState, useCallback, type ReactNode } from 'react'
import type { Cid } from '#shared/lib/brand.ts'
import { startOfDay, useTexts } from '../../../i18n/index.ts'
import { overlayPart } from '../../../lib/page/part.tsx'
import { Menu, type MenuItem } from '../../../ui/Menu/Menu.tsx'
import { useAppDispatch, useAppSelector } from '../../../store/hooks.ts'
import { dayPickerClosed, dayPickerOpened } from '../../../store/window/overlays.ts'

const DayDialog = overlayPart(async () => (await import('./DayDialog.tsx')).DayDialog)

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
