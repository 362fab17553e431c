import { app } from 'electron'
import type { Clock } from '#main/lib/clock.ts'
import type { Host } from '../../host.ts'
import { nodeCommands } from '../../node/commands.ts'
import type { Os } from '../../rules/windows/window-options.ts'
import { electronAttention } from '../windows/attention.ts'
import { electronBadge } from './badge.ts'
import type { ClosingWatch } from '../windows/closing.ts'
import type { Downloads } from '../downloads.ts'
import { electronJumps } from './jumps.ts'
import { electronPower } from './power.ts'
import { electronProgress } from './progress.ts'
import { electronShortcut } from './shortcut.ts'
import { electronStartup } from './startup.ts'
import { trayHasPlace } from './tray-place.ts'
import { electronTray } from './tray.ts'
import type { Windows } from '../windows/windows.ts'

type DesktopOptions = {
  readonly os: Os
  readonly clock: Clock
  readonly resources: string
  readonly windows: Windows
  readonly closing: ClosingWatch
  readonly downloads: Downloads
}

type Desktop = Pick<
  Host,
  | 'badge'
  | 'attention'
  | 'power'
  | 'tray'
  | 'closing'
  | 'startup'
  | 'shortcut'
  | 'jumps'
  | 'downloads'
  | 'protection'
  | 'progress'
  | 'quit'
>

/** The integration with the desktop. Features that a system lacks do nothing. */
export function electronDesktop({ os, clock, resources, windows, closing, downloads }: DesktopOptions): Desktop {
  const jumps = electronJumps(os)
  return {
    badge: electronBadge(os, resources),
    attention: electronAttention(os, clock),
    power: electronPower(),
    tray: electronTray({ os, resources, hasPlace: () => trayHasPlace(nodeCommands) }),
    // On macOS programs stay in the dock.
    closing: os === 'macos' ? undefined : closing,
    startup: electronStartup(os),
    shortcut: electronShortcut(),
    jumps,
    downloads,
    progress: electronProgress,
    // Linux has no way to exclude a window from screenshots.
    protection: os === 'linux' ? undefined : { set: (on) => windows.protect(on) },
    quit: () => app.quit(),
  }
}
