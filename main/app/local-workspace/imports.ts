import { join } from 'node:path'
import type { HandlersOf } from '#shared/bridge/index.ts'
import { NO_IMPORT, type ImportReport, type ImportSource, type ImportState } from '#shared/domain/imports.ts'
import { AppError } from '#shared/lib/app-error.ts'
import { csvOf } from '#shared/rules/server/csv.ts'
import { queryUsers } from '#shared/wire/app.ts'
import { changeImport, type ImportAction } from '#shared/wire/sharing.ts'
import { ApiError } from '#main/engine/api/errors.ts'
import type { ClientWindow, Host } from '#main/hosts/host.ts'
import { exportName } from '#main/hosts/rules/pages/openable.ts'
import { type Logger, logger } from '#main/lib/logger.ts'
import { codeOf } from '#main/lib/disk-error.ts'
import type { AccountRef } from '#main/settings/profile.ts'
import { placeOf } from '../accounts/account.ts'
import { saveTable } from '../exports/exporting.ts'
import type { Translate } from '../texts.ts'
import type { CallWindow } from '../windows/windows.ts'
import type { LocalWorkspace } from './local-workspace.ts'

type LocalRef = Exclude<AccountRef, { kind: 'hosted' }>

type ImportOptions = {
  readonly host: Host
  readonly refOf: (window: ClientWindow) => AccountRef | undefined
  readonly workspace: (place: string) => Pick<LocalWorkspace, 'serverApi'>
  readonly translate: Translate
}

type Arriving = {
  readonly id: string
  readonly source: ImportSource
  readonly name: string
  readonly paths: Set<string>
  last: Promise<void>
}

const CHUNK_LIMIT = 512 * 1024
const MOST_FILES = 200_000

/**
 * Imports of history into local workspaces: takes the file from the window, which may be a page of a browser, and has the
 * workspace's own server read and import it. See ADR 48.
 */
export class HistoryImports {
  readonly #options: ImportOptions
  readonly #log: Logger
  /** What a window is handing over, by workspace. */
  readonly #arriving = new Map<string, Arriving>()
  /** Workspaces whose copied files may still be there. */
  readonly #copied = new Set<string>()
  readonly #looked = new Set<string>()

  constructor(options: ImportOptions) {
    this.#options = options
    this.#log = logger('imports', options.host.log)
  }

