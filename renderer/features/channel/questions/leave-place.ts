import { asCid, type Cid } from '#shared/lib/brand.ts'
import { dialogClosed, panelClosed, routeOpened } from '../../../store/window/ui.ts'
import { selectConversationOrder } from '../../sidebar/index.ts'
import type { AppDispatch, AppState } from '../../../store/store.ts'

/** Out of a channel that is gone for the viewer: to the next conversation, else to the list of all channels. */
export const leavePlace = (cid: Cid) => (dispatch: AppDispatch, getState: () => AppState) => {
  const { route } = getState().ui
  dispatch(dialogClosed())
  if (route.view !== 'channel' || route.cid !== cid) return
  dispatch(panelClosed())
  // The row itself may go a moment later.
  const next = selectConversationOrder(getState()).find((other) => other !== cid)
  dispatch(routeOpened(next === undefined ? { view: 'browse' } : { view: 'channel', cid: asCid(next) }))
}
