import { nanoid } from '@reduxjs/toolkit'
import type { Cid } from '#shared/lib/brand.ts'
import { noticeRaised } from '../../store/window/notices.ts'
import type { Thunk } from '../../store/store.ts'
import { routeOpened } from '../../store/window/ui.ts'
import { showChannel } from './commands.ts'
import { channelTitle } from './selectors.ts'
import { UNDO_MS } from './undo.ts'

type HiddenChannel = { readonly cid: Cid; readonly wasOpen: boolean; readonly cleared: boolean }
/** Shows that a channel was hidden, with Undo unless its history was cleared. */
export const notifyHidden =
  ({ cid, wasOpen, cleared }: HiddenChannel): Thunk<void> =>
  (dispatch, getState) => {
    dispatch(
      noticeRaised({
        id: `local-${nanoid()}`,
        code: 'channel/hidden',
        params: {
          name: channelTitle(getState(), cid),
          ...(cleared ? {} : { hiddenCid: cid, wasOpen: Number(wasOpen) }),
        },
        type: 'channels:hidden',
        severity: 'success',
        createdAt: Date.now(),
        durationMs: cleared ? undefined : UNDO_MS,
      }),
    )
  }

/** Shows a hidden channel again, and opens it if it was open. Unread state and section were not changed. */
export const undoHide =
  (cid: Cid, wasOpen: boolean): Thunk<Promise<void>> =>
  async (dispatch) => {
    const shown = await dispatch(showChannel({ cid }))
    if (shown.ok && wasOpen) dispatch(routeOpened({ view: 'channel', cid }))
  }
