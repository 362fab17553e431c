import { useEffect, useRef, useState, type KeyboardEvent, type MouseEvent, type PointerEvent } from 'react'
import { REACTION_SCORE_LIMIT } from '#shared/constants.ts'
import type { ReactionGroup } from '#shared/domain/reaction.ts'

/** A press that lasts this long is no press but holding. */
const HOLD_MS = 450
/** One more after each of these. */
const STEP_MS = 200

type Options = {
  readonly group: ReactionGroup
  readonly disabled: boolean
  readonly onToggle: () => void
  readonly onRaise: (score: number) => void
}

/**
 * A reaction is given and taken back by a press; held, it grows by one after the other and is given when it is let go.
 * Shift and Enter raise it by one.
 */
export function useRaising({ group, disabled, onToggle, onRaise }: Options) {
  const [rising, setRising] = useState<number>()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const wasHeld = useRef(false)
  useEffect(() => () => clearTimeout(timer.current), [])
  // What the viewer gave may be unknown, among many; then nothing is added to it.
  const from = group.own ? group.ownScore : 0
  const next = disabled || from === undefined || from >= REACTION_SCORE_LIMIT ? undefined : from + 1
  const grow = (score: number): void => {
    setRising(score)
    if (score < REACTION_SCORE_LIMIT) timer.current = setTimeout(() => grow(score + 1), STEP_MS)
  }
  const letGo = (): void => {
    clearTimeout(timer.current)
    setRising(undefined)
  }
  return {
    /** What would be given if it were let go now; absent while it is not held. */
    rising,
    props: {
      onPointerDown: ({ button }: PointerEvent): void => {
        wasHeld.current = false
        if (button === 0 && next !== undefined) timer.current = setTimeout(() => grow(next), HOLD_MS)
      },
      onPointerUp: (): void => {
        wasHeld.current = rising !== undefined
        letGo()
        if (rising !== undefined) onRaise(rising)
      },
      onPointerLeave: letGo,
      onPointerCancel: letGo,
      onClick: ({ shiftKey }: MouseEvent): void => {
        if (disabled || wasHeld.current) wasHeld.current = false
        else if (!shiftKey) onToggle()
        else if (next !== undefined) onRaise(next)
      },
      onKeyDown: (event: KeyboardEvent): void => {
        if (event.key !== 'Enter' || !event.shiftKey) return
        event.preventDefault()
        event.stopPropagation()
        if (next !== undefined) onRaise(next)
      },
    },
  }
}
