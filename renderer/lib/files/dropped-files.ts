import { zipOf, type Packed } from './zip.ts'

/** Something dragged from outside the window that holds files. */
export const hasFiles = (data: DataTransfer | null): boolean => data?.types.includes('Files') === true

/** More than this is no folder someone means to send. */
const MOST_IN_FOLDER = 5_000
/** Above it the archive would not fit into a message anyhow; the bytes are not even read. */
const MOST_BYTES = 1024 * 1024 * 1024

/** A drop as files. `refused`: names of folders that are empty, too large, or not to be read. */
type Dropped = { readonly files: readonly File[]; readonly refused: readonly string[] }

/**
 * The files of a drop; a folder becomes one archive with its name. Must be called while the drop is being told of: what
 * was dropped is taken note of at once, folders are read afterwards.
 */
export async function filesOf(data: DataTransfer | null): Promise<Dropped> {
  const items = [...(data?.items ?? [])].filter((item) => item.kind === 'file')
  if (items.length === 0) return { files: [...(data?.files ?? [])], refused: [] }
  const dropped = items.map((item) => ({ entry: item.webkitGetAsEntry?.(), file: item.getAsFile() }))
  const files: File[] = []
  const refused: string[] = []
  for (const { entry, file } of dropped) {
    const found = entry !== null && entry !== undefined && isFolder(entry) ? await archiveOf(entry) : file
    if (found) files.push(found)
    else if (entry) refused.push(entry.name)
  }
  return { files, refused }
}

const isFolder = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory

async function archiveOf(folder: FileSystemDirectoryEntry): Promise<File | undefined> {
  try {
    const inside = await filesIn(folder, folder.name)
    const bytes = inside.reduce((sum, { file }) => sum + file.size, 0)
    return inside.length === 0 || bytes > MOST_BYTES ? undefined : await zipOf(`${folder.name}.zip`, inside)
  } catch (reason) {
    console.debug('folder not read', reason)
    return undefined
  }
}

/** Everything in a folder and the folders in it. */
async function filesIn(folder: FileSystemDirectoryEntry, path: string): Promise<readonly Packed[]> {
  const found: Packed[] = []
  for (const entry of await entriesOf(folder)) {
    const below = `${path}/${entry.name}`
    if (isFolder(entry)) found.push(...(await filesIn(entry, below)))
    else found.push({ path: below, file: await fileOf(entry as FileSystemFileEntry) })
    if (found.length > MOST_IN_FOLDER) throw new Error('too many files')
  }
  return found
}

/** The browser tells of a hundred at a time. */
async function entriesOf(folder: FileSystemDirectoryEntry): Promise<readonly FileSystemEntry[]> {
  const reader = folder.createReader()
  const all: FileSystemEntry[] = []
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject))
    if (some.length === 0) return all
    all.push(...some)
  }
}

const fileOf = (entry: FileSystemFileEntry): Promise<File> =>
  new Promise((resolve, reject) => entry.file(resolve, reject))

/** Files on their way to a composer that may not be on screen yet, by its key. Bytes cannot stand in the store. */
const waiting = new Map<string, readonly File[]>()
const takers = new Map<string, (files: readonly File[]) => void>()

/** Gives files to a composer: at once when it is there, else as soon as it comes. */
export function handFiles(key: string, files: readonly File[]): void {
  const take = takers.get(key)
  if (take === undefined) waiting.set(key, [...(waiting.get(key) ?? []), ...files])
  else take(files)
}

/** A composer that can take files now. Answers how it stops taking them. */
export function takeFiles(key: string, take: (files: readonly File[]) => void): () => void {
  takers.set(key, take)
  const files = waiting.get(key)
  waiting.delete(key)
  if (files !== undefined) take(files)
  return () => {
    if (takers.get(key) === take) takers.delete(key)
  }
}

const NONE: readonly File[] = []
const left = new Map<string, readonly File[]>()
const watchers = new Set<() => void>()

/** Files that did not fit into the message being written, by account and composer; they wait for the next one. */
export const leftFiles = (key: string): readonly File[] => left.get(key) ?? NONE

export function leaveFiles(key: string, files: readonly File[]): void {
  if (files.length === 0 && !left.has(key)) return
  if (files.length === 0) left.delete(key)
  else left.set(key, files)
  for (const notify of watchers) notify()
}

export function watchLeftFiles(notify: () => void): () => void {
  watchers.add(notify)
  return () => void watchers.delete(notify)
}
