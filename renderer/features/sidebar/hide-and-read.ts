import { nanoid } from '@reduxjs/toolkit'
import type { Cid } from '#shared/lib/brand.ts'
import { command } from '../../store/command.ts'
import { noticeRaised } from '../../store/window/notices.ts'
import type { Thunk } from '../../store/store.ts'
import { UNDO_MS, showChannel } from './commands.ts'
import { routeOpened } from '../../store/window/ui.ts'
import { channelTitle } from './selectors.ts'

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

const readAll = command('channels/allRead', (_input: undefined, engine) => engine.channels.markAllRead())
const readMany = command('channels/manyRead', (input: { readonly cids: readonly Cid[] }, engine) =>
  engine.channels.markManyRead({ cids: [...input.cids] }),
)
const undo = command('channels/readUndone', (input: { readonly cids?: readonly Cid[] }, engine) =>
  engine.channels.undoRead(input.cids === undefined ? {} : { cids: [...input.cids] }),
)

/** Marks everything read, or these channels, and offers to undo it. */
export function markAllRead(cids?: readonly Cid[]): Thunk<Promise<void>> {
  return async (dispatch) => {
    const marked = await dispatch(cids === undefined ? readAll(undefined) : readMany({ cids }))
    if (!marked.ok) return
    const count = marked.value
    dispatch(
      noticeRaised({
        id: `local-${nanoid()}`,
        code: count === 0 ? 'unread/nothing' : 'unread/all-read',
        params: { count },
        type: 'channels:read',
        severity: count === 0 ? 'info' : 'success',
        createdAt: Date.now(),
        ...(count === 0 ? {} : { actionId: 'undoRead' as const, durationMs: UNDO_MS }),
      }),
    )
  }
}

/** Undoes marking read: the last action, or these channels. */
export const undoRead =
  (cids?: readonly Cid[]): Thunk<Promise<boolean>> =>
  async (dispatch) =>
    (await dispatch(undo(cids === undefined ? {} : { cids }))).ok

/** Without a notice, for lists with their own Undo. */
export const markManyRead = readMany
