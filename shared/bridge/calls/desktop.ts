import * as v from 'valibot'
import type { Download } from '#shared/domain/desktop/download.ts'
import type { DesktopState, SafePage } from '#shared/domain/desktop/desktop.ts'
import { call } from '#shared/lib/contract.ts'
import { nothing } from '../schemas.ts'

/** Desktop integration. User choices are settings (`desktop`); the rest is here. */
export const desktop = {
  /** What this host supports, and whether the chosen settings took effect. */
  state: call<DesktopState>()(nothing),
  /**
   * Shows the system's folder dialog. Returns the path, or nothing if the user cancelled. Rejects with `desktop/unable`
   * if the host has no such dialog.
   */
  chooseFolder: call<{ readonly folder?: string }>('dialog')(nothing),
  /** Files saved since Parlor was started, newest first. Rejects with `desktop/unable` if a browser manages them. */
  downloads: call<readonly Download[]>()(nothing),
  /**
   * Acts on a download. Rejects with `desktop/download-gone` if the file was moved or deleted, with `data/file-runs` or
   * `data/file-mismatch` if it must not be opened, with `data/not-opened` or `data/not-shown`.
   */
  download: call<void>('dialog')(
    v.object({
      id: v.pipe(v.string(), v.maxLength(20)),
      what: v.picklist(['open', 'show', 'again', 'cancel']),
    }),
  ),
  /** Removes finished downloads from the list; the files are not deleted. */
  clearDownloads: call<void>()(nothing),
  /** For the page that replaces a window whose renderer crashed repeatedly. */
  safePage: call<SafePage>()(nothing),
  /** Quits Parlor. Rejects with `desktop/unable` where its windows are pages of a browser. */
  quit: call<void>('dialog')(nothing),
}
