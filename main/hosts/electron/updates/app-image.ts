import { chmodSync, copyFileSync, realpathSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { AppUpdater } from 'electron-updater'
import { spawn } from 'node:child_process'

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

/** Waits for a process, at most ten seconds: its parent may never collect its exit code, and it stays listed. */
const WAIT = `
left=100
while kill -0 "$1" 2>/dev/null && [ "$left" -gt 0 ]; do
  sleep 0.1
  left=$((left - 1))
done
shift
exec "$@"`

/**
 * Linux: starts a program when a process has ended. Electron's own way (`app.relaunch`) forbids the next run to start
 * programs with other rights, as the one that asks for a password before an update is installed.
 */
export function startAfter(pid: number, program: string, args: readonly string[]): void {
  spawn('/bin/sh', ['-c', WAIT, 'sh', String(pid), program, ...args], { detached: true, stdio: 'ignore' }).unref()
}