  /** `imports.*` of the contract. */
  calls(): HandlersOf<'imports', CallWindow> {
    const act =
      (action: Exclude<ImportAction['action'], 'check' | 'start' | 'state'>) =>
      async (_input: undefined, { window }: CallWindow): Promise<ImportState> =>
        this.#send(await this.#allowed(window), { action })
    return {
      state: async (_input, { window }) => {
        const ref = this.#localRef(window)
        return ref && (await this.#isAdmin(ref)) ? this.#send(ref, { action: 'state' }) : NO_IMPORT
      },
      begin: async ({ source, name }, { window }) => this.#beginFile(await this.#allowed(window), source, name),
      piece: async ({ id, path, base64 }, { window }) => this.#append(this.#need(window), { id, path, base64 }),
      check: async ({ id }, { window }) => this.#check(await this.#allowed(window), id),
      start: async ({ people, channels }, { window }) => {
        const ref = await this.#allowed(window)
        return this.#send(ref, {
          action: 'start',
          owner: ref.userId,
          people: Object.fromEntries(
            people.map(({ id, target }) => [id, typeof target === 'object' ? target.userId : target]),
          ),
          channels: Object.fromEntries(
            channels.map(({ id, target }) => [id, typeof target === 'object' ? target.cid : target]),
          ),
        })
      },
      pause: act('pause'),
      continue: act('continue'),
      stop: act('stop'),
      undo: act('undo'),
      close: async (_input, { window }) => {
        const ref = await this.#allowed(window)
        const place = placeOf(ref)
        const file = this.#arriving.get(place)
        this.#arriving.delete(place)
        // A piece that is being written would bring the folder back.
        await file?.last.catch(() => undefined)
        return this.#send(ref, { action: 'close' })
      },
      saveReport: async (_input, { window }) => this.#saveReport(await this.#allowed(window)),
    }
  }

  #localRef(window: ClientWindow): LocalRef | undefined {
    const ref = this.#options.refOf(window)
    return ref === undefined || ref.kind === 'hosted' ? undefined : ref
  }

  #need(window: ClientWindow): LocalRef {
    const ref = this.#localRef(window)
    if (!ref) throw new AppError('imports/not-allowed')
    return ref
  }

  async #allowed(window: ClientWindow): Promise<LocalRef> {
    const ref = this.#need(window)
    if (!(await this.#isAdmin(ref))) throw new AppError('imports/not-allowed')
    return ref
  }

  async #isAdmin(ref: LocalRef): Promise<boolean> {
    const api = await this.#options.workspace(placeOf(ref)).serverApi()
    const { users } = await api.send(queryUsers, {
      query: { payload: { filter_conditions: { id: { $eq: ref.userId } }, limit: 1 } },
    })
    return users[0]?.role === 'admin'
  }

  #folder(ref: LocalRef): string {
    return join(this.#options.host.paths.data, 'workspaces', placeOf(ref), 'imports')
  }

  async #beginFile(ref: LocalRef, source: ImportSource, name: string): Promise<{ id: string }> {
    const { files, ids } = this.#options.host.ports
    // Refused while an import is under way: it still reads its file.
    const { progress } = await this.#send(ref, { action: 'close' })
    if (progress.step !== 'none') throw new AppError('imports/busy')
    const place = placeOf(ref)
    await files.remove(this.#folder(ref))
    const id = ids.uuid()
    this.#arriving.set(place, { id, source, name, paths: new Set(), last: Promise.resolve() })
    this.#copied.add(place)
    return { id }
  }

  async #append(ref: LocalRef, { id, path, base64 }: { id: string; path: string; base64: string }): Promise<void> {
    const place = placeOf(ref)
    const file = this.#arriving.get(place)
    if (file?.id !== id) throw new AppError('imports/closed')
    const bytes = Buffer.from(base64, 'base64')
    file.paths.add(path)
    if (bytes.length > CHUNK_LIMIT || file.paths.size > MOST_FILES) throw new AppError('imports/name')
    const target = join(this.#folder(ref), file.id, ...path.split('/'))
    file.last = file.last.then(() => this.#options.host.ports.files.append(target, bytes))
    try {
      await file.last
    } catch (cause) {
      this.#arriving.delete(place)
      this.#log.warn('not-copied', { code: codeOf(cause) ?? 'unknown' })
      await this.#options.host.ports.files.remove(this.#folder(ref))
      throw new AppError('data/disk-full', { cause })
    }
  }

  async #check(ref: LocalRef, id: string): Promise<ImportState> {
    const place = placeOf(ref)
    const file = this.#arriving.get(place)
    if (file?.id !== id) throw new AppError('imports/closed')
    await file.last
    const folder = join(this.#folder(ref), file.id)
    const [only, ...more] = file.paths
    const path = only !== undefined && more.length === 0 ? join(folder, ...only.split('/')) : folder
    try {
      return await this.#send(ref, { action: 'check', source: file.source, path, name: file.name })
    } finally {
      // Only once the server knows: until then nothing but this keeps the copy.
      if (this.#arriving.get(place) === file) this.#arriving.delete(place)
    }
  }

  async #send(ref: LocalRef, action: ImportAction): Promise<ImportState> {
    const place = placeOf(ref)
    const api = await this.#options.workspace(place).serverApi(ref.userId)
    try {
      const { import: state } = await api.send(changeImport, { body: action })
      await this.#tidy(ref, state)
      return state
    } catch (error) {
      // Nothing is checked, or another window has been faster.
      if (error instanceof ApiError && error.class === 'invalid') throw new AppError('imports/busy', { cause: error })
      throw error
    }
  }

  /** Removes the copy of a file that nothing needs any more, also one that an earlier run has left. */
  async #tidy(ref: LocalRef, { progress: { step } }: ImportState): Promise<void> {
    const place = placeOf(ref)
    if (this.#arriving.has(place) || (step !== 'none' && step !== 'done' && step !== 'refused')) return
    if (this.#looked.has(place) && !this.#copied.has(place)) return
    this.#looked.add(place)
    this.#copied.delete(place)
    await this.#options.host.ports.files.remove(this.#folder(ref))
  }

  async #saveReport(ref: LocalRef) {
    const { host, translate } = this.#options
    const { progress } = await this.#send(ref, { action: 'state' })
    if (progress.step !== 'done' || !host.folders) throw new AppError('imports/closed')
    const path = await host.folders.placeFor(exportName(host.ports.clock.now(), 'import', 'csv'))
    if (path === undefined) return {}
    const { folders, log } = host
    const text = csvOf(reportRows(progress.report, translate))
    return { saved: await saveTable({ log, folders }, path, [{ text, messages: progress.report.messages }]) }
  }
}

function reportRows(report: ImportReport, translate: Translate): readonly (readonly string[])[] {
  const { messages, channels, people, files, left, skipped } = report
  const row = (key: string, count: number): readonly string[] => [translate('imports', key), String(count)]
  return [
    row('report.messages', messages),
    row('report.channels', channels),
    row('report.people', people),
    row('report.files', files),
    ...Object.entries(left).map(([kind, count]) => row(`left.${kind}`, count)),
    ...skipped.map(({ name, messages: count }) => [translate('imports', 'report.skipped', { name }), String(count)]),
  ]
}
