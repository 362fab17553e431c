import type { Packed } from './zip.ts'

/** Whether a drag contains files from outside the window. */
export const hasFiles = (data: DataTransfer | null): boolean => data?.types.includes('Files') === true

/** Folders with more files are refused. */
const MOST_IN_FOLDER = 5_000
/** A larger archive would not fit into a message, so the folder is not even read. */
const MOST_BYTES = 1024 * 1024 * 1024

/** The files of a drop. `refused`: names of folders that are empty, too large or unreadable. */
type Dropped = { readonly files: readonly File[]; readonly refused: readonly string[] }

/**
 * The files of a drop; a folder becomes one archive with its name. Must be called inside the drop event: the entries can be
 * read only then, the folders afterwards.
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
    if (inside.length === 0 || bytes > MOST_BYTES) return undefined
    const { zipOf } = await import('./zip.ts')
    return await zipOf(`${folder.name}.zip`, inside)
  } catch (reason) {
    console.debug('folder not read', reason)
    return undefined
  }
}

/** All files of a folder, recursively. */
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
