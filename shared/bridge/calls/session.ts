import * as v from 'valibot'
import { call } from '#shared/lib/contract.ts'
import { ACCOUNT_HUES } from '#shared/domain/account-list.ts'
import type { LeftWorkspace, LocalPerson } from '../types.ts'
import { PERSON_NAME_LENGTH, WORKSPACE_NAME_LENGTH } from '#shared/constants.ts'
import { key, line, nothing, shortText, userId } from '../schemas.ts'

/** A token as it was given, or the address of anyone who gives tokens out. */
const credential = {
  token: v.optional(v.pipe(v.string(), v.maxLength(4_096)), ''),
  tokenUrl: v.optional(v.pipe(v.string(), v.maxLength(2_048))),
}

/**
 * Which workspace, which person. Signing in adds an account to this profile and shows it in the window that asked; it
 * answers once the account is open, the connection follows on its own. The others stay open and connected.
 */
export const session = {
  /**
   * Shows another account in this window: the window attaches again. What was written before this call belongs to the
   * account it leaves. Rejects with `session/no-account` when it is not one of this profile.
   */
  show: call<void>()(v.object({ key })),
  /** Shows an account in a window of its own. Answers an address like `app.openWindowAs` where main can show none. */
  openWindow: call<{ readonly url?: string }>('dialog')(v.object({ key })),
  /** The order of the rail: all keys, or some; those left out keep their places behind. */
  arrange: call<void>()(v.object({ keys: v.pipe(v.array(key), v.maxLength(200)) })),
  /** What the person made of an account; an empty name is the workspace's own again. */
  change: call<void>()(
    v.object({
      key,
      name: v.optional(v.pipe(shortText, v.trim(), v.maxLength(WORKSPACE_NAME_LENGTH))),
      hue: v.optional(v.picklist(ACCOUNT_HUES)),
      muted: v.optional(v.boolean()),
    }),
  ),
  /**
   * A new credential for an account of a hosted server, whose old one is no good any more. Rejects as `connectHosted` does,
   * and with `session/token-mismatch` for someone else's token; then nothing is changed.
   */
  renew: call<void>()(v.object({ key, ...credential })),
  /** People of the local workspace, for "Open a second window as" and for the first start. Empty elsewhere. */
  localPeople: call<readonly LocalPerson[]>()(nothing),
  /** Opens the demo workspace as one of its people (the default person when none is given). */
  openDemo: call<void>()(v.object({ userId: v.optional(userId) })),
  /** Own workspaces of this computer that no one is signed in to. */
  leftWorkspaces: call<readonly LeftWorkspace[]>()(nothing),
  /** Back into one of them, as who was there last. Rejects with `session/no-account` when it is not there any more. */
  openLeft: call<void>()(v.object({ place: key })),
  /** Makes another own, empty local workspace with one person, who owns it. */
  createWorkspace: call<void>()(v.object({ name: line, yourName: line })),
  /**
   * Makes a person in the local workspace, who joins every team channel that is not private. Rejects with
   * `app/not-local` for a hosted account, with `network/offline` while the local server is not running.
   */
  addPerson: call<LocalPerson>('dialog')(v.object({ name: v.pipe(line, v.maxLength(PERSON_NAME_LENGTH)) })),
  /** Deletes the demo team and its history from this computer. Rejects with `session/not-demo` for any other workspace. */
  deleteDemo: call<void>()(nothing),
  /**
   * Deletes an own workspace of this computer for good: its messages and files, and what its people have not sent.
   * Rejects with `session/not-own` for any other account.
   */
  deleteWorkspace: call<void>()(v.object({ key })),
  /**
   * Signs in to any server of the contract, with a pasted token or with an address that gives tokens out (`tokenUrl`,
   * asked again whenever one expires), or as a guest, with neither: who then reads what the server shows to everyone, and
   * writes nothing. Rejects with `session/invalid-url`, `session/token-empty`, `session/token-mismatch` (texts of the
   * spec), `session/token-endpoint`, `session/unreachable`, `session/no-guests` where the server lets in no one without a
   * token, or the server's own refusal.
   */
  connectHosted: call<void>()(
    v.object({
      url: v.pipe(v.string(), v.maxLength(2_048)),
      apiKey: shortText,
      guest: v.optional(v.boolean(), false),
      ...credential,
    }),
  ),
  /**
   * Signs out of the account of this window, or of another one. Unsent work is kept for the next sign-in of the same
   * person unless `wipe` is set.
   */
  signOut: call<void>()(v.object({ wipe: v.boolean(), key: v.optional(key) })),
  /** Unsent things of this window's account, or of another one, to warn before signing out. */
  unsentCount: call<number>()(v.optional(v.object({ key: v.optional(key) }))),
  /** Tries to connect now instead of at the planned time. */
  reconnect: call<void>()(nothing),
  /** Someone is in front of this window: the next try need not wait until the planned time. */
  attend: call<void>()(nothing),
}
