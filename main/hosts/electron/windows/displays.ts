import { screen, type BrowserWindow } from 'electron'
import { placedOn, restoreBounds } from '../../rules/windows/bounds.ts'

/**
 * Moves a window that is on no display any more to the first one, after a display was removed or rearranged.
 */
export function keepReachable(window: BrowserWindow): void {
  const look = (): void => {
    if (window.isDestroyed()) return
    const areas = screen.getAllDisplays().map(({ workArea }) => workArea)
    const bounds = window.getBounds()
    if (restoreBounds(bounds, areas)) return
    const [first] = areas
    if (first) window.setBounds(placedOn(bounds, first))
  }
  screen.on('display-removed', look)
  screen.on('display-metrics-changed', look)
  window.once('closed', () => {
    screen.off('display-removed', look)
    screen.off('display-metrics-changed', look)
  })
}
