import { ACCOUNT_FILE_BYTES } from '#shared/domain/account-file.ts'
import { FILE_PIECE_BYTES } from '#shared/constants.ts'
import { SETTINGS_FILE } from '#shared/rules/desktop/desktop.ts'
import { AppError } from '#shared/lib/app-error.ts'
import type { EngineClient } from '#shared/bridge/index.ts'
import type { ExportFiles, ExportFormat, ExportSpan } from '#shared/domain/export.ts'
import type { Cid } from '#shared/lib/brand.ts'
import { toBase64 } from '../../../lib/files/base64.ts'
import { command } from '../../../store/command.ts'

export type ExportInput = {
  readonly cid?: Cid
  readonly format: ExportFormat
  readonly span: ExportSpan
  readonly files: ExportFiles
  readonly older: boolean
}

/** Errors are shown in the dialog. */
export const exportMessages = command(
  'data/exported',
  (input: ExportInput, engine) => engine.data.exportMessages(input),
  { quiet: true },
)
/** Without an answer the dialog says that it is still counting. */
export const askExportPlan = command(
  'data/exportPlanned',
  (input: Pick<ExportInput, 'cid' | 'span'>, engine) => engine.data.exportPlan(input),
  { quiet: true },
)
export const cancelExport = command('data/exportCanceled', (_input: void, engine) => engine.data.cancelExport())
export const clearCache = command('data/cacheCleared', (_input: void, engine) => engine.data.clearCache())
export const showFolder = command('data/folderShown', (which: 'profile' | 'exported', engine) =>
  engine.data.showFolder({ which }),
)
export const askLog = command('data/logAsked', (_input: void, engine) => engine.data.log())

/** The errors of account files are shown in their dialogs. */
export const askAccountFile = command(
  'data/accountFileAsked',
  (_input: void, engine) => engine.data.accountFileContents(),
  { quiet: true },
)
export const saveAccountFile = command(
  'data/accountFileSaved',
  (input: { readonly passphrase: string }, engine) => engine.data.saveAccountFile(input),
  { quiet: true },
)
/** A settings file of an older version has no passphrase, and is imported at once. */
export const openAccountFile = command(
  'data/accountFileOpened',
  async (file: File, engine): Promise<OpenedFile> => {
    const text = file.size <= SETTINGS_BYTES ? await file.text() : ''
    if (text.startsWith('{') && text.includes(SETTINGS_FILE))
      return { kind: 'settings', ...(await engine.settings.takeFile({ text })) }
    return { kind: 'account', id: await sendFile(file, engine) }
  },
  { quiet: true },
)
export const lookIntoAccountFile = command(
  'data/accountFileLookedInto',
  (input: { readonly id: string; readonly passphrase?: string }, engine) => engine.data.lookIntoAccountFile(input),
  { quiet: true },
)
export const takeAccountFile = command(
  'data/accountFileTaken',
  (input: { readonly id: string; readonly prefersFile: boolean }, engine) => engine.data.takeAccountFile(input),
  { quiet: true },
)
export const closeAccountFile = command(
  'data/accountFileClosed',
  (input: { readonly id: string }, engine) => engine.data.closeAccountFile(input),
  { quiet: true },
)

type OpenedFile =
  | { readonly kind: 'account'; readonly id: string }
  | { readonly kind: 'settings'; readonly refused: readonly string[] }

/** Below the bridge's limit; a settings file has a few thousand bytes. */
const SETTINGS_BYTES = 500_000

async function sendFile(file: File, engine: EngineClient): Promise<string> {
  // Refused here already: nothing of it is read.
  if (file.size > ACCOUNT_FILE_BYTES) throw new AppError('account-file/too-large')
  let id: string | undefined
  let at = 0
  do {
    const bytes = new Uint8Array(await file.slice(at, at + FILE_PIECE_BYTES).arrayBuffer())
    at += FILE_PIECE_BYTES
    const opened = await engine.data.openAccountFile({ id, base64: toBase64(bytes), isLast: at >= file.size })
    id = opened.id
  } while (at < file.size)
  return id
}
