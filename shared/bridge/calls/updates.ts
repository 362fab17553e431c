import { call } from '#shared/lib/contract.ts'
import { nothing } from '../schemas.ts'

/**
 * Updates of Parlor. The state reaches every window as the effect `updates`. Each call rejects with `update/none` where
 * updates are not supported (`UpdateState.unable`).
 */
export const updates = {
  /**
   * Checks the feed now, whatever the update setting; a skipped version is offered again. Rejects with
   * `update/unreachable` or `update/untrusted`.
   */
  check: call<void>('dialog')(nothing),
  /**
   * Downloads and verifies the found version. Rejects with `update/not-downloaded`, `update/no-space` or
   * `update/untrusted`.
   */
  download: call<void>('dialog')(nothing),
  /**
   * Quits Parlor in order, installs the downloaded version and starts it. A user with uploads in progress is asked
   * first and can cancel. Rejects with `update/not-ready`, and with `update/gone` if the downloaded file was deleted or
   * changed.
   */
  install: call<void>('dialog')(nothing),
  /** Postpones: shown again a day later at the earliest. */
  later: call<void>()(nothing),
  /** Skips this version. */
  skip: call<void>()(nothing),
}
