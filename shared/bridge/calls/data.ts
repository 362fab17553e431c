import * as v from 'valibot'
import {
  type AccountFileContents,
  type AccountFileLook,
  isLongEnough,
  PASSPHRASE_LENGTH,
} from '../../domain/account-file.ts'
import {
  EXPORT_FILES,
  EXPORT_FORMATS,
  type ExportPlan,
  type SavedExport,
  type SavedFile,
  type SavedHistory,
} from '../../domain/export.ts'
import { FILE_PIECE_BYTES } from '../../constants.ts'
import { call } from '../../lib/contract.ts'
import { cid, key, messageId, nothing, userId } from '../schemas.ts'
import { historyFilter } from './moderation.ts'

const attachmentIndex = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(100))

const passphrase = v.pipe(v.string(), v.minLength(1), v.maxLength(PASSPHRASE_LENGTH.most))
const newPassphrase = v.pipe(passphrase, v.check(isLongEnough))

const time = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(8_640_000_000_000_000))
/** See `ExportSpan`; it is not empty. */
const span = v.optional(
  v.pipe(
    v.object({ from: v.optional(time), until: v.optional(time) }),
    v.check(({ from = 0, until = Infinity }) => from < until),
  ),
  {},
)

/** `base64` is the requested range as far as it exists; `sizeBytes` is the size of the whole file. */
type FilePiece = { readonly base64: string; readonly sizeBytes: number }

/** The data on this device: exporting, clearing and showing it in the file manager. */
export const data = {
  /** What an export of a channel, or of all, would have in it now: what is on this device, and what is not. */
  exportPlan: call<ExportPlan>('heavy')(v.object({ cid: v.optional(cid), span })),
  /**
   * Writes cached messages, of a channel or of all, or some of them (`messageIds`), to a file that the user chooses; a
   * host without a save dialog uses the downloads folder. With `files` it is a ZIP archive. `older`: what is only on the
   * server is fetched first, for one channel. The window is told of its progress. `saved` is absent if the user
   * canceled. Rejects with `data/exporting` while another export of the window runs, as calls of the network do while it
   * fetches, and with `data/disk-full`, `data/not-permitted`, `data/folder-gone`, `data/too-large` and
   * `data/not-written`; then no partial file is left, and an older file of that name is unchanged.
   */
  exportMessages: call<{ readonly saved?: SavedExport }>('dialog')(
    v.object({
      cid: v.optional(cid),
      messageIds: v.optional(v.pipe(v.array(messageId), v.maxLength(1_000))),
      format: v.picklist(EXPORT_FORMATS),
      span,
      files: v.optional(v.picklist(EXPORT_FILES), 'none'),
      older: v.optional(v.boolean(), false),
    }),
  ),
  /** Ends the export of this window: nothing is left of it. */
  cancelExport: call<void>()(nothing),
  /**
   * Writes the history of actions to such a file, as a table for spreadsheets: the newest 20,000 entries that match.
   * Rejects as `history.list` does as well.
   */
  exportHistory: call<{ readonly saved?: SavedHistory }>('dialog')(v.object({ filter: historyFilter })),
  /**
   * Writes what the server counts of a campaign, and whom it did not reach, to such a file, as a table for spreadsheets.
   * Rejects as `campaigns.get` does as well.
   */
  exportCampaign: call<{ readonly saved?: SavedFile }>('dialog')(
    v.object({ id: v.pipe(v.string(), v.regex(/^[A-Za-z0-9_.:-]{1,255}$/)) }),
  ),
  /**
   * Writes everyone whom the last dry run of a campaign found to such a file, as a table for spreadsheets: who gets it, when
   * if it goes out `at` this moment, and who does not and why. Rejects with `campaigns/no-run` for another one.
   */
  exportDryRun: call<{ readonly saved?: SavedFile }>('dialog')(
    v.object({
      run: v.pipe(v.string(), v.minLength(1), v.maxLength(64)),
      at: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(8.64e15)),
    }),
  ),
  /**
   * Writes everything the server has of one person to a file that the user chooses: profile, messages, reactions. For those
   * who may manage people; rejects as `directory` does, and with `data/not-written`. `saved` is absent if the user
   * cancelled.
   */
  exportPerson: call<{ readonly saved?: SavedFile }>('dialog')(v.object({ userId })),
  /** What an account file of this account would contain now. Rejects with `session/guest` for a guest. */
  accountFileContents: call<AccountFileContents>()(nothing),
  /**
   * Writes the account's drafts, settings and unsent messages to an encrypted file that the user chooses
   * (docs/account-file.md). `saved` is absent if the user canceled. Rejects with `data/not-written` on a disk error, and
   * then no partial file is left and an older file of that name is unchanged.
   */
  saveAccountFile: call<{ readonly saved?: SavedFile }>('dialog')(v.object({ passphrase: newPassphrase })),
  /**
   * One chunk of an account file to open: base64 of at most `FILE_PIECE_BYTES`, in order. The first is without `id` and
   * returns it; after the last one the file is checked. Rejects with `account-file/too-large`, `account-file/not-one`,
   * `account-file/newer`, `account-file/damaged`, and with `account-file/closed` if the file is not open anymore.
   */
  openAccountFile: call<{ readonly id: string }>()(
    v.object({
      id: v.optional(key),
      base64: v.pipe(v.string(), v.maxLength(720_000), v.base64()),
      isLast: v.boolean(),
    }),
  ),
  /**
   * Decrypts an open file; a wrong passphrase rejects with `account-file/passphrase`. Without one, looks again at a file
   * that was decrypted, from the account that the window shows now. Changes nothing.
   */
  lookIntoAccountFile: call<AccountFileLook>('dialog')(v.object({ id: key, passphrase: v.optional(passphrase) })),
  /**
   * Takes the content of a decrypted file into the account that the window shows: everything, or nothing if it rejects;
   * `prefersFile`: its settings also where those here are newer. Rejects with `account-file/other` for a file of another account, `outbox/full`, `disk/full`. Returns what was done. The file
   * is closed then.
   */
  takeAccountFile: call<AccountFileLook>('dialog')(v.object({ id: key, prefersFile: v.optional(v.boolean(), false) })),
  /** Forgets an open file. */
  closeAccountFile: call<void>()(v.object({ id: key })),
  /**
   * Deletes the cached messages and files of this account and loads them again from the server. Unsent messages, drafts
   * and reminders are preserved. Every window of the account attaches again.
   */
  clearCache: call<void>('dialog')(nothing),
  /** Shows the profile's folder, or the last exported file. Rejects with `data/not-shown`. */
  showFolder: call<void>('dialog')(v.object({ which: v.picklist(['profile', 'exported']) })),
  /**
   * Opens a copy of an attachment in the system's default program. Rejects with `data/file-gone` if its bytes are
   * unavailable, `data/file-runs` for executable types, `data/file-mismatch` if the content does not match its name,
   * and `data/not-opened` if no program opens it.
   */
  openFile: call<void>('dialog')(v.object({ messageId, index: attachmentIndex })),
  /**
   * A range of an attachment's bytes, for what the window renders itself or copies to the clipboard: pages cannot
   * fetch. From `start`, at most `length` bytes, fewer at the end of the file. Rejects with `data/file-gone`.
   */
  fileBytes: call<FilePiece>()(
    v.object({
      messageId,
      index: attachmentIndex,
      start: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(Number.MAX_SAFE_INTEGER)),
      length: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(FILE_PIECE_BYTES)),
    }),
  ),
  /** The newest lines of the local log: ids, codes and times, never message text, names or tokens. */
  log: call<{ readonly text: string }>()(nothing),
}
