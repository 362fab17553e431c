import { mkdir, rm, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname } from 'node:path'
import { app } from 'electron'
import { AppError } from '#shared/lib/app-error.ts'
import type { StartupCapability } from '../../host.ts'
import { autostartFile, autostartPath, startCommand } from '../../rules/windows/autostart.ts'
import type { Os } from '../../rules/windows/window-options.ts'

/** Starting with the computer, in the way of each system. */
export function electronStartup(os: Os): StartupCapability {
  return {
    async set({ on, hidden }) {
      try {
        if (os === 'linux') await writeAutostart(on, hidden)
        else app.setLoginItemSettings(loginItem(os, on, hidden))
      } catch (cause) {
        throw new AppError('desktop/startup', { cause })
      }
    },
    startedBySystem: () => os === 'macos' && app.getLoginItemSettings().wasOpenedAtLogin,
  }
}

function loginItem(os: Os, on: boolean, hidden: boolean) {
  if (os === 'macos') return { openAtLogin: on }
  const [path, ...args] = thisCommand(hidden)
  // Windows joins the arguments in its registry.
  return { openAtLogin: on, ...(path === undefined ? {} : { path }), args: args.map((word) => `"${word}"`) }
}

async function writeAutostart(on: boolean, hidden: boolean): Promise<void> {
  const path = autostartPath(process.env, homedir())
  if (!on) return rm(path, { force: true })
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, autostartFile(thisCommand(hidden)), { mode: 0o644 })
}

const thisCommand = (hidden: boolean): readonly string[] =>
  startCommand({
    program: process.execPath,
    appImage: process.env['APPIMAGE'],
    appFolder: app.isPackaged ? undefined : app.getAppPath(),
    hidden,
  })
