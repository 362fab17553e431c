import * as v from 'valibot'
import type { Download } from '#shared/domain/desktop/download.ts'
import type { DesktopState, SafePage } from '#shared/domain/desktop/desktop.ts'
import { call } from '#shared/lib/contract.ts'
import { nothing } from '../schemas.ts'

/** Parlor as a program of this computer. What is chosen are settings (`desktop`); the rest stands here. */
export const desktop = {
  /** What this host can do, and whether what was chosen holds. */
  state: call<DesktopState>()(nothing),
  /**
   * The system asks for a folder. Answers its path, or nothing when the person thought better of it. Rejects with
   * `desktop/unable` where no system can be asked.
   */
  chooseFolder: call<{ readonly folder?: string }>('dialog')(nothing),
  /** Files that were saved since Parlor was started, newest first. Rejects with `desktop/unable` where a browser has them. */
  downloads: call<readonly Download[]>()(nothing),
  /**
   * Does something with one of them. Rejects with `desktop/download-gone` when it is no longer where it was saved, with
   * `data/file-runs` or `data/file-mismatch` when it must not be opened, with `data/not-opened` or `data/not-shown`.
   */
  download: call<void>('dialog')(
    v.object({
      id: v.pipe(v.string(), v.maxLength(20)),
      what: v.picklist(['open', 'show', 'again', 'cancel']),
    }),
  ),
  /** Takes those that have ended off the list; the files stay where they are. */
  clearDownloads: call<void>()(nothing),
  /** For the page that a window shows whose page stopped again and again. */
  safePage: call<SafePage>()(nothing),
  /** Ends Parlor. Rejects with `desktop/unable` where its windows are pages of a browser. */
  quit: call<void>('dialog')(nothing),
}
