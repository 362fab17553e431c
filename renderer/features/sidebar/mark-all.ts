import { nanoid } from '@reduxjs/toolkit'
import type { Cid } from '#shared/lib/brand.ts'
import { command } from '../../store/command.ts'
import { noticeRaised } from '../../store/window/notices.ts'
import type { Thunk } from '../../store/store.ts'
import { UNDO_MS } from './undo.ts'

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
