import type { Cid, MessageId } from '#shared/lib/brand.ts'
import type { OpenTarget } from '../../../lib/open-target.ts'
import type { AppDispatch } from '../../../store/store.ts'
import { jumpRequested, panelOpened, placeOpened } from '../../../store/window/ui.ts'
import { openBeside, openWindow } from '../../windows/index.ts'

type Place = { readonly cid: Cid; readonly messageId: MessageId; readonly parentId?: MessageId }

/** Opens the result's context in the panel, or its thread. */
const openInContext =
  ({ cid, messageId, parentId }: Place) =>
  (dispatch: AppDispatch): void => {
    if (parentId === undefined) dispatch(panelOpened({ kind: 'context', cid, messageId }))
    else openThreadAt({ cid, messageId, parentId })(dispatch)
  }

/** Opens a result by the pressed modifiers: in context here, or in its channel or thread in a window or split view. */
export const openHit =
  ({ cid, messageId, parentId }: Place, target: OpenTarget) =>
  (dispatch: AppDispatch): void => {
    if (target === 'window') dispatch(openWindow({ cid, parentId, messageId }))
    else if (target === 'here' || parentId !== undefined) dispatch(openInContext({ cid, messageId, parentId }))
    else dispatch(openBeside({ cid, messageId }))
  }

/** Opens the thread of a message and scrolls to the reply. */
export const openThreadAt =
  ({ cid, messageId, parentId }: Place) =>
  (dispatch: AppDispatch): void => {
    dispatch(panelOpened({ kind: 'thread', cid, parentId: parentId ?? messageId }))
    if (parentId !== undefined) dispatch(jumpRequested({ cid, messageId, parentId }))
  }

/** Opens the result in its conversation; going back restores the results. */
export const openInChannel =
  ({ cid, messageId, parentId }: Place) =>
  (dispatch: AppDispatch): void => {
    dispatch(placeOpened({ cid, parentId, messageId }))
  }
