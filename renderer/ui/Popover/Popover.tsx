import { useRef, type KeyboardEvent, type ReactNode } from 'react'
import { tabStops, usePressOutside, useReturnFocus } from '../../lib/page/focus.ts'
import { Anchored, type Placement } from '../Anchored/Anchored.tsx'
import styles from './Popover.module.css'

type Props = {
  readonly label: string
  readonly anchor: Element
  readonly children: ReactNode
  readonly onClose: () => void
}

const BELOW: Placement = { side: 'below', align: 'start', gap: 4 }

/** A small dialog next to its opener. Focus stays inside and returns to the opener; Escape and a click outside close it. */
export function Popover({ label, anchor, children, onClose }: Props) {
  const ref = useRef<HTMLDivElement>(null)
  useReturnFocus()
  usePressOutside(ref, onClose)
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') onClose()
    else if (event.key !== 'Tab' || ref.current === null || !turnsRound(event, ref.current)) {
      // Keys pressed here must not reach the dialog below.
      if (event.key === 'Tab') event.stopPropagation()
      return
    }
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <Anchored
      ref={ref}
      anchor={anchor}
      placement={BELOW}
      role="dialog"
      aria-label={label}
      data-returns-focus=""
      className={styles['popover']}
      onKeyDown={onKeyDown}
    >
      {children}
    </Anchored>
  )
}

/** Wraps from the last tab stop to the first, and back. */
function turnsRound(event: KeyboardEvent, root: HTMLElement): boolean {
  const stops = tabStops(root)
  const [edge, other] = event.shiftKey ? [stops[0], stops.at(-1)] : [stops.at(-1), stops[0]]
  if (document.activeElement !== edge) return false
  other?.focus()
  return true
}
