import * as v from 'valibot'
import type { Diagnostics } from '#shared/domain/diagnostics.ts'
import { call } from '#shared/lib/contract.ts'
import type { ChangeSet, Notice } from './types.ts'
import { cid, messageId, nothing, shortText, userId } from './schemas.ts'

/** The window itself: attaching to the engine, other windows, leaving the app. */
export const app = {
  /**
   * First call of every window. Answers all the first screen needs (session, settings, connection, the channel list, the
   * people in it, the last channel's newest page) with the revision it stands for; pushes follow from that revision on.
   * `alone` says that the window shows one thread only: nothing is shown in it by a notification or a link.
   */
  attach: call<ChangeSet>()(v.object({ lastChannel: v.optional(cid), alone: v.optional(v.boolean(), false) })),
  /**
   * Opens a window signed in as another person of the local workspace. Where main can show no window itself (a page in a
   * browser that main did not start), it answers an address, good once and for a minute, which the page opens. Rejects
   * with `app/not-local` elsewhere.
   */
  openWindowAs: call<{ readonly url?: string }>('dialog')(v.object({ userId })),
  /**
   * Opens a window that shows one thread only, as the person of this window. Answers an address like `openWindowAs` where
   * main can show none.
   */
  openThread: call<{ readonly url?: string }>('dialog')(v.object({ cid, parentId: messageId })),
  /** Opens an address in the system's browser. Only http, https and mailto; anything else rejects with `link/refused`. */
  openExternal: call<void>('dialog')(v.object({ url: v.pipe(v.string(), v.maxLength(2_048)) })),
  /** Where this window stands, so that notifications and reads know what the user sees. */
  reportFocus: call<void>()(v.object({ focused: v.boolean(), cid: v.optional(cid), parentId: v.optional(messageId) })),
  /** The notices of this session, newest first. */
  noticeLog: call<readonly Notice[]>()(nothing),
  /**
   * How this window's account fares: transitions, latencies, queue, failures by class. Holds nothing anybody wrote, so it
   * may be copied to others as it is (JSON). Absent while nobody is signed in.
   */
  diagnostics: call<Diagnostics | undefined>()(nothing),
  /** Writes a renderer failure to the local log. Never sent anywhere. */
  logFailure: call<void>()(v.object({ where: shortText, message: shortText })),
}
