import {
  cloneElement,
  useEffect,
  useId,
  useState,
  type FocusEvent,
  type PointerEvent,
  type ReactElement,
  type ReactNode,
} from 'react'
import { Anchored, type Side } from './Popover.tsx'
import { Keys } from '../Keys/Keys.tsx'
import styles from './Tooltip.module.css'

/** What a tooltip adds to its child; the child may have its own handlers for the same events. */
type TriggerProps = {
  readonly onPointerEnter?: (event: PointerEvent<HTMLElement>) => void
  readonly onPointerLeave?: (event: PointerEvent<HTMLElement>) => void
  readonly onPointerDown?: (event: PointerEvent<HTMLElement>) => void
  readonly onFocus?: (event: FocusEvent<HTMLElement>) => void
  readonly onBlur?: (event: FocusEvent<HTMLElement>) => void
  readonly 'aria-describedby'?: string
}

type Props = {
  readonly text: ReactNode
  readonly keys?: readonly string[]
  readonly side?: Side
  /** The text is more than the name of the control: screen readers read it as its description. */
  readonly describes?: boolean
  readonly children: ReactElement<TriggerProps>
}

/** Text that appears next to a control on hover and on keyboard focus; Escape hides it. Never the only place for information. */
export function Tooltip({ text, keys, side = 'below', describes = false, children }: Props) {
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
