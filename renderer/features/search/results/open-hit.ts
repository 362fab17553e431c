import type { Cid, MessageId } from '#shared/lib/brand.ts'
import type { OpenTarget } from '../../../lib/open-target.ts'
import type { AppDispatch } from '../../../store/store.ts'
import { jumpRequested, panelOpened, placeOpened } from '../../../store/window/ui.ts'
import { openBeside, openWindow } from '../../windows/index.ts'

type Place = { readonly cid: Cid; readonly messageId: MessageId; readonly parentId?: MessageId }

/** Beside the results: the message among its neighbours, or in its thread. */
const openInContext =
  ({ cid, messageId, parentId }: Place) =>
  (dispatch: AppDispatch): void => {
    if (parentId === undefined) dispatch(panelOpened({ kind: 'context', cid, messageId }))
    else openThreadAt({ cid, messageId, parentId })(dispatch)
  }

/** The way it was pressed: among its neighbours here, or in its channel or thread in a window or in the other half. */
export const openHit =
  ({ cid, messageId, parentId }: Place, target: OpenTarget) =>
  (dispatch: AppDispatch): void => {
    if (target === 'window') dispatch(openWindow({ cid, parentId, messageId }))
    else if (target === 'here' || parentId !== undefined)
      dispatch(openInContext({ cid, messageId, ...(parentId === undefined ? {} : { parentId }) }))
    else dispatch(openBeside({ cid, messageId }))
  }

/** The thread of a message; a reply is brought into view in it. */
export const openThreadAt =
  ({ cid, messageId, parentId }: Place) =>
  (dispatch: AppDispatch): void => {
    dispatch(panelOpened({ kind: 'thread', cid, parentId: parentId ?? messageId }))
    if (parentId !== undefined) dispatch(jumpRequested({ cid, messageId, parentId }))
  }

/** Leaves the results for the conversation itself; going back finds them as they were. */
export const openInChannel =
  ({ cid, messageId, parentId }: Place) =>
  (dispatch: AppDispatch): void => {
    dispatch(placeOpened({ cid, parentId, messageId }))
  }
