import { useCallback, type KeyboardEvent, type MouseEvent } from 'react'
import { openTargetOf, type OpenTarget } from '../../lib/open-target.ts'
import { useHost } from '../../store/hooks.ts'

type Opening = {
  readonly onClick: (event: MouseEvent) => void
  readonly onMouseDown: (event: MouseEvent) => void
  readonly onMouseUp: (event: MouseEvent) => void
  readonly onKeyDown: (event: KeyboardEvent) => void
}

/**
 * Handlers for a row that opens a channel or message here or elsewhere. Electron fires no `auxclick` (it is disabled, so
 * that links cannot be opened by middle click): the button is handled instead.
 */
export function useOpening(): (open: (target: OpenTarget) => void) => Opening {
  const { os } = useHost()
  return useCallback(
    (open) => ({
      onClick: (event) => open(openTargetOf(event, os)),
      // Prevents the autoscroll of the middle button.
      onMouseDown: (event) => event.button === 1 && event.preventDefault(),
      onMouseUp: (event) => event.button === 1 && open('window'),
      onKeyDown: (event) => {
        const target = event.key === 'Enter' && event.target === event.currentTarget ? openTargetOf(event, os) : 'here'
        if (target === 'here' || event.nativeEvent.isComposing) return
        event.preventDefault()
        open(target)
      },
    }),
    [os],
  )
}
