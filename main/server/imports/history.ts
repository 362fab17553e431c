import { createReadStream, type Dirent } from 'node:fs'
import { lstat, readdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Readable } from 'node:stream'
import { openPromise, type Entry, type ZipFile } from 'yauzl'
import type { ImportRefusal, ImportSource, LeftKind } from '#shared/domain/imports.ts'
import type { Micros } from '../store/time.ts'

/**
 * The neutral shape of all exports. Ids are those of the export; a channel comes before its messages, and a root before
 * its replies wherever the export has it.
 */
export type SourcePerson = {
  readonly id: string
  readonly name: string
  readonly email?: string
  readonly bot?: boolean
  /** They had left, or their account was closed. */
  readonly former?: boolean
}

export type SourceChannel = {
  readonly id: string
  readonly name: string
  readonly kind: 'public' | 'private' | 'direct'
  readonly topic?: string
  readonly members: readonly string[]
}

/** A file: where it is in the archive, if it is there. */
export type SourceFile = { readonly name: string; readonly entry?: string }

type SourceReaction = { readonly emoji: string; readonly people: readonly string[] }

export type SourceMessage = {
  /** Unique in its channel. */
  readonly id: string
  readonly channel: string
  readonly author: string
  /** Of apps and of people whom the export does not describe elsewhere. */
  readonly authorName?: string
  readonly at: Micros
  /** Our Markdown; people are named by {@link mention}. */
  readonly text: string
  readonly editedAt?: Micros
  /** The root of its thread. */
  readonly parent?: { readonly channel: string; readonly id: string }
  /** A reply that is also shown in the channel. */
  readonly broadcast?: boolean
  readonly quoted?: string
  readonly files?: readonly SourceFile[]
  readonly reactions?: readonly SourceReaction[]
  readonly pinned?: boolean
}

export type SourceItem =
  | { readonly kind: 'person'; readonly person: SourcePerson }
  | { readonly kind: 'channel'; readonly channel: SourceChannel }
  | { readonly kind: 'message'; readonly message: SourceMessage }
  /** A message that was pinned after it was written; `id` is that of the entry that says so. */
  | {
      readonly kind: 'pin'
      readonly id: string
      readonly channel: string
      readonly message: string
      readonly at: Micros
    }
  | { readonly kind: 'left'; readonly what: LeftKind; readonly count?: number }

/** Reads an export from its beginning. What it cannot read it counts; it throws {@link NotAnExport} for another file. */
export type Reader = (archive: Archive) => AsyncIterable<SourceItem>

export class NotAnExport extends Error {
  readonly refusal: ImportRefusal

  constructor(refusal: ImportRefusal) {
    super(`not an export: ${refusal.reason}`)
    this.refusal = refusal
  }
}

export const left = (what: LeftKind, count = 1): SourceItem => ({ kind: 'left', what, count })

const OPEN = '\u{E000}'
const CLOSE = '\u{E001}'
const MENTIONS = /\u{E000}([^\u{E000}\u{E001}]{1,200})\u{E001}/gu

/** Stands for a person in a text until it is known who they are here. */
export const mention = (personId: string): string => OPEN + personId + CLOSE

/** Texts of exports cannot name people in this way. */
export const withoutMarks = (text: string): string => text.replaceAll(/[\u{E000}\u{E001}\0]/gu, '')

/** The people whom a text names. */
export const mentionsIn = (text: string): readonly string[] =>
  text.includes(OPEN) ? [...text.matchAll(MENTIONS)].map(([, id = '']) => id) : []

export const replaceMentions = (text: string, name: (personId: string) => string): string =>
  text.includes(OPEN) ? text.replaceAll(MENTIONS, (_whole, id: string) => name(id)) : text

/** A channel as it is shown: public ones have their mark. */
export const titleOf = ({ kind, name }: Pick<SourceChannel, 'kind' | 'name'>): string =>
  kind === 'public' ? `#${name}` : name

/** A field of an export as text: anything else is none. */
export const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : undefined

export type Fields = Readonly<Record<string, unknown>>

export const fieldsOf = (value: unknown): Fields | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** The objects of a list; anything else in it is left out. */
export function objectsIn(value: unknown): readonly Fields[] {
  return listOf(value).flatMap((each) => {
    const fields = fieldsOf(each)
    return fields === undefined ? [] : [fields]
  })
}

/** The key under which a thing of an export is known from then on. */
export const sourceKey = (source: ImportSource, ...parts: readonly string[]): string =>
  JSON.stringify([source, ...parts])

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
