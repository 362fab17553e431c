import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { BrowserWindow, screen } from 'electron'
import { readZooms, withZoom, zoomAt, type Zooms } from '../../rules/windows/window-options.ts'

type Zoom = {
  /** Applies the zoom when a page loads, and when the window moves to a display of another scale. */
  watch(window: BrowserWindow): void
  /** Changes the zoom for displays of the scale of the focused window. */
  step(by: 1 | -1 | 'actual'): void
}

/** The zoom of the windows, stored in `DATA/zoom.json`. */
export function electronZoom(dataFolder: string): Zoom {
  const path = join(dataFolder, 'zoom.json')
  let zooms: Zooms = readFile(path)

  function apply(window: BrowserWindow): void {
    if (!window.isDestroyed()) window.webContents.setZoomFactor(zoomAt(zooms, scaleOf(window)))
  }

  return {
    watch(window) {
      window.webContents.on('did-finish-load', () => apply(window))
      window.on('moved', () => apply(window))
    },
    step(by) {
      const front = BrowserWindow.getFocusedWindow() ?? BrowserWindow.getAllWindows()[0]
      if (!front) return
      zooms = withZoom(zooms, scaleOf(front), by)
      for (const window of BrowserWindow.getAllWindows()) apply(window)
      // If it cannot be written, the user sets it again after a restart.
      writeFile(path, JSON.stringify(zooms), { mode: 0o600 }).catch(() => undefined)
    },
  }
}

const scaleOf = (window: BrowserWindow): number => screen.getDisplayMatching(window.getBounds()).scaleFactor

function readFile(path: string): Zooms {
  try {
    return readZooms(JSON.parse(readFileSync(path, 'utf8')))
  } catch {
    // Missing or damaged: the actual size.
    return {}
  }
}
