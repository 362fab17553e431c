import * as v from 'valibot'
import {
  IMPORT_SOURCES,
  NO_IMPORT,
  type ImportProgress,
  type ImportRefusal,
  type ImportReport,
  type ImportSource,
  type ImportState,
} from '#shared/domain/imports.ts'
import { asCid } from '#shared/lib/brand.ts'
import { nextTurn } from '#main/lib/clock.ts'
import { readJson, sendJson, type Special } from '../http/server.ts'
import { isDiskFull, refuse } from '../http/refusal.ts'
import { line, read } from '../http/shapes.ts'
import { MIN_FREE_BYTES } from '../store/blobs.ts'
import { MS } from '../store/time.ts'
import { needServer, requireUser } from '../users/users.ts'
import { transact, type Services } from '../work.ts'
import { NotAnExport, type Reader, openArchive, type Archive } from './history.ts'
import {
  closeImport,
  importedOf,
  lastEnded,
  lastImport,
  setImportState,
  type ImportFacts,
  type ImportRow,
} from './import-tables.ts'
import { beginImport, type Choices } from './plan.ts'
import { Survey } from './survey.ts'
import { undoImport, announceHistory, announceNewChannels } from './undo.ts'
import { ImportWriter, loadEmojiNames } from './writer.ts'

/** Loaded by the first import of its kind: most servers never see one. */
const loadedBy = (load: () => Promise<Reader>): Reader =>
  async function* (archive) {
    yield* (await load())(archive)
  }

export const READERS: Readonly<Record<ImportSource, Reader>> = {
  slack: loadedBy(async () => (await import('./slack.ts')).readSlack),
  mattermost: loadedBy(async () => (await import('./mattermost.ts')).readMattermost),
  telegram: loadedBy(async () => (await import('./telegram.ts')).readTelegram),
  discord: loadedBy(async () => (await import('./discord.ts')).readDiscord),
}

const choice = v.record(v.pipe(v.string(), v.maxLength(400)), v.pipe(v.string(), v.maxLength(200)))

const actionBody = v.variant('action', [
  v.object({ action: v.picklist(['state', 'pause', 'continue', 'stop', 'undo', 'close']) }),
  v.object({
    action: v.literal('check'),
    source: v.picklist(IMPORT_SOURCES),
    path: v.pipe(v.string(), v.minLength(1), v.maxLength(4_000)),
    name: line(255),
  }),
  v.object({
    action: v.literal('start'),
    owner: v.pipe(v.string(), v.maxLength(255)),
    people: choice,
    channels: choice,
  }),
])
type Action = v.InferOutput<typeof actionBody>
type Check = Extract<Action, { action: 'check' }>

/** Items of an export that are read before others get their turn. */
const ITEMS_PER_TURN = 500

/** What was read of a file, and not started yet. */
type Read = { readonly file: Check; readonly survey?: Survey; readonly refusal?: ImportRefusal; freeBytes: number }

type Job = { readonly kind: 'reading' | 'running' | 'undoing'; stopping: boolean; done: Promise<void> }

/**
 * Imports of history into this workspace, one at a time: see docs/adr/0048-imports.md. Reading changes nothing. An
 * import is a row; while it runs, everything that it needs is in the store and in the file, so that after a restart it
 * goes on from there.
 */
export class Imports {
  readonly #services: Services
  #read: Read | undefined
  #reading: { file: Check; survey?: Survey; share: number } | undefined
  #job: Job | undefined
  #channel = ''
  #undone = 0

  constructor(services: Services) {
    this.#services = services
  }

