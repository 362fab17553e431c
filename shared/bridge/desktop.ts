import type { DesktopState, SafePage } from '#shared/domain/desktop.ts'
import { call } from '#shared/lib/contract.ts'
import { nothing } from './schemas.ts'

/** Parlor as a program of this computer. What is chosen are settings (`desktop`); the rest stands here. */
export const desktop = {
  /** What this host can do, and whether what was chosen holds. */
  state: call<DesktopState>()(nothing),
  /**
   * The system asks for a folder. Answers its path, or nothing when the person thought better of it. Rejects with
   * `desktop/unable` where no system can be asked.
   */
  chooseFolder: call<{ readonly folder?: string }>('dialog')(nothing),
  /** For the page that a window shows whose page stopped again and again. */
  safePage: call<SafePage>()(nothing),
  /** Ends Parlor. Rejects with `desktop/unable` where its windows are pages of a browser. */
  quit: call<void>('dialog')(nothing),
}
