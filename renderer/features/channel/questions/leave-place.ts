import { asCid, type Cid } from '#shared/lib/brand.ts'
import { dialogClosed, panelClosed, routeOpened } from '../../../store/window/ui.ts'
import { selectConversationOrder } from '../../sidebar/index.ts'
import type { AppDispatch, AppState } from '../../../store/store.ts'

/** Leaves a channel the viewer no longer has: opens the next conversation, else the list of all channels. */
export const leavePlace = (cid: Cid) => (dispatch: AppDispatch, getState: () => AppState) => {
  const { route } = getState().ui
  dispatch(dialogClosed())
  if (route.view !== 'channel' || route.cid !== cid) return
  dispatch(panelClosed())
  // The channel's own row may still be in the list.
  const next = selectConversationOrder(getState()).find((other) => other !== cid)
  dispatch(routeOpened(next === undefined ? { view: 'browse' } : { view: 'channel', cid: asCid(next) }))
}
