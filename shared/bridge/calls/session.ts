import * as v from 'valibot'
import { call } from '../../lib/contract.ts'
import { ACCOUNT_HUES, type LeftWorkspace, type LocalPerson } from '../../domain/session.ts'
import { PERSON_NAME_LENGTH, WORKSPACE_NAME_LENGTH } from '../../constants.ts'
import {
  INVITED_ROLES,
  type FoundWorkspaces,
  type JoinOffer,
  type JoinState,
  type PendingJoin,
  type SharingState,
  type SavedWorkspace,
  type WorkspaceFileLook,
} from '../../domain/sharing.ts'
import { isLongEnough, PASSPHRASE_LENGTH } from '../../domain/account-file.ts'
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

const name = v.pipe(line, v.maxLength(100))
const port = v.pipe(v.number(), v.integer(), v.minValue(1_024), v.maxValue(65_535))

/**
 * Sharing the own workspace of this window on the network. All reject with `sharing/not-own` elsewhere, with
 * `policy/sharing` where the administrator does not allow it, and with `session/local-server-stopped`. The effect
 * `sharing` says that the state has changed.
 */
const owner = {
  state: call<SharingState>()(nothing),
  /**
   * Opens the port on the addresses of this device, and creates an invitation of this name unless there is one whose link
   * can be shown. A problem is in the state.
   */
  start: call<SharingState>()(v.object({ approve: v.boolean(), port: v.optional(port), invitation: name })),
  /** Says on the network, while it is shared, that it is there, or nothing anymore. */
  announce: call<SharingState>()(v.object({ on: v.boolean() })),
  /** Closes the port, cuts every connection through it, and ends every invitation. */
  stop: call<SharingState>()(nothing),
  invite: call<SharingState>()(
    v.object({
      name,
      role: v.picklist(INVITED_ROLES),
      /** Of guests, who join these channels alone. */
      channels: v.optional(v.pipe(v.array(key), v.maxLength(100)), []),
      uses: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(1_000)),
      endsAt: v.pipe(v.number(), v.integer()),
    }),
  ),
  revoke: call<SharingState>()(v.object({ id: key })),
  /** Answers someone who waits. Rejects with `sharing/gone` if they no longer do. */
  decide: call<SharingState>()(v.object({ id: key, accept: v.boolean() })),
}

/** Joining a workspace that someone else shares. */
const newcomer = {
  /**
   * Reads a link or a code and asks its server what it leads to. Rejects with `join/unknown`, `join/mistyped`,
   * `join/link-local`, `join/unreachable`, `join/wrong`, `join/ended`, `join/used`, `join/clock`, `join/certificate`, `join/newer`,
   * `join/older`, `join/busy` and `policy/server`.
   */
  look: call<JoinOffer>('dialog')(v.object({ text: v.pipe(v.string(), v.maxLength(1_000)) })),
  /**
   * Asks to join what this window looked at last, under this name. Rejects as `look` does, with `join/nothing`, and with
   * `join/name` where nobody approves and somebody has this name.
   */
  join: call<JoinState>('dialog')(v.object({ name: v.pipe(line, v.maxLength(PERSON_NAME_LENGTH)) })),
  /**
   * Looks for workspaces that are announced on the network, for ten seconds from now on, and returns those found so far.
   * Rejects with `policy/server` and `policy/sharing`.
   */
  nearby: call<FoundWorkspaces>()(nothing),
  /**
   * Opens a found workspace that this profile has joined, at its current address. Rejects with `join/unreachable`,
   * `join/certificate`, `policy/server` and `policy/sharing`.
   */
  reopen: call<void>('dialog')(v.object({ id: key })),
  /** The request without an answer, also of an earlier run. */
  pending: call<PendingJoin | undefined>()(nothing),
  /** Asks for its answer; an acceptance signs in. Rejects with `join/unreachable` and `join/certificate`. */
  answer: call<JoinState>()(nothing),
  /** Withdraws it. */
  cancel: call<void>()(nothing),
}

export const sharing = { ...owner, ...newcomer }

const passphrase = v.pipe(v.string(), v.minLength(1), v.maxLength(PASSPHRASE_LENGTH.most))

/** Moving an own workspace to another computer in one file (docs/workspace-file.md). */
export const moving = {
  /**
   * Stops the server of the own workspace of this window, and writes all of it into a file that the user chooses. From then
   * on it counts as moved: it is put aside by `finish`, or at the next start. `saved` is absent if the user chose no file
   * or canceled; then, and when it rejects, the workspace goes on as before, and no partial file is left. The effect
   * `moving` tells how far it is. Rejects with `sharing/not-own`, `moving/busy`, and with what the disk says
   * (`data/disk-full`, `data/not-permitted`, `data/folder-gone`, `data/not-written`) or `workspace-file/unsound`, if the
   * database of the workspace is damaged.
   */
  save: call<{ readonly saved?: SavedWorkspace }>('dialog')(
    v.object({ passphrase: v.optional(v.pipe(passphrase, v.check(isLongEnough))) }),
  ),
  /** Ends what this window has begun: nothing is left of it. */
  cancel: call<void>()(nothing),
  /** Puts the saved workspace aside: everyone of it on this device is signed out, and nothing of it is deleted. */
  finish: call<void>()(nothing),
  /**
   * One chunk of a workspace file: base64 of at most `FILE_PIECE_BYTES`, in order. The first is without `id` and returns
   * it. Rejects with `moving/closed` if the file is not open anymore, and with `disk/full`.
   */
  receive: call<{ readonly id: string }>()(
    v.object({ id: v.optional(key), base64: v.pipe(v.string(), v.maxLength(720_000), v.base64()) }),
  ),
  /**
   * Says what is in a received file. Rejects with `workspace-file/sealed` if it has a passphrase and none is given, with
   * `workspace-file/passphrase`, `workspace-file/not-one`, `workspace-file/newer`, `workspace-file/damaged`,
   * `workspace-file/exists` if the workspace is on this device, and `moving/closed`.
   */
  look: call<WorkspaceFileLook>('dialog')(v.object({ id: key, passphrase: v.optional(passphrase) })),
  /**
   * Puts the workspace of a file that was looked into on this device, and signs in as its owner. `share`: on the network at
   * once, as it was where it came from. Rejects as `look` does, and with what the disk says; then nothing of it is left.
   * Resolves with false if it was canceled.
   */
  open: call<boolean>('dialog')(v.object({ id: key, share: v.boolean() })),
  /** Deletes a received file. */
  forget: call<void>()(v.object({ id: key })),
}
