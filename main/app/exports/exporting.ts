import { basename, dirname } from 'node:path'
import { Zip, ZipDeflate, ZipPassThrough } from 'fflate'
import {
  type ExportFiles,
  type ExportFormat,
  type ExportPlan,
  type ExportProgress,
  type ExportSpan,
  type SavedExport,
  type SavedFile,
} from '#shared/domain/export.ts'
import { AppError } from '#shared/lib/app-error.ts'
import type { Cid, MessageId } from '#shared/lib/brand.ts'
import type { ExportPiece, SurveyedFile, SurveyedMessage } from '#main/engine/features/export/pieces.ts'
import type { ExportedFile, ExportWords } from '#main/engine/features/export/writer.ts'
import type { FilesPort } from '#main/engine/ports.ts'
import type { FolderCapability, Host, MediaFile, NewFile } from '#main/hosts/host.ts'
import { exportName, openDecision, safeFileName, withEnding } from '#main/hosts/rules/pages/openable.ts'
import { nextTurn } from '#main/lib/clock.ts'
import { codeOf } from '#main/lib/disk-error.ts'
import { type Logger, logger } from '#main/lib/logger.ts'
import type { Account } from '../accounts/account.ts'
import type { Media } from '../media/media.ts'

/** What to export; see `data.exportMessages`. */
export type ExportRequest = {
  readonly cid?: Cid
  readonly messageIds?: readonly MessageId[]
  readonly format: ExportFormat
  readonly span: ExportSpan
  readonly files: ExportFiles
  readonly older: boolean
}

/** The parts of an account that an export reads. */
export type ExportSource = {
  readonly engine: Pick<Account['engine'], 'exported' | 'surveyed' | 'channelName' | 'missingBefore' | 'loadOlder'>
  readonly media: Pick<Media, 'resolve' | 'stored'> | undefined
}

type ExportJob = {
  readonly source: ExportSource
  readonly request: ExportRequest
  readonly words: ExportWords
  readonly signal: AbortSignal
  readonly onProgress: (progress: ExportProgress) => void
}

/** Pieces are joined up to this size before each write. */
const WRITE_BYTES = 256_000
const COPY_BYTES = 256_000
/** Steps between two turns of the event loop: windows and the network wait no longer than they take. */
const STEPS = 100
/** Portraits are in the page itself: large ones are left out, and so are those beyond a total. */
const PORTRAIT_BYTES = 150_000
const PORTRAITS_BYTES = 4_000_000
const PROGRESS_MS = 100

const ENDINGS = { html: 'html', markdown: 'md', csv: 'csv', json: 'json', text: 'txt' } as const

/** The export was canceled: nothing is left of it. */
class Stopped extends Error {}

/** What an export would have in it now. Reads the disk, asks nobody. */
export async function planExport(
  { engine, media }: ExportSource,
  { cid, span }: Pick<ExportRequest, 'cid' | 'span'>,
): Promise<ExportPlan> {
  const turns = createTurns()
  let messages = 0
  const stored = { count: 0, bytes: 0 }
  const missing = { count: 0, bytes: 0 }
  for (const { files } of engine.surveyed({ cid, span })) {
    messages += 1
    for (const file of files) {
      const held = await media?.stored(file.ref, 'full')
      const total = held === undefined ? missing : stored
      total.count += 1
      total.bytes += held?.sizeBytes ?? file.sizeBytes ?? 0
    }
    await turns.next()
  }
  return { messages, stored, missing, missingBefore: cid === undefined ? undefined : engine.missingBefore(cid, span) }
}

