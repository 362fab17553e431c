import { copyFile, mkdir, rm, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { HandlersOf } from '#shared/bridge/index.ts'
import type { ExportProgress, SavedFile } from '#shared/domain/export.ts'
import { AppError } from '#shared/lib/app-error.ts'
import type { Settings } from '#shared/domain/settings.ts'
import { formatBytes } from '#shared/lib/byte-size.ts'
import type { ExportPiece } from '#main/engine/features/export/pieces.ts'
import type { Host } from '#main/hosts/host.ts'
import { CLEARED_FILE } from '#main/cache/files/database-file.ts'
import * as messages from '#main/cache/messages/messages.ts'
import { exportName, openDecision, safeFileName, withEnding } from '#main/hosts/rules/pages/openable.ts'
import { LOG_FILE } from '#main/hosts/node/profile.ts'
import type { ExportWords } from '#main/engine/features/export/writer.ts'
import type { CallWindow } from '../windows/windows.ts'
import { OPENED_FOLDER, type Media } from '../media/media.ts'
import { type ExportSource, exportTo, planExport, RunningExports, saveTable } from '../exports/exporting.ts'
import { type Translate, languageOf } from '../texts.ts'
import type { Account } from './account.ts'
import { accountFileCalls, type AccountFileOptions } from './account-file.ts'

/** Bytes of the log that are returned at once. */
const LOG_TAIL_BYTES = 200_000

type DataCallsOptions = AccountFileOptions & {
  readonly host: Host
  /** Closes an account, runs `work` on its folder and opens it again; every window attaches again. */
  readonly renew: (account: Account, work: () => Promise<void>) => Promise<void>
  /** The media of an open account. */
  readonly media: (account: Account) => Pick<Media, 'resolve' | 'stored'> | undefined
  readonly translate: Translate
}

/** `data.*` of the contract. */
export function dataCalls(options: DataCallsOptions): HandlersOf<'data', CallWindow> {
  const { host, renew, media } = options
  const { clock, files } = host.ports
  let exported: string | undefined
  const onSaved = (path: string): void => void (exported = path)
  const save = async (name: string, pieces: () => Iterable<ExportPiece>): Promise<{ saved?: SavedFile }> => {
    const folders = foldersOf(host)
    const path = await folders.placeFor(name)
    if (path === undefined) return {}
    const saved = await saveTable({ log: host.log, folders }, path, pieces())
    onSaved(path)
    return { saved }
  }
  return {
    ...accountFileCalls(options, onSaved),
    ...exportCalls(options, onSaved),
    async exportHistory({ filter }, { account }) {
      const { text, count, from, to, cut } = await signedIn(account).engine.historyTable(filter)
      const { saved } = await save(exportName(clock.now(), 'history', 'csv'), () => [{ text, messages: count }])
      return saved === undefined ? {} : { saved: { ...saved, from, to, cut } }
    },
    async exportCampaign({ id }, { account }) {
      const { text, rows } = await signedIn(account).engine.campaignTable(id)
      return save(exportName(clock.now(), 'campaign', 'csv'), () => [{ text, messages: rows }])
    },
    async exportDryRun({ run, at }, { account }) {
      // Asked first: there is no question about a place for what cannot be had.
      const pieces = signedIn(account).engine.dryRunTable(run, at)
      return save(exportName(clock.now(), 'dry-run', 'csv'), () => pieces)
    },
    async exportPerson({ userId }, { account }) {
      const { engine } = signedIn(account)
      // Asked first: there is no question about a place for what cannot be had.
      const { text, messages } = await engine.exportedPerson(userId)
      return save(exportName(clock.now(), userId, 'json'), () => [{ text, messages }])
    },
    async clearCache(_input, { account }) {
      const one = signedIn(account)
      await renew(one, () => forget(one.folder))
    },
    showFolder: ({ which }) => foldersOf(host).show(which === 'exported' && exported ? exported : host.paths.data),
    async openFile({ messageId, index }, { account }) {
      const one = signedIn(account)
      const file = await media(one)?.resolve(`att/${messageId}.${index}`, 'full')
      if (!file) throw new AppError('data/file-gone')
      const title = messages.byId(one.engine.stores.cache.reader, messageId)?.attachments[index]?.title
      const name = withEnding(safeFileName(title ?? ''), file.mimeType)
      const decision = openDecision(name, file.mimeType)
      if (decision !== 'open') throw new AppError(decision === 'runs' ? 'data/file-runs' : 'data/file-mismatch')
      await foldersOf(host).open(await copyForOthers(one.folder, file.path, name))
    },
    async fileBytes({ messageId, index, start, length }, { account }) {
      const file = await media(signedIn(account))?.resolve(`att/${messageId}.${index}`, 'full')
      if (!file) throw new AppError('data/file-gone')
      const left = Math.max(0, file.sizeBytes - start)
      const bytes = left === 0 ? new Uint8Array() : await files.read(file.path, start, Math.min(length, left))
      return { base64: Buffer.from(bytes).toString('base64'), sizeBytes: file.sizeBytes }
    },
    async log() {
      const path = join(host.paths.data, LOG_FILE)
      const size = (await files.size(path)) ?? 0
      if (size === 0) return { text: '' }
      const start = Math.max(0, size - LOG_TAIL_BYTES)
      const text = new TextDecoder().decode(await files.read(path, start, size - start))
      return { text: start === 0 ? text : text.slice(text.indexOf('\n') + 1) }
    },
  }
}

/** Exports of messages, one at a time for each window. `onSaved` gets the path of each. */
function exportCalls(
  { host, media, translate, store }: DataCallsOptions,
  onSaved: (path: string) => void,
): Pick<HandlersOf<'data', CallWindow>, 'cancelExport' | 'exportMessages' | 'exportPlan'> {
  const running = new RunningExports(host)
  const sourceOf = (account: Account): ExportSource => ({ engine: account.engine, media: media(account) })
  return {
    exportPlan: (input, { account }) => planExport(sourceOf(signedIn(account)), input),
    async exportMessages(request, { account, window }) {
      const source = sourceOf(signedIn(account))
      const words = exportWords(translate, store.settings())
      const onProgress = (progress: ExportProgress): void =>
        window.push({ kind: 'effect', effect: { type: 'export', progress } })
      const saved = await running.run(window.id, (signal) =>
        exportTo({ ...host, folders: foldersOf(host) }, { source, request, words, signal, onProgress }, onSaved),
      )
      return saved === undefined ? {} : { saved }
    },
    cancelExport: (_input, { window }) => running.cancel(window.id),
  }
}

function signedIn(account: CallWindow['account']): Account {
  const known = account()
  if (!known) throw new AppError('session/signed-out')
  return known
}

function foldersOf({ folders }: Host): NonNullable<Host['folders']> {
  if (!folders) throw new AppError('data/not-shown')
  return folders
}

/** A copy under the file's own name, for other programs, which may change it. Deleted at the next start. */
async function copyForOthers(accountFolder: string, path: string, name: string): Promise<string> {
  const folder = join(accountFolder, OPENED_FOLDER, basename(path).slice(0, 16))
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const copy = join(folder, name)
  await copyFile(path, copy)
  return copy
}

/** Deletes facts and media only: intents, drafts and staged files are in other files. */
async function forget(folder: string): Promise<void> {
  for (const name of ['cache.db', 'cache.db-wal', 'cache.db-shm', 'media', OPENED_FOLDER])
    await rm(join(folder, name), { recursive: true, force: true })
  await writeFile(join(folder, CLEARED_FILE), '')
}

/** Texts, dates and sizes of an exported page, in the language and with the clock of the settings. */
function exportWords(translate: Translate, settings: Pick<Settings, 'language' | 'clock'>): ExportWords {
  const language = languageOf(settings)
  const day = new Intl.DateTimeFormat(language, { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' })
  const is24h = settings.clock === 'auto' ? undefined : settings.clock === '24h'
  const time = new Intl.DateTimeFormat(language, {
    hour: 'numeric',
    minute: '2-digit',
    hour12: is24h === undefined ? undefined : !is24h,
  })
  return {
    language,
    text: (key, params) => translate('data', `page.${key}`, params),
    // The abbreviated word for year would end a sentence with two full stops.
    day: (at) => day.format(at).replace(/\s*г\.$/, ''),
    time: (at) => time.format(at),
    bytes: (bytes) => formatBytes(language, bytes),
  }
}
