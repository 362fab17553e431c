import { copyFile, mkdir, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { HandlersOf } from '#shared/bridge/index.ts'
import type { SavedFile } from '#shared/domain/export.ts'
import { AppError } from '#shared/lib/app-error.ts'
import type { ExportPiece } from '#main/engine/features/export/pieces.ts'
import type { FilesPort } from '#main/engine/ports.ts'
import type { Host } from '#main/hosts/host.ts'
import { CLEARED_FILE } from '#main/cache/files/names.ts'
import * as messages from '#main/cache/messages/messages.ts'
import { exportName, openDecision, safeFileName, withEnding } from '#main/hosts/rules/pages/openable.ts'
import { LOG_FILE } from '#main/hosts/node/process.ts'
import { logger } from '#main/lib/logger.ts'
import type { CallWindow } from '../windows/windows.ts'
import { OPENED_FOLDER, type Media } from '../media/media.ts'
import type { Account } from './account.ts'
import { accountFileCalls, type AccountFileOptions } from './account-file.ts'

/** Bytes of the log that are returned at once. */
const LOG_TAIL_BYTES = 200_000
/** Pieces are joined up to this size before each write. */
const WRITE_BYTES = 256_000

type DataCallsOptions = AccountFileOptions & {
  readonly host: Host
  /** Closes an account, runs `work` on its folder and opens it again; every window attaches again. */
  readonly renew: (account: Account, work: () => Promise<void>) => Promise<void>
  /** The media of an open account. */
  readonly media: (account: Account) => Pick<Media, 'resolve'> | undefined
}

/** `data.*` of the contract. */
export function dataCalls(options: DataCallsOptions): HandlersOf<'data', CallWindow> {
  const { host, renew, media } = options
  const log = logger('data', host.log)
  const { clock, files } = host.ports
  let exported: string | undefined
  const save = async (name: string, pieces: () => Iterable<ExportPiece>): Promise<{ saved?: SavedFile }> => {
    const path = await foldersOf(host).placeFor(name)
    if (path === undefined) return {}
    try {
      const messages = await writePieces(files, path, pieces())
      exported = path
      return { saved: { fileName: basename(path), folderName: basename(dirname(path)), messages } }
    } catch (error) {
      await files.remove(path)
      log.warn('export-failed', { error: (error as NodeJS.ErrnoException).code ?? 'unknown' })
      throw new AppError('data/not-written', { cause: error })
    }
  }
  return {
    ...accountFileCalls(options, (path) => void (exported = path)),
    async exportMessages({ cid, messageIds, format }, { account }) {
      const { engine } = signedIn(account)
      const now = clock.now()
      const pieces = () => engine.exported({ cid, messageIds, format, at: now })
      return save(exportName(now, cid ?? 'messages', format === 'json' ? 'json' : 'txt'), pieces)
    },
    async exportHistory({ filter }, { account }) {
      const { text, count, from, to, cut } = await signedIn(account).engine.historyTable(filter)
      const { saved } = await save(exportName(clock.now(), 'history', 'csv'), () => [{ text, messages: count }])
      return saved === undefined ? {} : { saved: { ...saved, from, to, cut } }
    },
    async exportCampaign({ id }, { account }) {
      const { text, rows } = await signedIn(account).engine.campaignTable(id)
      return save(exportName(clock.now(), 'campaign', 'csv'), () => [{ text, messages: rows }])
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

/** Waits for each write, so that the event loop is never blocked long. Returns the number of messages written. */
async function writePieces(
  files: Pick<FilesPort, 'append' | 'remove' | 'sync'>,
  path: string,
  pieces: Iterable<ExportPiece>,
): Promise<number> {
  const encoder = new TextEncoder()
  await files.remove(path)
  let waiting = ''
  let messages = 0
  const write = async (): Promise<void> => {
    await files.append(path, encoder.encode(waiting))
    waiting = ''
  }
  for (const piece of pieces) {
    waiting += piece.text
    messages += piece.messages
    if (waiting.length >= WRITE_BYTES) await write()
  }
  await write()
  await files.sync(path)
  return messages
}

/** Deletes facts and media only: intents, drafts and staged files are in other files. */
async function forget(folder: string): Promise<void> {
  for (const name of ['cache.db', 'cache.db-wal', 'cache.db-shm', 'media', OPENED_FOLDER])
    await rm(join(folder, name), { recursive: true, force: true })
  await writeFile(join(folder, CLEARED_FILE), '')
}
