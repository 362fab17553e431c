import * as v from 'valibot'
import type { SavedFile } from '#shared/domain/export.ts'
import { call } from '#shared/lib/contract.ts'
import { cid, messageId, nothing } from '../schemas.ts'

const attachmentIndex = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(100))

/** The most bytes of a file that one call carries. */
export const FILE_PIECE_BYTES = 524_288

/** `base64` is as much as was asked for and is there; `sizeBytes` is of the whole file. */
type FilePiece = { readonly base64: string; readonly sizeBytes: number }

/** What this computer holds: taken out as a file, cleared, and looked at where it lies. */
export const data = {
  /**
   * Writes the messages this computer holds, of a channel or of all, or some of them (`messageIds`), to a file that the person chooses; a host without
   * such a question puts it among the downloads. Answers nothing when they thought better of it. Rejects with
   * `data/not-written` when the disk refuses, and nothing half written is left.
   */
  exportMessages: call<{ readonly saved?: SavedFile }>('dialog')(
    v.object({
      cid: v.optional(cid),
      messageIds: v.optional(v.pipe(v.array(messageId), v.maxLength(1_000))),
      format: v.picklist(['json', 'text']),
    }),
  ),
  /**
   * Throws away the messages and files this computer holds of this account, and loads them again from the server. What is
   * unsent, drafts and reminders stay. Every window of the account attaches again.
   */
  clearCache: call<void>('dialog')(nothing),
  /** Shows the profile's folder, or the file that was written last. Rejects with `data/not-shown`. */
  showFolder: call<void>('dialog')(v.object({ which: v.picklist(['profile', 'exported']) })),
  /**
   * Hands a copy of an attachment to the system's program for its kind. Rejects with `data/file-gone` when its bytes cannot
   * be had, `data/file-runs` for what would run something, `data/file-mismatch` when it is not what its name says, and
   * `data/not-opened` when no program takes it.
   */
  openFile: call<void>('dialog')(v.object({ messageId, index: attachmentIndex })),
  /**
   * A piece of an attachment's bytes, for what the window itself draws of a file or puts on the clipboard: pages may not
   * fetch. From `start`, at most `length` bytes, fewer where the file ends. Rejects with `data/file-gone`.
   */
  fileBytes: call<FilePiece>()(
    v.object({
      messageId,
      index: attachmentIndex,
      start: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(Number.MAX_SAFE_INTEGER)),
      length: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(FILE_PIECE_BYTES)),
    }),
  ),
  /** The newest lines of this computer's log: ids, codes and times, never words, names or tokens. */
  log: call<{ readonly text: string }>()(nothing),
}
