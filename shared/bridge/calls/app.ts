import * as v from 'valibot'
import type { Diagnostics } from '#shared/domain/desktop/diagnostics.ts'
import { call } from '#shared/lib/contract.ts'
import type { ChangeSet } from '#shared/domain/changes.ts'
import type { Notice } from '#shared/domain/notice.ts'
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
