import {
  useRef,
  type KeyboardEvent,
  type ReactNode,
  useId,
  useLayoutEffect,
  type ComponentProps,
  type CSSProperties,
  type RefObject,
  cloneElement,
  useEffect,
  useState,
  type FocusEvent,
  type PointerEvent,
  type ReactElement,
} from 'react'
import { createPortal } from 'react-dom'
import { tabStops, usePressOutside, useReturnFocus } from '../../lib/page/focus.ts'
import { cx } from '../../lib/cx.ts'
import { topModal } from '../Modal/Modal.tsx'
import styles from './Popover.module.css'
import { Keys } from '../Keys/Keys.tsx'

type Side = 'above' | 'below' | 'start' | 'end'

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

/** What a tooltip adds to its child; the child may have its own handlers for the same events. */
type TriggerProps = {
  readonly onPointerEnter?: (event: PointerEvent<HTMLElement>) => void
  readonly onPointerLeave?: (event: PointerEvent<HTMLElement>) => void
  readonly onPointerDown?: (event: PointerEvent<HTMLElement>) => void
  readonly onFocus?: (event: FocusEvent<HTMLElement>) => void
  readonly onBlur?: (event: FocusEvent<HTMLElement>) => void
  readonly 'aria-describedby'?: string
}

type TooltipProps = {
  readonly text: ReactNode
  readonly keys?: readonly string[]
  readonly side?: Side
  /** The text is more than the name of the control: screen readers read it as its description. */
  readonly describes?: boolean
  readonly children: ReactElement<TriggerProps>
}

/** Text that appears next to a control on hover and on keyboard focus; Escape hides it. Never the only place for information. */
export function Tooltip({ text, keys, side = 'below', describes = false, children }: TooltipProps) {
  const [anchor, setAnchor] = useState<Element>()
  const [timer] = useState(() => new HoverTimer(setAnchor))
  const id = useId()
  useEffect(() => () => timer.stop(), [timer])
  const own = children.props
  const added: TriggerProps = {
    onPointerEnter: (event) => {
      own.onPointerEnter?.(event)
      if (event.pointerType !== 'touch') timer.enter(event.currentTarget)
    },
    onPointerLeave: (event) => {
      own.onPointerLeave?.(event)
      timer.leave()
    },
    onPointerDown: (event) => {
      own.onPointerDown?.(event)
      timer.hide()
    },
    onFocus: (event) => {
      own.onFocus?.(event)
      if (event.currentTarget.matches(':focus-visible')) timer.enter(event.currentTarget)
    },
    onBlur: (event) => {
      own.onBlur?.(event)
      timer.hide()
    },
    'aria-describedby': describes && anchor !== undefined ? id : undefined,
  }
  return (
    <>
      {cloneElement(children, added)}
      {anchor === undefined ? null : (
        <Bubble anchor={anchor} id={id} side={side} text={text} keys={keys ?? []} timer={timer} />
      )}
    </>
  )
}

type BubbleProps = {
  readonly anchor: Element
  readonly id: string
  readonly side: Side
  readonly text: ReactNode
  readonly keys: readonly string[]
  readonly timer: HoverTimer
}

/** The pointer may rest on it, to read it at a high zoom or to select its text. */
function Bubble({ anchor, id, side, text, keys, timer }: BubbleProps) {
  useEffect(() => {
    // Wherever the focus is: a tooltip of the pointer is dismissed without moving it. The key still does what it does.
    const onKey = ({ key }: globalThis.KeyboardEvent): void => {
      if (key === 'Escape') timer.hide()
    }
    document.addEventListener('keydown', onKey, true)
    return () => document.removeEventListener('keydown', onKey, true)
  }, [timer])
  return (
    <Anchored
      anchor={anchor}
      placement={{ side, align: 'center', gap: 6 }}
      id={id}
      role="tooltip"
      className={styles['tooltip']}
      onPointerEnter={() => timer.stay()}
      onPointerLeave={() => timer.leave()}
    >
      {text}
      {keys.length === 0 ? null : <Keys keys={keys} />}
    </Anchored>
  )
}

/** A tooltip opens after this delay, or at once when another one was open a moment ago. */
const DELAY_MS = 500
const WARM_MS = 400
/** It stays this long after the pointer left its control: long enough to move onto the tooltip itself. */
const GRACE_MS = 150

/** When any tooltip of the page was last hidden. */
let lastHiddenAt = -Infinity
/** The one that is open: the next one replaces it. */
let hideOpen: (() => void) | undefined

/** Decides when the tooltip of a control opens and closes. */
export class HoverTimer {
  readonly #show: (anchor: Element | undefined) => void
  #timer: ReturnType<typeof setTimeout> | undefined
  #shown = false
  readonly #hide = (): void => this.hide()

  constructor(show: (anchor: Element | undefined) => void) {
    this.#show = show
  }

  enter(anchor: Element): void {
    this.stop()
    if (hideOpen !== this.#hide) hideOpen?.()
    const warm = performance.now() - lastHiddenAt < WARM_MS
    this.#timer = setTimeout(
      () => {
        this.#shown = true
        hideOpen = this.#hide
        this.#show(anchor)
      },
      warm ? 0 : DELAY_MS,
    )
  }

  /** The pointer left the control or the tooltip; it may be on its way from one to the other. */
  leave(): void {
    this.stop()
    if (this.#shown) this.#timer = setTimeout(() => this.hide(), GRACE_MS)
  }

  /** Keeps an open tooltip, on which the pointer is now. */
  stay(): void {
    if (this.#shown) this.stop()
  }

  /** Hides it at once. */
  hide(): void {
    this.stop()
    if (!this.#shown) return
    this.#shown = false
    if (hideOpen === this.#hide) hideOpen = undefined
    lastHiddenAt = performance.now()
    this.#show(undefined)
  }

  stop(): void {
    clearTimeout(this.#timer)
  }
}
