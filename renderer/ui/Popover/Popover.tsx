import {
  useRef,
  type KeyboardEvent,
  type ReactNode,
  useId,
  useLayoutEffect,
  type ComponentProps,
  type CSSProperties,
  type RefObject,
} from 'react'
import { createPortal } from 'react-dom'
import { tabStops, usePressOutside, useReturnFocus } from '../../lib/page/focus.ts'
import { cx } from '../../lib/cx.ts'
import { topModal } from '../Modal/Modal.tsx'
import styles from './Popover.module.css'

export type Side = 'above' | 'below' | 'start' | 'end'

export type Placement = {
  readonly side: Side
  readonly align: 'start' | 'center' | 'end'
  /** Pixels between the anchor and the popover. */
  readonly gap: number
}

type AnchoredProps = Omit<ComponentProps<'div'>, 'popover' | 'ref'> & {
  readonly ref?: RefObject<HTMLDivElement | null>
  /** The element it is next to; a rectangle of the window for a context menu at a point. */
  readonly anchor: Element | DOMRect
  readonly placement: Placement
}

/**
 * A popover next to an anchor, above everything else on the page. CSS anchor positioning keeps it there while the page
 * scrolls or the window changes, and uses the opposite side if there is no space.
 */
export function Anchored({ ref, anchor, placement, className, style, children, ...rest }: AnchoredProps) {
  const own = useRef<HTMLDivElement>(null)
  const element = ref ?? own
  const point = useRef<HTMLSpanElement>(null)
  const name = `--anchor-${useId().replaceAll(/[^\w-]/g, '')}`
  useLayoutEffect(() => {
    const target = anchor instanceof Element ? anchor : point.current
    const popover = element.current
    if (popover === null || !(target instanceof HTMLElement || target instanceof SVGElement)) return undefined
    const before = target.style.getPropertyValue('anchor-name')
    target.style.setProperty('anchor-name', before === '' ? name : `${before}, ${name}`)
    popover.style.setProperty('position-anchor', name)
    popover.showPopover()
    return () => {
      popover.hidePopover()
      const left = target.style
        .getPropertyValue('anchor-name')
        .split(', ')
        .filter((one) => one !== name)
      target.style.setProperty('anchor-name', left.join(', '))
    }
  }, [anchor, element, name])
  const isPoint = !(anchor instanceof Element)
  // Outside of an open modal everything is inert.
  const parent = (isPoint ? topModal() : anchor.closest('dialog')) ?? document.body
  return createPortal(
    <>
      {isPoint ? (
        <span
          ref={point}
          className={styles['point']}
          style={{ left: anchor.left, top: anchor.top, width: anchor.width, height: anchor.height }}
        />
      ) : null}
      <div
        {...rest}
        ref={element}
        popover="manual"
        data-side={placement.side}
        data-align={placement.align}
        className={cx(styles['anchored'], className)}
        style={{ ...style, '--gap': `${placement.gap}px` } as CSSProperties}
      >
        {children}
      </div>
    </>,
    parent,
  )
}

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
