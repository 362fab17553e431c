import {
  closeSync,
  copyFileSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { open, rename, rm, statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** Uploaded bytes on disk: random names in two levels of folders, readable by their owner only. */
export type Blobs = {
  pathOf(id: string): string
  /** Starts a new file; nothing is visible under its id before `commit`. */
  begin(id: string): Promise<BlobWriter>
  /** Copies a file that is already on this machine. Returns its size in bytes. */
  import(id: string, from: string): number
  remove(id: string): Promise<void>
  /** Removes files without a row: uploads cut off by a crash. Returns their number. */
  sweep(known: ReadonlySet<string>): number
  /** Share and bytes of the disk that are free. */
  free(): Promise<{ bytes: number; share: number }>
}

export type BlobWriter = {
  write(part: Buffer): Promise<void>
  /** Syncs the file to disk and renames it to its id. */
  commit(): Promise<void>
  drop(): Promise<void>
}

/** The disk operations of an upload. */
export type Disk = {
  free(folder: string): Promise<{ bytes: number; share: number }>
  /** Creates a file that only its owner may read. */
  create(path: string): Promise<DraftFile>
}

type DraftFile = {
  /** Writes all of it, or rejects. */
  append(part: Buffer): Promise<void>
  sync(): Promise<void>
  close(): Promise<void>
}

export const systemDisk: Disk = {
  async free(folder) {
    const disk = await statfs(folder)
    return { bytes: disk.bavail * disk.bsize, share: disk.blocks === 0 ? 1 : disk.bavail / disk.blocks }
  },
  async create(path) {
    const file = await open(path, 'wx', 0o600)
    return { append: (part) => file.appendFile(part), sync: () => file.sync(), close: () => file.close() }
  },
}

/** Below this free space, or this share of the disk, uploads are refused. */
export const MIN_FREE_BYTES = 1024 ** 3
const MIN_FREE_SHARE = 0.05

export const isLow = (free: { bytes: number; share: number }): boolean =>
  free.bytes < MIN_FREE_BYTES || free.share < MIN_FREE_SHARE

const ID = /^[a-f0-9]{32}$/

export function openBlobs(folder: string, disk: Disk = systemDisk): Blobs {
  const temporary = join(folder, 'incoming')
  mkdirSync(temporary, { recursive: true, mode: 0o700 })
  const pathOf = (id: string): string => {
    if (!ID.test(id)) throw new Error('not an upload id')
    return join(folder, id.slice(0, 2), id.slice(2, 4), id)
  }
  return {
    pathOf,
    async begin(id) {
      const target = pathOf(id)
      const draft = join(temporary, id)
      return writer(await disk.create(draft), draft, target)
    },
    import(id, from) {
      const target = pathOf(id)
      createFolderFor(target)
      const draft = join(temporary, id)
      copyFileSync(from, draft)
      syncFile(draft)
      renameSync(draft, target)
      return statSync(target).size
    },
    remove: (id) => rm(pathOf(id), { force: true }),
    sweep: (known) => sweep(folder, temporary, known),
    free: () => disk.free(folder),
  }
}

function writer(file: DraftFile, draft: string, target: string): BlobWriter {
  let isOpen = true
  const close = async (): Promise<void> => {
    if (isOpen) await file.close()
    isOpen = false
  }
  return {
    write: (part) => file.append(part),
    async commit() {
      await file.sync()
      await close()
      createFolderFor(target)
      await rename(draft, target)
      const folder = await open(dirname(target), 'r')
      try {
        await folder.sync()
      } finally {
        await folder.close()
      }
    },
    async drop() {
      await close()
      await rm(draft, { force: true })
    },
  }
}

function createFolderFor(path: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
}

function syncFile(path: string): void {
  const file = openSync(path, 'r+')
  fsyncSync(file)
  closeSync(file)
}

function sweep(folder: string, temporary: string, known: ReadonlySet<string>): number {
  let removed = 0
  const drop = (path: string): void => {
    rmSync(path, { force: true })
    removed += 1
  }
  for (const name of readdirSync(temporary)) drop(join(temporary, name))
  for (const first of readdirSync(folder).filter((name) => /^[a-f0-9]{2}$/.test(name))) {
    for (const second of readdirSync(join(folder, first))) {
      for (const name of readdirSync(join(folder, first, second))) {
        if (!known.has(name)) drop(join(folder, first, second, name))
      }
    }
  }
  return removed
}
