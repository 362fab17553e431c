import { chmodSync, copyFileSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { AppUpdater } from 'electron-updater'

/**
 * An AppImage is one file, which is replaced in one step. The library deletes it first: on a full disk none would be left.
 *
 * @returns the path of the new one: a file whose name contains a version gets the name of the new version
 */
export function replaceAppImage(current: string, downloaded: string): string {
  const folder = dirname(current)
  const name = /\d+\.\d+\.\d+/.test(basename(current)) ? basename(downloaded) : basename(current)
  const next = join(folder, name)
  const part = join(folder, `.${name}.part`)
  try {
    copyFileSync(downloaded, part)
    chmodSync(part, 0o755)
    renameSync(part, next)
  } catch (error) {
    rmSync(part, { force: true })
    throw error
  }
  if (next !== current) rmSync(current)
  return next
}

/** The library installs an AppImage this way. `file` is the downloaded one. */
export function installAsAppImage(updater: AppUpdater, file: () => string | undefined): void {
  const doInstall = (): boolean => {
    const [current, downloaded] = [process.env['APPIMAGE'], file()]
    if (current === undefined || downloaded === undefined) throw new Error('There is no AppImage to replace.')
    // Where this program is from now on: the next run is started from there.
    process.env['APPIMAGE'] = replaceAppImage(current, downloaded)
    return true
  }
  Object.assign(updater, { doInstall })
}
