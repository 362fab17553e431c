import * as v from 'valibot'
import type { Diagnostics } from '#shared/domain/desktop/diagnostics.ts'
import { call } from '#shared/lib/contract.ts'
import type { ChangeSet } from '#shared/domain/changes.ts'
import type { Notice } from '#shared/domain/notification.ts'
import {
  type Download,
  type DesktopState,
  type SafePage,
  type Certificate,
  type ClientCertificate,
  type TrustedCertificate,
  PIN_LENGTH,
} from '../../domain/desktop/desktop.ts'
import { cid, messageId, nothing, shortText, userId, windowPlace } from '../schemas.ts'

/** Actions of the windows' registry that show a view. */
const VIEW_ACTIONS = [
  'threads',
  'reminders',
  'drafts',
  'catchUp',
  'interruptions',
  'mentions',
  'browse',
  'manage',
] as const

/** The window itself: attaching to the engine, other windows, leaving the app. */
export const app = {
  /**
   * First call of every window. Returns everything the first screen needs (session, settings, connection, the channel
   * list, the people in it, the last channel's newest page) and the revision of that snapshot; pushes follow from that
   * revision on. `own`: the window shows one channel or thread only, so a notification from another one opens in a
   * different window.
   */
  attach: call<ChangeSet>('heavy')(v.object({ lastChannel: v.optional(cid), own: v.optional(windowPlace) })),
  /**
   * Opens a window signed in as another person of the local workspace. If main cannot show a window itself (a page in a
   * browser that main did not start), returns a URL that the page opens; it can be used once within a minute. Rejects
   * with `app/not-local` for other workspaces.
   */
  openWindowAs: call<{ readonly url?: string }>('dialog')(v.object({ userId })),
  /**
   * Opens a window that shows one channel or thread only (`messageId`: scrolled to this message), as the user of this
   * window. If it is open already, it is brought to the front where main can move windows. Returns a URL like
   * `openWindowAs` if main cannot show a window.
   */
  openPlace: call<{ readonly url?: string }>('dialog')(
    v.object({ ...windowPlace.entries, messageId: v.optional(messageId) }),
  ),
  /** Opens a target that a single-place window cannot show, such as a link to another channel, in a full window. */
  lead: call<void>()(
    v.variant('type', [
      v.object({
        type: v.literal('focus'),
        cid,
        messageId: v.optional(messageId),
        parentId: v.optional(messageId),
      }),
      v.object({ type: v.literal('command'), action: v.picklist(VIEW_ACTIONS) }),
      v.object({
        type: v.literal('link'),
        link: v.variant('route', [
          v.object({ route: v.literal('settings'), section: shortText }),
          v.object({ route: v.literal('search'), text: shortText }),
        ]),
      }),
    ]),
  ),
  /** Opens an address in the system's browser. Only http, https and mailto; anything else rejects with `link/refused`. */
  openExternal: call<void>('dialog')(v.object({ url: v.pipe(v.string(), v.maxLength(2_048)) })),
  /**
   * What this window shows and whether it has focus, for notifications and read marks. `beside`: the channel in the
   * other half. `scrolledBack`: those of the channels whose newest messages are not in view.
   */
  reportFocus: call<void>()(
    v.object({
      focused: v.boolean(),
      cid: v.optional(cid),
      parentId: v.optional(messageId),
      beside: v.optional(cid),
      scrolledBack: v.optional(v.pipe(v.array(cid), v.maxLength(2))),
    }),
  ),
  /** The notices of this session, newest first. */
  noticeLog: call<readonly Notice[]>()(nothing),
  /**
   * Health of this window's account: transitions, latencies, queue, failures by class. Contains no user content, so it
   * can be shared as it is (JSON). Absent while signed out.
   */
  diagnostics: call<Diagnostics | undefined>()(nothing),
  /** The licenses of the software Parlor includes: plain text of 100 to 200 KB. Rejects with `data/file-gone`. */
  thirdPartyNotices: call<string>('heavy')(nothing),
  /** Writes a renderer failure to the local log. Never sent anywhere. */
  logFailure: call<void>()(v.object({ where: shortText, message: shortText })),
}

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

const pin = v.pipe(v.string(), v.minLength(PIN_LENGTH.least), v.maxLength(PIN_LENGTH.most))
/** A PIN as typed by the user, for verification. */
const typed = v.pipe(v.string(), v.maxLength(PIN_LENGTH.most))