  /** `POST /imports`, on loopback and for a server token only. */
  readonly special: Special = (incoming) => {
    const { request, response, url } = incoming
    if (url.pathname !== '/imports' || request.method !== 'POST') return undefined
    return {
      operation: 'Imports',
      run: async () => {
        needServer(incoming.admit('Imports'))
        const action = read(actionBody, await readJson(request, this.#services))
        await this.obey(action)
        sendJson(response, 201, { import: this.state() })
      },
    }
  }

  async obey(action: Action): Promise<void> {
    switch (action.action) {
      case 'state':
        return
      case 'check':
        return this.#check(action)
      case 'start':
        return this.#start(action)
      case 'pause':
        return this.#halt('paused')
      case 'continue':
        return this.#continue()
      case 'stop':
        return this.#job?.kind === 'reading' ? this.#endJob() : this.#halt('stopped')
      case 'undo':
        return this.#undo()
      case 'close':
        return this.#close()
    }
  }

  /** After a start of the server: goes on with what was under way. */
  resume(): void {
    const row = lastImport(this.#services.db)
    if (row?.state === 'running') this.#run(row)
    if (row?.state === 'undoing') this.#runUndo(row)
  }

  /** Waits for the step that is under way; a later start goes on after it. */
  async end(): Promise<void> {
    await this.#endJob()
  }

  /** Resolves when nothing is under way. */
  async settled(): Promise<void> {
    await this.#job?.done
  }

  state(): ImportState {
    const reading = this.#reading
    if (reading) {
      const { file, survey, share } = reading
      const progress = { step: 'reading', messages: survey?.messages ?? 0, share } as const
      return { progress, source: file.source, name: file.name }
    }
    if (this.#read) {
      const { file, survey, refusal, freeBytes } = this.#read
      const earlier = this.#earlier()
      const progress: ImportProgress = survey
        ? { step: 'checked', check: { ...survey.check(freeBytes), ...(earlier === undefined ? {} : { earlier }) } }
        : { step: 'refused', refusal: refusal ?? { reason: 'damaged' } }
      return { progress, source: file.source, name: file.name }
    }
    const row = lastImport(this.#services.db)
    if (!row || row.closed === 1 || row.state === 'undone') return NO_IMPORT
    return { progress: this.#progressOf(row), source: row.source, name: row.name }
  }

  #progressOf(row: ImportRow): ImportProgress {
    const running = { done: row.done, total: row.total, channel: this.#channel }
    switch (row.state) {
      case 'running':
        return { step: 'running', ...running }
      case 'paused': {
        const problem = row.problem === 'disk-full' || row.problem === 'file-gone' ? row.problem : 'failed'
        return { step: 'paused', ...running, ...(row.problem === null ? {} : { problem }) }
      }
      case 'undoing':
        return { step: 'undoing', done: Math.min(this.#undone, row.done), total: row.done }
      case 'done':
      case 'stopped':
      case 'undone':
        return {
          step: 'done',
          stopped: row.state === 'stopped',
          // Only an undo leaves a problem to what has ended.
          ...(row.problem === null ? {} : { undoFailed: true }),
          report: reportOf(row),
          finishedAt: Math.floor((row.finished_at ?? row.created_at) / MS),
        }
    }
  }

  #earlier(): number | undefined {
    const finishedAt = lastEnded(this.#services.db)?.finished_at ?? null
    return finishedAt === null ? undefined : Math.floor(finishedAt / MS)
  }

  /** One thing at a time. */
  #needIdle(): void {
    const row = lastImport(this.#services.db)
    const isBusy =
      this.#job !== undefined || row?.state === 'running' || row?.state === 'paused' || row?.state === 'undoing'
    if (isBusy) refuse('input', 'an import is under way', { action: 'busy' })
  }

  #check(file: Check): void {
    this.#needIdle()
    this.#read = undefined
    this.#reading = { file, share: 0 }
    this.#begin('reading', async (job) => {
      try {
        const survey = await this.#survey(file, job)
        const { bytes } = await this.#services.blobs.free()
        const freeBytes = Math.max(0, bytes - MIN_FREE_BYTES)
        if (!job.stopping) this.#read = { file, survey, freeBytes }
      } catch (error) {
        const refusal = refusalOf(error)
        if (!(error instanceof NotAnExport)) this.#log('import-not-read', error)
        if (!job.stopping) this.#read = { file, refusal, freeBytes: 0 }
      } finally {
        this.#reading = undefined
      }
    })
  }

  async #survey(file: Check, job: Job): Promise<Survey> {
    const { db, clock, uploadConfig } = this.#services
    const archive = await openArchive(file.path)
    try {
      const now = Math.round(clock.now() * MS)
      const survey = new Survey({ source: file.source, db, now, archive, mostFileBytes: uploadConfig.size_limit })
      if (this.#reading) this.#reading.survey = survey
      const counted = withProgress(archive, (share) => this.#reading && (this.#reading.share = share))
      let nth = 0
      for await (const item of READERS[file.source](counted)) {
        survey.take(item)
        nth += 1
        if (nth % ITEMS_PER_TURN === 0) await nextTurn()
        if (job.stopping) break
      }
      return survey
    } finally {
      archive.close()
    }
  }

  #start({ owner, people, channels }: Choices): void {
    this.#needIdle()
    const { file, survey } = this.#read ?? {}
    if (!file || !survey) return refuse('input', 'nothing was checked', { action: 'start' })
    const { source, path, name } = file
    const row = transact(this.#services, (work) => {
      requireUser(work.db, owner)
      return beginImport(work, { source, path, name, survey, choices: { owner, people, channels } })
    })
    this.#read = undefined
    this.#run(row)
  }

  #run(row: ImportRow): void {
    this.#begin('running', async (job) => {
      const touched = new Set<string>()
      try {
        const isWhole = await this.#write(row, job, touched)
        if (isWhole) this.#become(row, 'done')
      } catch (error) {
        const problem = problemOf(error)
        if (problem === 'failed') this.#log('import-failed', error)
        this.#tryBecome(row, problem)
      }
      this.#announce(row, touched)
    })
  }

  /** Returns whether it came to the end of the file. */
  async #write(row: ImportRow, job: Job, touched: Set<string>): Promise<boolean> {
    const archive = await openArchive(row.path)
    try {
      const writer = new ImportWriter(this.#services, row, archive, await loadEmojiNames())
      const flush = async (): Promise<void> => {
        const { bytes } = await this.#services.blobs.free()
        if (bytes < MIN_FREE_BYTES) throw new DiskFull()
        await writer.flush()
        for (const cid of writer.touched) touched.add(cid)
        this.#channel = writer.channel
        await nextTurn()
      }
      for await (const item of READERS[row.source](archive)) {
        if (job.stopping) return false
        if (writer.take(item)) await flush()
      }
      if (job.stopping) return false
      await flush()
      return true
    } finally {
      archive.close()
    }
  }

