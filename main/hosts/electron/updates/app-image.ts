import { chmodSync, copyFileSync, realpathSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { AppUpdater } from 'electron-updater'

/**
 * The file of this AppImage, as its runtime names it. A program that was started by another AppImage inherits the
 * variables of that one, but is not in its folder.
 */
export function appImageOf(env: NodeJS.ProcessEnv, program: string): string | undefined {
  const { APPIMAGE: file, APPDIR: folder } = env
  if (file === undefined || folder === undefined) return undefined
  try {
    return program.startsWith(join(realpathSync(folder), '/')) ? file : undefined
  } catch {
    return undefined
  }
}

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

/** The library installs an AppImage this way. */
export function installAsAppImage(updater: AppUpdater, current: string, downloaded: () => string | undefined): void {
  const doInstall = (): boolean => {
    const file = downloaded()
    if (file === undefined) throw new Error('No AppImage is downloaded.')
    // Where this program is from now on: the next run is started from there.
    process.env['APPIMAGE'] = replaceAppImage(current, file)
    return true
  }
  Object.assign(updater, { doInstall })
}
