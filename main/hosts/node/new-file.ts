import { randomBytes } from 'node:crypto'
import { open, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { NewFile } from '../host.ts'

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
