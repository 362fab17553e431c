import * as v from 'valibot'
import { PERSON_NAME_LENGTH } from '../../constants.ts'
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
import { call } from '../../lib/contract.ts'
import { isLongEnough, PASSPHRASE_LENGTH } from '../../domain/account-file.ts'
import { key, line, nothing } from '../schemas.ts'

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
