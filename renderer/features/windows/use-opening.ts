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
 * A row that leads to a channel or message, pressed in one of several ways. Electron tells of no middle click (`Auxclick`
 * is off, so that no link opens by it): its button is watched instead.
 */
export function useOpening(): (open: (target: OpenTarget) => void) => Opening {
  const { os } = useHost()
  return useCallback(
    (open) => ({
      onClick: (event) => open(openTargetOf(event, os)),
      // Else the page begins to scroll by itself.
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