  /** What people who are connected see of it, once for each time that it ran. */
  #announce(row: ImportRow, touched: ReadonlySet<string>): void {
    const { db } = this.#services
    const made = new Set(
      importedOf(db, row.id, 'channel', '', Number.MAX_SAFE_INTEGER)
        .filter(({ added }) => added === 1)
        .map(({ target }) => target),
    )
    transact(this.#services, (work) => {
      announceHistory(work, touched)
      announceNewChannels(
        work,
        [...touched].filter((cid) => made.has(cid)),
        '',
      )
    })
  }

  /** Ends the job; what it was doing becomes this. */
  async #halt(state: 'paused' | 'stopped'): Promise<void> {
    if (this.#job?.kind === 'undoing') return
    await this.#endJob()
    const row = lastImport(this.#services.db)
    if (row?.state !== 'running' && row?.state !== 'paused') return
    this.#become(row, state)
  }

  #continue(): void {
    const row = lastImport(this.#services.db)
    if (this.#job !== undefined || row?.state !== 'paused') return
    this.#become(row, 'running')
    this.#run({ ...row, state: 'running' })
  }

  #undo(): void {
    const row = lastImport(this.#services.db)
    if (this.#job !== undefined || (row?.state !== 'done' && row?.state !== 'stopped')) {
      return refuse('input', 'there is nothing to undo', { action: 'undo' })
    }
    this.#become(row, 'undoing')
    this.#runUndo(row)
  }

  #runUndo(row: ImportRow): void {
    this.#undone = 0
    this.#begin('undoing', async (job) => {
      try {
        for (const count of undoImport(this.#services, row)) {
          this.#undone += count
          await nextTurn()
          if (job.stopping) return
        }
        this.#become(row, 'undone')
      } catch (error) {
        this.#log('undo-failed', error)
        // What people did after it finished is told by when it did.
        setImportState(this.#services.db, row.id, { state: 'stopped', problem: 'failed' })
      }
    })
  }

  async #close(): Promise<void> {
    if (this.#job?.kind === 'reading') await this.#endJob()
    this.#read = undefined
    const row = lastImport(this.#services.db)
    if (row?.state === 'done' || row?.state === 'stopped') closeImport(this.#services.db, row.id)
  }

  #begin(kind: Job['kind'], work: (job: Job) => Promise<void>): void {
    const job: Job = { kind, stopping: false, done: Promise.resolve() }
    this.#job = job
    job.done = work(job)
      .catch((error: unknown) => this.#log('import-failed', error))
      .finally(() => {
        if (this.#job === job) this.#job = undefined
      })
  }

  async #endJob(): Promise<void> {
    const job = this.#job
    if (!job) return
    job.stopping = true
    await job.done
  }

  #become(row: ImportRow, state: ImportRow['state'], problem: string | null = null): void {
    const isEnd = state === 'done' || state === 'stopped' || state === 'undone'
    const finishedAt = isEnd ? Math.round(this.#services.clock.now() * MS) : null
    setImportState(this.#services.db, row.id, { state, problem, finishedAt })
  }

  /** On a full disk not even that can be written: after a restart it tries again. */
  #tryBecome(row: ImportRow, problem: string): void {
    try {
      this.#become(row, 'paused', problem)
    } catch (error) {
      this.#log('import-not-paused', error)
    }
  }

  #log(event: string, error: unknown): void {
    this.#services.log.warn(event, { reason: error instanceof Error ? error.name : 'unknown' })
  }
}

class DiskFull extends Error {}

function problemOf(error: unknown): 'disk-full' | 'file-gone' | 'failed' {
  if (error instanceof DiskFull || isDiskFull(error)) return 'disk-full'
  return error instanceof NotAnExport && error.refusal.reason === 'gone' ? 'file-gone' : 'failed'
}

const refusalOf = (error: unknown): ImportRefusal =>
  error instanceof NotAnExport ? error.refusal : { reason: 'damaged' }

/** How much of what is read has been, by bytes. */
function withProgress(archive: Archive, onShare: (share: number) => void): Archive {
  let readBytes = 0
  return {
    ...archive,
    async read(name) {
      const stream = await archive.read(name)
      stream.on('data', (part: Buffer) => {
        readBytes += part.length
        onShare(Math.min(1, readBytes / Math.max(1, archive.bytes)))
      })
      stream.pause()
      return stream
    },
  }
}

function reportOf(row: ImportRow): ImportReport {
  const { left, skipped, people, channels, first } = JSON.parse(row.facts) as ImportFacts
  return {
    messages: row.done,
    files: row.files,
    people,
    channels,
    left,
    skipped: skipped.map(({ name, messages }) => ({ name, messages })),
    ...(first === undefined ? {} : { first: { cid: asCid(first.cid), name: first.name } }),
  }
}
