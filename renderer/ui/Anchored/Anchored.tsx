import { useId, useLayoutEffect, useRef, type ComponentProps, type CSSProperties, type RefObject } from 'react'
import { createPortal } from 'react-dom'
import { cx } from '../../lib/cx.ts'
import { topModal } from '../Modal/Modal.tsx'
import styles from './Anchored.module.css'

export type Side = 'above' | 'below' | 'start' | 'end'

export type Placement = {
  readonly side: Side
  readonly align: 'start' | 'center' | 'end'
  /** Pixels between the anchor and the popover. */
  readonly gap: number
}

type Props = Omit<ComponentProps<'div'>, 'popover' | 'ref'> & {
  readonly ref?: RefObject<HTMLDivElement | null>
  /** The element it is next to; a rectangle of the window for a context menu at a point. */
  readonly anchor: Element | DOMRect
  readonly placement: Placement
}

/**
 * A popover next to an anchor, above everything else on the page. CSS anchor positioning keeps it there while the page
 * scrolls or the window changes, and uses the opposite side if there is no space.
 */
export function Anchored({ ref, anchor, placement, className, style, children, ...rest }: Props) {
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
