import * as v from 'valibot'
import type { SavedFile } from '../../domain/export.ts'
import { IMPORT_SOURCES, MOST_SHOWN, type ImportState } from '../../domain/imports.ts'
import { call } from '../../lib/contract.ts'
import { isEntryPath } from '../../lib/entry-path.ts'
import { cid, key, line, nothing, userId } from '../schemas.ts'

const path = v.pipe(v.string(), v.minLength(1), v.maxLength(1_000), v.check(isEntryPath))

/**
 * Import of history into the local workspace of this window, by an administrator of it. All but `state` reject with
 * `imports/not-allowed` for everyone else, and with `session/local-server-stopped`.
 */
export const imports = {
  /** How far it is. Elsewhere there is none. */
  state: call<ImportState>()(nothing),
  /** Begins to hand over an export, in place of an earlier one. Rejects with `imports/busy` while one is under way. */
  begin: call<{ readonly id: string }>()(
    v.object({ source: v.picklist(IMPORT_SOURCES), name: v.pipe(line, v.maxLength(255)) }),
  ),
  /**
   * The next bytes of one of its files, in order. Rejects with `imports/closed` for another export, with `imports/name`
   * for a name that leads out of it, and with `data/disk-full`; nothing of it is kept then.
   */
  piece: call<void>()(v.object({ id: key, path, base64: v.pipe(v.string(), v.maxLength(720_000)) })),
  /** All of it is here: it is read, and nothing is changed. */
  check: call<ImportState>()(v.object({ id: key })),
  /** Imports what was checked. Whoever is not named is who the check found. */
  start: call<ImportState>()(
    v.object({
      people: v.pipe(
        v.array(v.object({ id: key, target: v.union([v.picklist(['new', 'former']), v.object({ userId })]) })),
        v.maxLength(MOST_SHOWN),
      ),
      channels: v.pipe(
        v.array(v.object({ id: key, target: v.union([v.picklist(['new', 'skip']), v.object({ cid })]) })),
        v.maxLength(MOST_SHOWN),
      ),
    }),
  ),
  pause: call<ImportState>()(nothing),
  continue: call<ImportState>()(nothing),
  /** Ends it, or its reading: what was imported stays. */
  stop: call<ImportState>()(nothing),
  /** Removes what the import has added. */
  undo: call<ImportState>()(nothing),
  /** Puts away a check, a refusal or a report. */
  close: call<ImportState>()(nothing),
  /** Writes the report as a table to a file that the user chooses; `saved` is absent if they cancelled. */
  saveReport: call<{ readonly saved?: SavedFile }>('dialog')(nothing),
}
