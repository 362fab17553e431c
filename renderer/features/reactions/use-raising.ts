import { useEffect, useRef, useState, type KeyboardEvent, type MouseEvent, type PointerEvent } from 'react'
import { REACTION_SCORE_LIMIT } from '#shared/constants.ts'
import type { ReactionGroup } from '#shared/domain/reaction.ts'

/** A press of this length counts as holding. */
const HOLD_MS = 450
/** While held, the score rises by one after each of these. */
const STEP_MS = 200

type Options = {
  readonly group: ReactionGroup
  readonly disabled: boolean
  readonly onToggle: () => void
  readonly onRaise: (score: number) => void
}

/**
 * A click toggles the reaction; while held, its score rises by one at a time and is sent on release. Shift+Enter raises it
 * by one.
 */
export function useRaising({ group, disabled, onToggle, onRaise }: Options) {
  const [rising, setRising] = useState<number>()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const wasHeld = useRef(false)
  useEffect(() => () => clearTimeout(timer.current), [])
  // Among many reactions the viewer's own score may be unknown; then it cannot be raised.
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
    /** The score that a release would send; absent while not held. */
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
