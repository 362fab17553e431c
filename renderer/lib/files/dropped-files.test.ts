import { afterEach, expect, test, vi } from 'vitest'
import { archiveOf, droppedIn, hasFiles } from './dropped-files.ts'

afterEach(() => void vi.restoreAllMocks())

const file = (name: string, text = name): File => new File([text], name)

/** A fake drop event: it has folders as entries, and returns at most `batch` of them at a time. */
function drop(...entries: readonly (FileSystemEntry | File)[]): DataTransfer {
  const items = entries.map((entry) => ({
    kind: 'file',
    getAsFile: () => (entry instanceof File ? entry : null),
    webkitGetAsEntry: () => (entry instanceof File ? { isDirectory: false, name: entry.name } : entry),
  }))
  return { items, types: ['Files'], files: [] } as unknown as DataTransfer
}

const entryOf = (entry: File): FileSystemEntry =>
  ({ isDirectory: false, name: entry.name, file: (give: (file: File) => void) => give(entry) }) as never

function folder(name: string, inside: readonly FileSystemEntry[], batch = 100): FileSystemEntry {
  const createReader = () => {
    const left = [...inside]
    return { readEntries: (give: (entries: FileSystemEntry[]) => void) => give(left.splice(0, batch)) }
  }
  return { isDirectory: true, name, createReader } as never
}

test('only a drag from outside the window has files', () => {
  expect(hasFiles(drop(file('a')))).toBe(true)
  expect(hasFiles({ types: ['text/plain'] } as never)).toBe(false)
  expect(hasFiles(null)).toBe(false)
})

test('dropped files are returned unchanged, in their order', async () => {
  const [a, b] = [file('a.txt'), file('b.txt')]
  expect(await droppedIn(drop(a, b))).toEqual({ files: [a, b], folders: [], refused: [] })
  expect(await droppedIn(null)).toEqual({ files: [], folders: [], refused: [] })
})

test('a folder has all files in it, in however many parts the browser returns them, and becomes one archive', async () => {
  const many = Array.from({ length: 250 }, (_file, index) => entryOf(file(`${index}.txt`)))
  const { folders } = await droppedIn(drop(folder('trip', [folder('more', many)])))
  const [trip] = folders
  expect(trip).toMatchObject({ name: 'trip', bytes: 1_640, hidden: 0 })
  expect(trip?.files).toHaveLength(250)
  const files = await Promise.all(folders.map(archiveOf))
  expect(files.map(({ name, type }) => [name, type])).toEqual([['trip.zip', 'application/zip']])
  const text = Buffer.from((await files[0]?.arrayBuffer()) ?? new ArrayBuffer()).toString('latin1')
  expect(text).toContain('trip/more/0.txt')
  expect(text).toContain('trip/more/249.txt')
})

test('hidden and system files and folders are left out and counted', async () => {
  const hidden = ['.env', 'Thumbs.db', 'desktop.ini'].map((name) => entryOf(file(name)))
  const inside = [...hidden, folder('.git', [entryOf(file('HEAD'))]), entryOf(file('plan.txt'))]
  const { folders } = await droppedIn(drop(folder('trip', inside)))
  expect(folders.map(({ files, hidden: count }) => [files.map(({ path }) => path), count])).toEqual([
    [['trip/plan.txt'], 4],
  ])
  const [archive] = await Promise.all(folders.map(archiveOf))
  expect(Buffer.from((await archive?.arrayBuffer()) ?? new ArrayBuffer()).includes('.env')).toBe(false)
})

test('folders that are empty, too large or unreadable are refused by name, and the rest is accepted', async () => {
  vi.spyOn(console, 'debug').mockImplementation(() => undefined)
  const broken = {
    isDirectory: true,
    name: 'broken',
    createReader: () => ({ readEntries: (_: unknown, fail: (reason: Error) => void) => fail(new Error('gone')) }),
  }
  const many = folder(
    'many',
    Array.from({ length: 5_001 }, () => entryOf(file('x', ''))),
    5_001,
  )
  const huge = file('huge.bin')
  Object.defineProperty(huge, 'size', { value: 1024 ** 3 + 1 })
  const good = file('good.txt')
  const dropped = drop(folder('empty', []), broken as never, good, many, folder('large', [entryOf(huge)]))
  expect(await droppedIn(dropped)).toEqual({
    files: [good],
    folders: [],
    refused: [
      { name: 'empty', large: false },
      { name: 'broken', large: false },
      { name: 'many', large: true },
      { name: 'large', large: true },
    ],
  })
})
