import * as v from 'valibot'
import { call } from '../../lib/contract.ts'
import { ACCOUNT_HUES, type LeftWorkspace, type LocalPerson } from '../../domain/session.ts'
import { PERSON_NAME_LENGTH, WORKSPACE_NAME_LENGTH } from '../../constants.ts'
import { icon, key, line, nothing, picture, shortText, userId } from '../schemas.ts'

/** A token, or the URL of a token provider. */
const credential = {
  token: v.optional(v.pipe(v.string(), v.maxLength(4_096)), ''),
  tokenUrl: v.optional(v.pipe(v.string(), v.maxLength(2_048))),
}

/**
 * Workspaces and accounts. Signing in adds an account to this profile and shows it in the calling window; it resolves
 * once the account is open, and the connection follows. Other accounts stay open and connected.
 */
export const session = {
  /**
   * Shows another account in this window: the window attaches again. Input before this call belongs to the previous
   * account. Rejects with `session/no-account` if it is not in this profile.
   */
  show: call<void>()(v.object({ key })),
  /** Shows an account in its own window. Returns a URL like `app.openWindowAs` if main cannot show one. */
  openWindow: call<{ readonly url?: string }>('dialog')(v.object({ key })),
  /** The order of the account rail: all keys, or some; the others keep their order after them. */
  arrange: call<void>()(v.object({ keys: v.pipe(v.array(key), v.maxLength(200)) })),
  /**
   * Changes an account. `name` and `icon` of an own workspace are for everyone in it; those of any other account are the
   * user's, on this device, and an empty name restores the server's. `icon: null` removes it.
   */
  change: call<void>()(
    v.object({
      key,
      name: v.optional(v.pipe(shortText, v.trim(), v.maxLength(WORKSPACE_NAME_LENGTH))),
      icon: v.optional(v.nullable(icon)),
      hue: v.optional(v.picklist(ACCOUNT_HUES)),
      muted: v.optional(v.boolean()),
    }),
  ),
  /**
   * A new credential for an account of a hosted server whose old one no longer works. Rejects as `connectHosted` does,
   * and with `session/token-mismatch` for another user's token; then nothing is changed.
   */
  renew: call<void>()(v.object({ key, ...credential })),
  /**
   * Stores the API secret of the hosted server of this window's account in the key store of this computer, after a request
   * with it succeeded; without one, removes it. With it, everything on the server can be administered. No window ever
   * gets it back. Rejects with `app/not-hosted`, `session/secret-refused`, `session/unreachable`, or the server's own
   * refusal; then nothing is changed.
   */
  saveApiSecret: call<void>()(v.object({ secret: v.optional(v.pipe(shortText, v.trim(), v.minLength(1))) })),
  /** People of the local workspace, for "Open a second window as" and for the first start. Empty elsewhere. */
  localPeople: call<readonly LocalPerson[]>()(nothing),
  /** The name of the user's account on this device, for the name field of the start page; empty if it has none. */
  systemName: call<string>()(nothing),
  /**
   * Opens the demo workspace. `name`: as a person of this name, who is created unless they were there before; otherwise as
   * one of its invented people.
   */
  openDemo: call<void>()(
    v.object({
      userId: v.optional(userId),
      name: v.optional(v.pipe(line, v.maxLength(PERSON_NAME_LENGTH))),
      picture: v.optional(picture),
    }),
  ),
  /** Own workspaces on this device that have no signed-in account. */
  leftWorkspaces: call<readonly LeftWorkspace[]>()(nothing),
  /**
   * Signs in to one of them again as its last user; one that has moved to another device is taken back. Rejects with
   * `session/no-account` if it no longer exists, and with `workspace-file/exists` if it has come back to this device in a
   * file.
   */
  openLeft: call<void>()(v.object({ place: key })),
  /**
   * Permanently deletes one of them that has moved to another device from this one. People who have not followed yet are
   * told nothing anymore. Rejects with `session/no-account` for any other.
   */
  deleteLeft: call<void>()(v.object({ place: key })),
  /** Creates another own local workspace with one person, who owns it. */
  createWorkspace: call<void>()(v.object({ name: line, yourName: line, picture: v.optional(picture) })),
  /**
   * Creates a person in the local workspace, who joins every public team channel. Rejects with `app/not-local` for a
   * hosted account, with `network/offline` while the local server is not running.
   */
  addPerson: call<LocalPerson>('dialog')(v.object({ name: v.pipe(line, v.maxLength(PERSON_NAME_LENGTH)) })),
  /**
   * Deletes the demo team and its history from this device. Rejects with `session/not-demo` for any other workspace.
   */
  deleteDemo: call<void>()(nothing),
  /**
   * Deletes the demo and opens a new one as the same person, without what they wrote. Rejects with `session/not-demo` for
   * any other workspace.
   */
  restartDemo: call<void>()(nothing),
  /**
   * Permanently deletes an own workspace from this device: its messages and files, and the unsent messages of its
   * people. Rejects with `session/not-own` for any other account.
   */
  deleteWorkspace: call<void>()(v.object({ key })),
  /**
   * Signs in to any server of the contract, with a pasted token, with the URL of a token provider (`tokenUrl`,
   * requested again whenever a token expires), or with neither as a guest, who can read what the server shows to
   * everyone and cannot write. Rejects with `session/invalid-url`, `session/token-empty`, `session/token-mismatch`
   * (texts of the contract), `session/token-endpoint`, `session/unreachable`, `session/no-guests` if the server requires a
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
   * Sends one request without a token to a server that the user is about to sign in to. `ms`: from the request to its answer;
   * `knowsKey`: whether the server knows the API key. Rejects with `session/invalid-url`, `session/unreachable` if nothing or
   * something else answers, `network/certificate`.
   */
  timeServer: call<{ readonly ms: number; readonly knowsKey: boolean }>('dialog')(
    v.object({ url: v.pipe(v.string(), v.maxLength(2_048)), apiKey: v.pipe(v.string(), v.maxLength(256)) }),
  ),
  /**
   * Signs out of the account of this window, or of another one. Unsent messages are preserved for the next sign-in of
   * the same person unless `wipe` is set.
   */
  signOut: call<void>()(v.object({ wipe: v.boolean(), key: v.optional(key) })),
  /** Number of unsent items of this window's account, or of another one, for the warning before signing out. */
  unsentCount: call<number>()(v.optional(v.object({ key: v.optional(key) }))),
  /** Tries to connect now instead of at the scheduled time. */
  reconnect: call<void>()(nothing),
  /** The user is active in this window: the next connection attempt happens early. */
  reportActivity: call<void>()(nothing),
}