/**
 * Parlor's app lock. While locked, every other call rejects with `lock/locked`. A call that verifies a PIN rejects with
 * `lock/wrong`, and with `lock/wait` while attempts are suspended after too many wrong ones.
 */
export const lock = {
  /** Sets a PIN; replacing one requires the current PIN. */
  set: call<void>('dialog')(v.object({ pin, current: v.optional(typed) })),
  /** Removes the PIN. */
  remove: call<void>('dialog')(v.object({ pin: typed })),
  /** Locks every window after unsaved input is saved. Rejects with `lock/none` if no PIN is set. */
  now: call<void>()(nothing),
  /** Restores the windows as they were. */
  unlock: call<void>('dialog')(v.object({ pin: typed })),
  /**
   * Recovery from a forgotten PIN: signs out of every account, deletes all their data on this device, including local
   * workspaces, and removes the PIN.
   */
  forget: call<void>('dialog')(nothing),
  /** User activity in a window; for hosts that cannot detect it. */
  touched: call<void>()(nothing),
}

/** The text of a PEM file. */
const file = v.object({ text: v.pipe(v.string(), v.maxLength(500_000)) })

/** Certificate authorities trusted in addition to the default ones, for every request of main. */
export const certificates = {
  list: call<readonly TrustedCertificate[]>()(nothing),
  /**
   * Parses a file before it is trusted. Rejects with `certificates/none`, `certificates/damaged`,
   * `certificates/no-authority` or `certificates/many`.
   */
  read: call<readonly Certificate[]>('dialog')(file),
  /** Takes effect now and after every start. Rejects as `read` does, and then nothing is changed. */
  trust: call<readonly TrustedCertificate[]>('dialog')(file),
  /** The client certificate for one server; absent if none is set. */
  own: call<{ readonly certificate?: ClientCertificate }>()(nothing),
  /**
   * Takes effect now and after every start, and replaces the previous certificate. `files`: PEM with certificate and
   * key, or PKCS#12. Rejects with `identity/none`, `identity/passphrase`, `identity/mismatch`, `identity/damaged` or
   * `identity/host`, and then nothing is changed. It can never be read back.
   */
  setOwn: call<ClientCertificate>('dialog')(
    v.object({
      host: v.pipe(v.string(), v.maxLength(2_048)),
      files: v.pipe(v.array(v.pipe(v.string(), v.maxLength(400_000), v.base64())), v.minLength(1), v.maxLength(2)),
      passphrase: v.pipe(v.string(), v.maxLength(1_000)),
    }),
  ),
  removeOwn: call<void>('dialog')(nothing),
  /** Removes an authority that the user added; those of a policy remain. */
  remove: call<readonly TrustedCertificate[]>('dialog')(
    v.object({ fingerprint: v.pipe(v.string(), v.regex(/^(?:[0-9A-F]{2}:){31}[0-9A-F]{2}$/)) }),
  ),
}

/** Desktop integration. User choices are settings (`desktop`); the rest is here. */
export const desktop = {
  /** What this host supports, and whether the chosen settings took effect. */
  state: call<DesktopState>()(nothing),
  /**
   * Shows the system's folder dialog. Returns the path, or nothing if the user canceled. Rejects with `desktop/unable`
   * if the host has no such dialog.
   */
  chooseFolder: call<{ readonly folder?: string }>('dialog')(nothing),
  /** Files saved since Parlor was started, newest first. Rejects with `desktop/unable` if a browser manages them. */
  downloads: call<readonly Download[]>()(nothing),
  /**
   * Acts on a download. Rejects with `desktop/download-gone` if the file was moved or deleted, with `data/file-runs` or
   * `data/file-mismatch` if it must not be opened, with `data/not-opened` or `data/not-shown`.
   */
  download: call<void>('dialog')(
    v.object({
      id: v.pipe(v.string(), v.maxLength(20)),
      what: v.picklist(['open', 'show', 'again', 'cancel']),
    }),
  ),
  /** Removes finished downloads from the list; the files are not deleted. */
  clearDownloads: call<void>()(nothing),
  /** For the page that replaces a window whose renderer crashed repeatedly. */
  safePage: call<SafePage>()(nothing),
  /** Quits Parlor. Rejects with `desktop/unable` where its windows are pages of a browser. */
  quit: call<void>('dialog')(nothing),
}
