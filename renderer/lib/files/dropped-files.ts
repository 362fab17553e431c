import type { Packed } from './zip.ts'

/** Whether a drag contains files from outside the window. */
export const hasFiles = (data: DataTransfer | null): boolean => data?.types.includes('Files') === true

/** Folders with more files or bytes are refused, and the rest of them is not even read. */
type FolderLimits = { readonly files: number; readonly bytes: number }

/** More would not fit into a message. */
const OF_MESSAGE: FolderLimits = { files: 5_000, bytes: 1024 * 1024 * 1024 }

/** The files of a dropped folder and of the folders in it, with their paths. */
export type DroppedFolder = {
  readonly name: string
  readonly files: readonly Packed[]
  readonly bytes: number
  /** How many hidden files, system files and such folders were left out. */
  readonly hidden: number
}

/** `refused`: folders without files, beyond the limits, or unreadable. */
export type Dropped = {
  readonly files: readonly File[]
  readonly folders: readonly DroppedFolder[]
  readonly refused: readonly { readonly name: string; readonly large: boolean }[]
}

/**
 * The files and folders of a drop. Must be called inside the drop event: the entries can be read only then, the folders
 * afterwards.
 */
export async function droppedIn(data: DataTransfer | null, limits = OF_MESSAGE): Promise<Dropped> {
  const items = [...(data?.items ?? [])].filter((item) => item.kind === 'file')
  if (items.length === 0) return { files: [...(data?.files ?? [])], folders: [], refused: [] }
  const dropped = items.map((item) => ({ entry: item.webkitGetAsEntry?.(), file: item.getAsFile() }))
  const files: File[] = []
  const folders: DroppedFolder[] = []
  const refused: { name: string; large: boolean }[] = []
  for (const { entry, file } of dropped) {
    if (entry !== null && entry !== undefined && isFolder(entry)) {
      const folder = await folderOf(entry, limits)
      if (typeof folder === 'object') folders.push(folder)
      else refused.push({ name: entry.name, large: folder === 'large' })
    } else if (file) files.push(file)
    else if (entry) refused.push({ name: entry.name, large: false })
  }
  return { files, folders, refused }
}

/** A folder as one ZIP archive with its name. */
export async function archiveOf({ name, files }: DroppedFolder): Promise<File> {
  const { zipOf } = await import('./zip.ts')
  return zipOf(`${name}.zip`, files)
}

const isFolder = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory

/** What systems write into folders for themselves. */
const SYSTEM_NAMES: ReadonlySet<string> = new Set([
  'thumbs.db',
  'ehthumbs.db',
  'desktop.ini',
  'icon\r',
  '__macosx',
  '$recycle.bin',
  'system volume information',
])

const isHidden = (name: string): boolean => name.startsWith('.') || SYSTEM_NAMES.has(name.toLowerCase())

async function folderOf(
  folder: FileSystemDirectoryEntry,
  limits: FolderLimits,
): Promise<DroppedFolder | 'large' | 'none'> {
  const found: Found = { files: [], bytes: 0, hidden: 0 }
  try {
    if (!(await collect(folder, folder.name, found, limits))) return 'large'
    return found.files.length === 0 ? 'none' : { name: folder.name, ...found }
  } catch (reason) {
    console.debug('folder not read', reason)
    return 'none'
  }
}

type Found = { readonly files: Packed[]; bytes: number; hidden: number }

/** Adds all files of a folder, recursively. Resolves to false, and reads no further, beyond the limits. */
async function collect(
  folder: FileSystemDirectoryEntry,
  path: string,
  found: Found,
  limits: FolderLimits,
): Promise<boolean> {
  for (const entry of await entriesOf(folder)) {
    const below = `${path}/${entry.name}`
    if (isHidden(entry.name)) found.hidden += 1
    else if (isFolder(entry)) {
      if (!(await collect(entry, below, found, limits))) return false
    } else {
      const file = await fileOf(entry as FileSystemFileEntry)
      found.files.push({ path: below, file })
      found.bytes += file.size
      if (found.files.length > limits.files || found.bytes > limits.bytes) return false
    }
  }
  return true
}

/** The browser returns at most 100 entries per call. */
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
