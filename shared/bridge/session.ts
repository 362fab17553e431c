import * as v from 'valibot'
import { call } from '#shared/lib/contract.ts'
import type { LocalPerson } from './types.ts'
import { PERSON_NAME_LENGTH } from '#shared/constants.ts'
import { nothing, shortText, userId } from './schemas.ts'

/** Which workspace, which person. Signing in answers once the account is open; the connection follows on its own. */
export const session = {
  /** People of the local workspace, for "Open a second window as" and for the first start. Empty elsewhere. */
  localPeople: call<readonly LocalPerson[]>()(nothing),
  /** Opens the demo workspace as one of its people (the default person when none is given). */
  openDemo: call<void>()(v.object({ userId: v.optional(userId) })),
  /** Makes an own, empty local workspace with one person, who owns it. */
  createWorkspace: call<void>()(
    v.object({ name: v.pipe(shortText, v.minLength(1)), yourName: v.pipe(shortText, v.minLength(1)) }),
  ),
  /**
   * Makes a person in the local workspace, who joins every team channel that is not private. Rejects with
   * `app/not-local` for a hosted account, with `network/offline` while the local server is not running.
   */
  addPerson: call<LocalPerson>('dialog')(
    v.object({ name: v.pipe(shortText, v.trim(), v.minLength(1), v.maxLength(PERSON_NAME_LENGTH)) }),
  ),
  /** Deletes the demo team and its history from this computer. Rejects with `session/not-demo` for any other workspace. */
  deleteDemo: call<void>()(nothing),
  /**
   * Signs in to any server of the contract, with a pasted token or with an address that gives tokens out (`tokenUrl`,
   * asked again whenever one expires). Rejects with `session/invalid-url`, `session/token-empty`,
   * `session/token-mismatch` (texts of the spec), `session/token-endpoint`, `session/unreachable` or the server's own
   * refusal.
   */
  connectHosted: call<void>()(
    v.object({
      url: v.pipe(v.string(), v.maxLength(2_048)),
      apiKey: shortText,
      token: v.optional(v.pipe(v.string(), v.maxLength(4_096)), ''),
      tokenUrl: v.optional(v.pipe(v.string(), v.maxLength(2_048))),
    }),
  ),
  /** Signs out. Unsent work is kept for the next sign-in of the same person unless `wipe` is set. */
  signOut: call<void>()(v.object({ wipe: v.boolean() })),
  /** Unsent things of this account, to warn before signing out. */
  unsentCount: call<number>()(nothing),
  /** Tries to connect now instead of at the planned time. */
  reconnect: call<void>()(nothing),
}
