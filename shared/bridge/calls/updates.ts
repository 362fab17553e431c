import { call } from '#shared/lib/contract.ts'
import { nothing } from '../schemas.ts'

/**
 * Newer versions of Parlor. How it stands reaches every window as the effect `updates`. Each rejects with `update/none`
 * where there are none here (`UpdateState.unable`).
 */
export const updates = {
  /**
   * Asks the feed now, whatever was chosen; what was skipped is offered again. Rejects with `update/unreachable` or
   * `update/untrusted`.
   */
  look: call<void>('dialog')(nothing),
  /** Fetches what was found, and checks it. Rejects as `look` does. */
  download: call<void>('dialog')(nothing),
  /**
   * Ends Parlor in order, installs what is ready and starts it again. Someone with files on their way is asked first, and
   * may stay. Rejects with `update/not-ready`.
   */
  install: call<void>('dialog')(nothing),
  /** Not now: told again a day later at the earliest. */
  later: call<void>()(nothing),
  /** This version is not wanted. */
  skip: call<void>()(nothing),
}