/** Writes messages, and their files, to where the user chooses. `undefined`: they chose nowhere, or canceled it later. */
export async function exportTo(
  host: Pick<Host, 'log' | 'ports'> & { readonly folders: FolderCapability },
  job: ExportJob,
  onSaved: (path: string) => void,
): Promise<SavedExport | undefined> {
  const { source, request, signal } = job
  const { clock, files } = host.ports
  const now = clock.now()
  const ending = ENDINGS[request.format]
  const isArchive = request.files !== 'none'
  const path = await host.folders.placeFor(exportName(now, request.cid ?? 'messages', isArchive ? 'zip' : ending))
  if (path === undefined) return undefined
  const progress = throttled(host, job.onProgress)
  try {
    if (request.older && request.cid !== undefined) {
      const { cid, span } = request
      progress({ step: 'older', done: 0 })
      await source.engine.loadOlder({ cid, span, signal, onLoaded: (done) => progress({ step: 'older', done }) })
      stopIf(signal)
    }
    let packed = { files: 0, withoutFiles: 0 }
    const { messages } = await writeNew(host, path, async (file) => {
      const mainName = `${request.format === 'html' ? 'index' : 'messages'}.${ending}`
      const target = isArchive ? zipTarget(file, mainName, now) : plainTarget(file)
      const found = await gather(files, target, job, progress)
      packed = { files: found.files.size, withoutFiles: found.withoutFiles }
      const pieces = source.engine.exported({ ...request, at: now, words: job.words, ...found })
      target.beginMain()
      const count = await writePieces(target, pieces, signal, (done) =>
        progress({ step: 'messages', done, total: found.messages }),
      )
      await target.endMain()
      return count
    })
    onSaved(path)
    return { fileName: basename(path), folderName: basename(dirname(path)), messages, ...packed }
  } catch (error) {
    if (error instanceof Stopped) return undefined
    throw error
  }
}

/** Writes such a file from pieces that are there already. */
export const saveTable = async (
  host: Pick<Host, 'log'> & { readonly folders: FolderCapability },
  path: string,
  pieces: Iterable<ExportPiece>,
): Promise<SavedFile> => {
  const { signal } = new AbortController()
  const { messages } = await writeNew(host, path, (file) => writePieces(plainTarget(file), pieces, signal))
  return { fileName: basename(path), folderName: basename(dirname(path)), messages }
}

/** A file that is complete, or not there. Rejects with what the user can do about the disk. */
async function writeNew(
  host: Pick<Host, 'log'> & { readonly folders: FolderCapability },
  path: string,
  write: (file: NewFile) => Promise<number>,
): Promise<{ readonly messages: number }> {
  let file: NewFile | undefined
  try {
    file = await host.folders.newFile(path)
    const messages = await write(file)
    await file.finish()
    return { messages }
  } catch (error) {
    await file?.discard()
    if (error instanceof Stopped || error instanceof AppError) throw error
    logger('data', host.log).warn('export-failed', { error: codeOf(error) ?? 'unknown' })
    throw new AppError(REFUSALS[codeOf(error) ?? ''] ?? 'data/not-written', { cause: error })
  }
}

const REFUSALS: Readonly<Record<string, string>> = {
  ENOSPC: 'data/disk-full',
  EDQUOT: 'data/disk-full',
  EACCES: 'data/not-permitted',
  EPERM: 'data/not-permitted',
  EROFS: 'data/not-permitted',
  ENOENT: 'data/folder-gone',
  ENOTDIR: 'data/folder-gone',
  ENODEV: 'data/folder-gone',
  ENXIO: 'data/folder-gone',
}

type Gathered = {
  readonly messages: number
  readonly files: ReadonlyMap<string, ExportedFile>
  readonly portraits: ReadonlyMap<string, string>
  readonly withoutFiles: number
}

/** Puts the files into the archive and collects the portraits, so that the main file can name what is there. */
async function gather(
  disk: FilesPort,
  target: ExportTarget,
  { source: { engine, media }, request, signal }: ExportJob,
  progress: (progress: ExportProgress) => void,
): Promise<Gathered> {
  const turns = createTurns()
  const files = new Map<string, ExportedFile>()
  const authors = new Map<string, SurveyedMessage['image']>()
  let messages = 0
  let wanted = 0
  for (const message of engine.surveyed(request)) {
    messages += 1
    authors.set(message.userId, message.image)
    for (const file of request.files === 'none' ? [] : message.files) {
      stopIf(signal)
      wanted += 1
      const held = await (request.files === 'all' ? media?.resolve(file.ref, 'full') : media?.stored(file.ref, 'full'))
      if (held !== undefined && target.hasRoomFor(held.sizeBytes)) {
        const added = exportedFile(file, held, files.size + 1)
        await target.addFile(added.path, piecesOf(disk, held, signal))
        files.set(file.ref, added)
      }
      progress({ step: 'files', done: wanted })
    }
    stopIf(signal)
    await turns.next()
  }
  const portraits = request.format === 'html' ? await portraitsOf(disk, media, authors) : new Map<string, string>()
  return { messages, files, portraits, withoutFiles: wanted - files.size }
}

/** Numbered, so that two files of one name stand side by side on every disk. */
function exportedFile({ title }: SurveyedFile, { mimeType }: MediaFile, number: number): ExportedFile {
  const name = withEnding(safeFileName(title ?? 'file'), mimeType)
  return {
    path: `files/${String(number).padStart(4, '0')} ${name}`,
    mimeType,
    opens: openDecision(name, mimeType) === 'open',
  }
}

