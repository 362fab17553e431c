import { join } from 'node:path'
import { app, BrowserWindow, nativeImage } from 'electron'
import type { BadgeCapability } from '../../host.ts'
import type { Os } from '../../rules/windows/window-options.ts'

/** Two digits are too small to read in the corner of an icon. */
const MOST_DRAWN = 9

/** The number on the icon: drawn by the dock and many taskbars; on Windows it is a picture over each window's icon. */
export function electronBadge(os: Os, resources: string): BadgeCapability {
  if (os !== 'windows') return { set: (count) => void app.setBadgeCount(count) }
  let shown = { count: 0, text: '' }
  function draw(window: BrowserWindow): void {
    const { count, text } = shown
    const name = count > MOST_DRAWN ? 'more' : String(count)
    const picture = count === 0 ? null : nativeImage.createFromPath(join(resources, 'tray', `count-${name}.png`))
    window.setOverlayIcon(picture, text)
  }
  app.on('browser-window-created', (_event, window) => draw(window))
  return {
    set(count, text) {
      shown = { count, text }
      for (const window of BrowserWindow.getAllWindows()) if (!window.isDestroyed()) draw(window)
    },
  }
}
