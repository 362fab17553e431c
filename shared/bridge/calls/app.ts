import * as v from 'valibot'
import type { Diagnostics } from '#shared/domain/desktop/diagnostics.ts'
import { call } from '#shared/lib/contract.ts'
import type { ChangeSet, Notice } from '../types.ts'
import { cid, messageId, nothing, shortText, userId } from '../schemas.ts'
import { windowPlace } from '../window-place.ts'

/** Actions of the windows' registry that show a view. */
const VIEW_ACTIONS = ['threads', 'reminders', 'drafts', 'catchUp', 'mentions', 'browse'] as const

/** The window itself: attaching to the engine, other windows, leaving the app. */
export const app = {
  /**
   * First call of every window. Answers all the first screen needs (session, settings, connection, the channel list, the
   * people in it, the last channel's newest page) with the revision it stands for; pushes follow from that revision on.
   * `own` says that the window shows one channel or thread only: a notification of another one leads elsewhere.
   */
  attach: call<ChangeSet>('heavy')(v.object({ lastChannel: v.optional(cid), own: v.optional(windowPlace) })),
  /**
   * Opens a window signed in as another person of the local workspace. Where main can show no window itself (a page in a
   * browser that main did not start), it answers an address, good once and for a minute, which the page opens. Rejects
   * with `app/not-local` elsewhere.
   */
  openWindowAs: call<{ readonly url?: string }>('dialog')(v.object({ userId })),
  /**
   * Opens a window that shows one channel or thread only (`messageId`: at this message), as the person of this window; one that is open already comes to
   * the front, where main can move windows. Answers an address like `openWindowAs` where main can show none.
   */
  openPlace: call<{ readonly url?: string }>('dialog')(
    v.object({ ...windowPlace.entries, messageId: v.optional(messageId) }),
  ),
  /** Something was pressed in a window of one place that is not shown there: leads to it in a whole window. */
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
  /** Where this window stands, so that notifications and reads know what the user sees; `beside`: the other half. */
  reportFocus: call<void>()(
    v.object({
      focused: v.boolean(),
      cid: v.optional(cid),
      parentId: v.optional(messageId),
      beside: v.optional(cid),
    }),
  ),
  /** The notices of this session, newest first. */
  noticeLog: call<readonly Notice[]>()(nothing),
  /**
   * How this window's account fares: transitions, latencies, queue, failures by class. Holds nothing anyone wrote, so it
   * may be copied to others as it is (JSON). Absent while no one is signed in.
   */
  diagnostics: call<Diagnostics | undefined>()(nothing),
  /** Writes a renderer failure to the local log. Never sent anywhere. */
  logFailure: call<void>()(v.object({ where: shortText, message: shortText })),
}