async function* piecesOf(disk: FilesPort, { path, sizeBytes }: MediaFile, signal: AbortSignal) {
  for (let at = 0; at < sizeBytes; at += COPY_BYTES) {
    stopIf(signal)
    yield await disk.read(path, at, Math.min(COPY_BYTES, sizeBytes - at))
  }
}

/** Only those that are on this device already. */
async function portraitsOf(
  disk: FilesPort,
  media: ExportSource['media'],
  authors: ReadonlyMap<string, string | undefined>,
): Promise<ReadonlyMap<string, string>> {
  const portraits = new Map<string, string>()
  let sum = 0
  for (const [userId, image] of authors) {
    const held = image === undefined ? undefined : await media?.stored(image, 'thumb')
    if (held === undefined || !held.mimeType.startsWith('image/')) continue
    if (held.sizeBytes > PORTRAIT_BYTES || sum + held.sizeBytes > PORTRAITS_BYTES) continue
    sum += held.sizeBytes
    const bytes = await disk.read(held.path, 0, held.sizeBytes)
    portraits.set(userId, `data:${held.mimeType};base64,${Buffer.from(bytes).toString('base64')}`)
  }
  return portraits
}

/** Waits for each write, so that no more than one is ever in memory. Returns the number of messages written. */
async function writePieces(
  target: Pick<ExportTarget, 'write'>,
  pieces: Iterable<ExportPiece>,
  signal: AbortSignal,
  onMessages: (done: number) => void = () => undefined,
): Promise<number> {
  const encoder = new TextEncoder()
  const turns = createTurns()
  let waiting = ''
  let messages = 0
  for (const piece of pieces) {
    stopIf(signal)
    waiting += piece.text
    messages += piece.messages
    if (waiting.length >= WRITE_BYTES) {
      await target.write(encoder.encode(waiting))
      waiting = ''
    }
    if (await turns.next()) onMessages(messages)
  }
  await target.write(encoder.encode(waiting))
  stopIf(signal)
  return messages
}

function stopIf(signal: AbortSignal): void {
  if (signal.aborted) throw new Stopped('export canceled')
}

/** Lets the event loop turn once in {@link STEPS} steps; returns whether it did. */
function createTurns(): { next(): Promise<boolean> } {
  let step = 0
  return {
    async next() {
      step += 1
      if (step % STEPS !== 0) return false
      await nextTurn()
      return true
    },
  }
}

/** The first of each step, and no more than ten a second after it. */
function throttled(
  { ports: { clock } }: Pick<Host, 'ports'>,
  report: (progress: ExportProgress) => void,
): (progress: ExportProgress) => void {
  let last: { readonly step: string; readonly at: number } | undefined
  return (progress) => {
    const now = clock.monotonic()
    if (last?.step === progress.step && now - last.at < PROGRESS_MS) return
    last = { step: progress.step, at: now }
    report(progress)
  }
}

/** The exports that are running, one a window. */
export class RunningExports {
  readonly #running = new Map<string, AbortController>()
  readonly #log: Logger

  constructor(host: Pick<Host, 'log'>) {
    this.#log = logger('data', host.log)
  }

  /** Rejects with `data/exporting` while another one of this window runs. */
  async run<Result>(windowId: string, work: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
    if (this.#running.has(windowId)) throw new AppError('data/exporting')
    const controller = new AbortController()
    this.#running.set(windowId, controller)
    try {
      return await work(controller.signal)
    } finally {
      this.#running.delete(windowId)
    }
  }

  cancel(windowId: string): void {
    const running = this.#running.get(windowId)
    if (running === undefined) return
    this.#log.info('export-canceled', {})
    running.abort()
  }
}

/** What an export is written to: its files, then its main file, each in pieces. */
type ExportTarget = {
  /** Whether another file of this size fits. */
  hasRoomFor(bytes: number): boolean
  addFile(path: string, pieces: AsyncIterable<Uint8Array>): Promise<void>
  beginMain(): void
  write(bytes: Uint8Array): Promise<void>
  endMain(): Promise<void>
}

/** Without files the main file is all there is. */
const plainTarget = (file: Pick<NewFile, 'write'>): ExportTarget => ({
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
function zipTarget(file: Pick<NewFile, 'write'>, mainName: string, at: number): ExportTarget {
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
