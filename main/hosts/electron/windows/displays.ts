import { screen, type BrowserWindow } from 'electron'
import { placedOn, restoreBounds } from '../../rules/windows/bounds.ts'

/**
 * A window that lies where no display is any more comes back to the first one: after one was taken away, or was set up
 * again.
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
