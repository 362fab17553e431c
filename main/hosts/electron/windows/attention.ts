import { app, BrowserWindow } from 'electron'
import type { Clock } from '#main/lib/clock.ts'
import type { AttentionCapability } from '../../host.ts'
import type { Os } from '../../rules/windows/window-options.ts'

/** Long enough to be noticed. */
const ONCE_MS = 3_000

/** Moves the icon in the dock or taskbar, unless a window is focused. */
export function electronAttention(os: Os, clock: Pick<Clock, 'after'>): AttentionCapability {
  const windows = (): BrowserWindow[] => BrowserWindow.getAllWindows().filter((window) => !window.isDestroyed())
  const flash = (on: boolean): void => {
    for (const window of windows()) window.flashFrame(on)
  }
  return {
    draw(how) {
      if (windows().some((window) => window.isFocused())) return
      // The dock stops by itself, after one jump or when Parlor is opened.
      if (os === 'macos') return void app.dock?.bounce(how === 'once' ? 'informational' : 'critical')
      flash(true)
      for (const window of windows()) window.once('focus', () => window.flashFrame(false))
      if (how === 'once') clock.after(ONCE_MS, () => flash(false))
    },
  }
}
