import { Zip, ZipDeflate, ZipPassThrough } from 'fflate'
import { AppError } from '#shared/lib/app-error.ts'
import type { NewFile } from '#main/hosts/host.ts'

/** What an export is written to: its files, then its main file, each in pieces. */
export type ExportTarget = {
  /** Whether another file of this size fits. */
  hasRoomFor(bytes: number): boolean
  addFile(path: string, pieces: AsyncIterable<Uint8Array>): Promise<void>
  beginMain(): void
  write(bytes: Uint8Array): Promise<void>
  endMain(): Promise<void>
}

/** Without files the main file is all there is. */
export const plainTarget = (file: Pick<NewFile, 'write'>): ExportTarget => ({
  hasRoomFor: () => false,
  addFile: () => Promise.reject(new Error('Impossible: a plain file has no files next to it')),
  beginMain: () => undefined,
  write: (bytes) => file.write(bytes),
  endMain: () => Promise.resolve(),
})

/** What the usual form of ZIP can have, less what the main file may need. */
const ARCHIVE_BYTES = 3_500_000_000
const MAIN_BYTES = 4_000_000_000
const ARCHIVE_FILES = 60_000

/** One ZIP archive. What fflate writes is passed on after each piece, so that none of it stays in memory. */
export function zipTarget(file: Pick<NewFile, 'write'>, mainName: string, at: number): ExportTarget {
  const waiting: Uint8Array[] = []
  let failure: Error | undefined
  let storedBytes = 0
  let mainBytes = 0
  let files = 0
  const zip = new Zip((error, part) => {
    if (error === null) waiting.push(part)
    else failure = error
  })
  const flush = async (): Promise<void> => {
    if (failure !== undefined) throw failure
    for (const part of waiting.splice(0)) await file.write(part)
  }
  let main: ZipDeflate | undefined
  return {
    hasRoomFor: (bytes) => files < ARCHIVE_FILES && storedBytes + bytes <= ARCHIVE_BYTES,
    async addFile(path, pieces) {
      // Pictures, sounds and films are compressed already.
      const entry = new ZipPassThrough(path)
      entry.mtime = at
      zip.add(entry)
      files += 1
      for await (const piece of pieces) {
        storedBytes += piece.length
        entry.push(piece)
        await flush()
      }
      entry.push(new Uint8Array(), true)
      await flush()
    },
    beginMain() {
      main = new ZipDeflate(mainName, { level: 6 })
      main.mtime = at
      zip.add(main)
    },
    async write(bytes) {
      mainBytes += bytes.length
      if (mainBytes > MAIN_BYTES) throw new AppError('data/too-large')
      main?.push(bytes)
      await flush()
    },
    async endMain() {
      main?.push(new Uint8Array(), true)
      zip.end()
      await flush()
    },
  }
}
