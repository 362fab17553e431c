import { createReadStream, type Dirent } from 'node:fs'
import { lstat, readdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Readable } from 'node:stream'
import { openPromise, type Entry, type ZipFile } from 'yauzl'
import { NotAnExport } from './history.ts'

/** The entries of an export: a ZIP archive, a folder, or a single file. Names have forward slashes. */
export type Archive = {
  /** Names and sizes in bytes, unpacked. */
  readonly entries: ReadonlyMap<string, number>
  /** Bytes of all entries, unpacked. */
  readonly bytes: number
  /** The bytes of an entry, never more than its declared size. */
  read(name: string): Promise<Readable>
  close(): void
}

/** More than any export of people; each costs memory. */
const MOST_ENTRIES = 500_000
/** Text packs by about a tenth; an archive that claims more than this is made to fill disks. */
const HIGHEST_RATIO = 200
const FREE_OF_RATIO = 64 * 1024 ** 2
const DEEPEST = 12

/** Opens a file or folder of this device. Throws {@link NotAnExport} for an archive that is refused. */
export async function openArchive(path: string): Promise<Archive> {
  const found = await lstat(path).catch(() => undefined)
  if (found?.isDirectory()) return openFolder(path)
  if (!found?.isFile()) throw new NotAnExport({ reason: 'gone' })
  return (await startsLikeZip(path)) ? openZip(path, found.size) : single(path, found.size)
}

async function startsLikeZip(path: string): Promise<boolean> {
  for await (const part of createReadStream(path, { end: 3 })) {
    return (part as Buffer).toString('latin1') === 'PK\u0003\u0004'
  }
  return false
}

function single(path: string, size: number): Archive {
  return {
    entries: new Map([[basename(path), size]]),
    bytes: size,
    read: () => Promise.resolve(createReadStream(path)),
    close: () => undefined,
  }
}

/** Links are not followed: they may lead anywhere. */
async function openFolder(root: string): Promise<Archive> {
  const entries = new Map<string, number>()
  let bytes = 0
  const walk = async (folder: string, prefix: string, depth: number): Promise<void> => {
    for (const item of await readdir(folder, { withFileTypes: true })) {
      const path = join(folder, item.name)
      if (isFolder(item) && depth < DEEPEST) await walk(path, `${prefix}${item.name}/`, depth + 1)
      if (!item.isFile()) continue
      if (entries.size >= MOST_ENTRIES) throw new NotAnExport({ reason: 'bomb' })
      const { size } = await lstat(path)
      entries.set(prefix + item.name, size)
      bytes += size
    }
  }
  await walk(root, '', 0)
  return {
    entries,
    bytes,
    read(name) {
      if (!entries.has(name)) throw new Error('not an entry of this folder')
      return Promise.resolve(createReadStream(join(root, ...name.split('/'))))
    },
    close: () => undefined,
  }
}

const isFolder = (item: Dirent): boolean => item.isDirectory() && !item.isSymbolicLink()

async function openZip(path: string, packedBytes: number): Promise<Archive> {
  const zip = await openPromise(path, { lazyEntries: true, autoClose: false, strictFileNames: false }).catch(
    (error: unknown) => {
      throw refusedBy(error)
    },
  )
  try {
    const { found, bytes } = await directoryOf(zip, packedBytes)
    return {
      entries: new Map([...found].map(([name, entry]) => [name, entry.uncompressedSize])),
      bytes,
      // yauzl ends the stream with an error as soon as more bytes come than were declared.
      read(name) {
        const entry = found.get(name)
        if (entry === undefined) throw new Error('not an entry of this archive')
        return zip.openReadStreamPromise(entry)
      },
      close: () => zip.close(),
    }
  } catch (error) {
    zip.close()
    throw refusedBy(error)
  }
}

async function directoryOf(zip: ZipFile, packedBytes: number): Promise<{ found: Map<string, Entry>; bytes: number }> {
  if (zip.entryCount > MOST_ENTRIES) throw new NotAnExport({ reason: 'bomb' })
  const found = new Map<string, Entry>()
  let bytes = 0
  for await (const entry of zip.eachEntry()) {
    const name = entry.fileName
    bytes += entry.uncompressedSize
    if (bytes > FREE_OF_RATIO && bytes / Math.max(1, packedBytes) > HIGHEST_RATIO) {
      throw new NotAnExport({ reason: 'bomb', bytes })
    }
    // Of two entries of one name the first counts: the second could hide behind it.
    if (!name.endsWith('/') && !entry.isEncrypted() && !found.has(name)) found.set(name, entry)
  }
  return { found, bytes }
}

/** The messages of yauzl name the check that failed. */
function refusedBy(error: unknown): Error {
  if (error instanceof NotAnExport) return error
  const text = error instanceof Error ? error.message : ''
  if (/relative path|absolute path|invalid characters in fileName/.test(text))
    return new NotAnExport({ reason: 'names' })
  return new NotAnExport({ reason: 'damaged' })
}
