import { spawn, type ChildProcess, execFile } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { writeFile, open, rename, rm, stat } from 'node:fs/promises'
import { promisify } from 'node:util'
import { randomBytes } from 'node:crypto'
import { AppError } from '#shared/lib/app-error.ts'
import type { FolderCapability, NewFile } from '../host.ts'
import { freeFileName } from '../rules/pages/openable.ts'
import { thisOs } from './profile.ts'

/** Folders without a system dialog: new files go to the downloads, under a name that is free. */
export function nodeFolders(
  opener: readonly string[] | undefined,
  downloads: string = join(homedir(), 'Downloads'),
): FolderCapability {
  return {
    placeFor(name) {
      const folder = existsSync(downloads) ? downloads : homedir()
      return Promise.resolve(
        join(
          folder,
          freeFileName(name, (each) => existsSync(join(folder, each))),
        ),
      )
    },
    newFile: createNewFile,
    show(path) {
      const [command, ...args] = opener ?? []
      if (command === undefined) return Promise.reject(new AppError('data/not-shown'))
      const folder = statSync(path, { throwIfNoEntry: false })?.isDirectory() === true ? path : dirname(path)
      spawn(command, [...args, folder], { stdio: 'ignore', detached: true }).unref()
      return Promise.resolve()
    },
    async open(path) {
      const [command, ...args] = opener ?? []
      if (command === undefined) throw new AppError('data/not-opened')
      await markForeign(path)
      await started(spawn(command, [...args, path], { stdio: 'ignore', detached: true }))
    },
  }
}

/** Resolves when the program has started; whether it succeeds is not known here. */
function started(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once('error', () => reject(new AppError('data/not-opened')))
    child.once('spawn', () => {
      child.unref()
      resolve()
    })
  })
}

const run = promisify(execFile)

/**
 * Marks a file as one that came from elsewhere, so that the system and its programs treat it with care: the zone of
 * Windows, the quarantine of macOS. Linux has no such mark.
 */
export async function markForeign(path: string, os: ReturnType<typeof thisOs> = thisOs()): Promise<void> {
  try {
    // A second stream of the same file; other disks than NTFS have none.
    if (os === 'windows') await writeFile(`${path}:Zone.Identifier`, '[ZoneTransfer]\r\nZoneId=3\r\n')
    else if (os === 'macos') await run('/usr/bin/xattr', ['-w', 'com.apple.quarantine', '0081;00000000;Parlor;', path])
  } catch {
    // A disk without marks: what may be opened at all was decided without them.
  }
}

/**
 * A file that is there completely, or not at all: it is written under another name in the same folder, and takes its own
 * when it is finished. Readable by its owner only.
 */
export async function createNewFile(path: string): Promise<NewFile> {
  const temporary = `${path}.${randomBytes(4).toString('hex')}.part`
  const file = await open(temporary, 'wx', 0o600)
  return {
    async write(bytes) {
      // A full disk may take a part of it.
      for (let at = 0; at < bytes.length;) at += (await file.write(bytes, at, bytes.length - at)).bytesWritten
    },
    async finish() {
      await file.sync()
      await file.close()
      // A folder that was deleted meanwhile would take the file with it unnoticed.
      await stat(dirname(path))
      await rename(temporary, path)
    },
    async discard() {
      await file.close().catch(() => undefined)
      await rm(temporary, { force: true }).catch(() => undefined)
    },
  }
}
