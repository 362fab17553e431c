import * as v from 'valibot'
import { isLongEnough, PASSPHRASE_LENGTH } from '../../domain/account-file.ts'
import type { SavedWorkspace, WorkspaceFileLook } from '../../domain/moving.ts'
import { call } from '../../lib/contract.ts'
import { key, nothing } from '../schemas.ts'

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
