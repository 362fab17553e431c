import { useState, type KeyboardEvent, type PointerEvent } from 'react'
import styles from './Frame.module.css'

type Props = {
  readonly label: string
  readonly value: number
  readonly min: number
  readonly max: number
  readonly initial: number
  /** 1 when the part grows as the pointer moves towards the inline end, -1 the other way. */
  readonly direction: 1 | -1
  /** Pixels on screen for one unit of `value`. */
  readonly scale?: number
  /** Pixels of one step of the value; absent: 1. */
  readonly unitOf?: () => number
  readonly keyStep?: number
  /** The value while dragging. */
  readonly onPreview: (value: number | undefined) => void
  /** The value when the drag ends. */
  readonly onChange: (value: number) => void
}

const KEY_STEP = 16

/** The gap between two sheets. Drag, arrow keys, double click for the default. */
export function ResizeHandle({ label, value, min, max, initial, direction, onPreview, onChange, ...more }: Props) {
  const { unitOf = () => 1, keyStep = KEY_STEP } = more
  const [drag, setDrag] = useState<{ x: number; from: number; now: number }>()
  const clamp = (width: number): number => Math.round(Math.min(max, Math.max(min, width)))
  const onPointerDown = (event: PointerEvent): void => {
    if (event.button !== 0) return
    event.currentTarget.setPointerCapture(event.pointerId)
    setDrag({ x: event.clientX, from: value, now: value })
  }
  const onPointerMove = (event: PointerEvent): void => {
    if (drag === undefined) return
    const now = clamp(drag.from + ((event.clientX - drag.x) / Math.max(1, unitOf())) * direction)
    setDrag({ ...drag, now })
    onPreview(now)
  }
  const onPointerUp = (): void => {
    if (drag !== undefined && drag.now !== drag.from) onChange(drag.now)
    setDrag(undefined)
    onPreview(undefined)
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    const steps = { ArrowRight: keyStep, ArrowLeft: -keyStep }[event.key]
    const target =
      event.key === 'Home'
        ? min
        : event.key === 'End'
          ? max
          : steps === undefined
            ? undefined
            : value + steps * direction
    if (target === undefined) return
    event.preventDefault()
    onChange(clamp(target))
  }
  return (
    // A focusable separator is a widget: the WAI-ARIA window splitter pattern.
    <div
      role="separator"
      tabIndex={0}
      aria-label={label}
      aria-orientation="vertical"
      aria-valuemin={min}
      aria-valuemax={max}
      aria-valuenow={value}
      className={styles['handle']}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={onPointerUp}
      onPointerCancel={onPointerUp}
      onDoubleClick={() => onChange(initial)}
      onKeyDown={onKeyDown}
    />
  )
}
