import type { PointerEvent } from 'react'

/**
 * Handlers of an option in the list of a field, which keeps the focus and the caret. It is chosen where the press ends, so
 * that a press can be taken back by moving away from it.
 */
export const optionPress = (onChoose: () => void) => ({
  onPointerDown: (event: PointerEvent) => event.preventDefault(),
  onClick: onChoose,
})
