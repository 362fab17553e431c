import { useState, useCallback, type ReactNode } from 'react'
import type { Cid } from '#shared/lib/brand.ts'
import { overlayPart, typedPart } from '../../../lib/page/part.tsx'
import { useAppDispatch, useAppSelector } from '../../../store/hooks.ts'
import { dayPickerClosed, dayPickerOpened } from '../../../store/window/overlays.ts'

export const DayMenu = overlayPart(async () => (await import('./DayMenu.tsx')).DayMenu)
const DayDialog = typedPart(async () => (await import('./DayDialog.tsx')).DayDialog)

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
