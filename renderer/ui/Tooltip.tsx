import { cloneElement, useEffect, useId, useRef, useState, type ReactElement, type ReactNode } from 'react'
import { createPortal } from 'react-dom'
import { place, type Side } from '../lib/place.ts'
import { Keys } from './Keys.tsx'
import styles from './Tooltip.module.css'

type Props = {
  readonly text: ReactNode
  readonly keys?: readonly string[]
  readonly side?: Side
  /** The words are more than the name of the control: screen readers hear them as its description. */
  readonly describes?: boolean
  readonly children: ReactElement<Record<string, unknown>>
}

/** Source: design reference, section 5 "Tooltip": after 500 ms, at once when moving between neighbours. */
const DELAY_MS = 500
const WARM_MS = 400

let lastHiddenAt = -Infinity

/** Words that appear beside a control on hover and on keyboard focus. Never the only place of information. */
export function Tooltip({ text, keys, side = 'below', describes = false, children }: Props) {
  const [anchor, setAnchor] = useState<Element>()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const id = useId()
  const hide = (): void => {
    clearTimeout(timer.current)
    if (anchor !== undefined) lastHiddenAt = performance.now()
    setAnchor(undefined)
  }
  const show = (target: Element, atOnce: boolean): void => {
    clearTimeout(timer.current)
    const warm = performance.now() - lastHiddenAt < WARM_MS
    timer.current = setTimeout(() => setAnchor(target), atOnce || warm ? 0 : DELAY_MS)
  }
  useEffect(() => () => clearTimeout(timer.current), [])
  const own = children.props
  const child = cloneElement(children, {
    onPointerEnter: chain(
      own['onPointerEnter'],
      (event) => event.pointerType !== 'touch' && show(event.currentTarget, false),
    ),
    onPointerLeave: chain(own['onPointerLeave'], hide),
    onPointerDown: chain(own['onPointerDown'], hide),
    onFocus: chain(
      own['onFocus'],
      (event) => event.currentTarget.matches(':focus-visible') && show(event.currentTarget, false),
    ),
    onBlur: chain(own['onBlur'], hide),
    onKeyDown: chain(own['onKeyDown'], (event) => event.key === 'Escape' && hide()),
    ...(describes ? { 'aria-describedby': anchor === undefined ? own['aria-describedby'] : id } : {}),
  })
  return (
    <>
      {child}
      {anchor === undefined ? null : <Bubble anchor={anchor} id={id} side={side} text={text} keys={keys ?? []} />}
    </>
  )
}

type BubbleProps = {
  readonly anchor: Element
  readonly id: string
  readonly side: Side
  readonly text: ReactNode
  readonly keys: readonly string[]
}

function Bubble({ anchor, id, side, text, keys }: BubbleProps) {
  const ref = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (ref.current !== null) place(ref.current, anchor, { side, align: 'center', gap: 6 })
  })
  return createPortal(
    <div ref={ref} id={id} role="tooltip" className={styles['tooltip']}>
      {text}
      {keys.length === 0 ? null : <Keys keys={keys} />}
    </div>,
    document.body,
  )
}

type AnyEvent = { pointerType?: string; key?: string; currentTarget: Element }

/** Both the child's own handler and ours. */
function chain(own: unknown, ours: (event: AnyEvent) => unknown): (event: AnyEvent) => void {
  return (event) => {
    if (typeof own === 'function') own(event)
    ours(event)
  }
}
