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
import { HoverTimer } from '../../lib/time/hover-timer.ts'
import { Anchored, type Side } from '../Anchored/Anchored.tsx'
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
