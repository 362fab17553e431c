import { screen, type BrowserWindow } from 'electron'
import { placedOn, restoreBounds } from '../../rules/windows/bounds.ts'

/**
 * Moves a window that is on no display any more to the first one, after a display was removed or rearranged.
 */
export function keepOnScreen(window: BrowserWindow): void {
  const moveBack = (): void => {
    if (window.isDestroyed()) return
    const areas = screen.getAllDisplays().map(({ workArea }) => workArea)
    const bounds = window.getBounds()
    if (restoreBounds(bounds, areas)) return
    const [first] = areas
    if (first) window.setBounds(placedOn(bounds, first))
  }
  screen.on('display-removed', moveBack)
  screen.on('display-metrics-changed', moveBack)
  window.once('closed', () => {
    screen.off('display-removed', moveBack)
    screen.off('display-metrics-changed', moveBack)
  })
}
