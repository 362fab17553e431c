import type { Cid } from '#shared/lib/brand.ts'
import { dialogClosed, panelClosed, routeOpened } from '../../../store/ui.ts'
import type { AppDispatch, AppState } from '../../../store/store.ts'

/** Out of a channel that is gone for the viewer: to no conversation, and without its panel. */
export const leavePlace = (cid: Cid) => (dispatch: AppDispatch, getState: () => AppState) => {
  const { route } = getState().ui
  dispatch(dialogClosed())
  if (route.view !== 'channel' || route.cid !== cid) return
  dispatch(panelClosed())
  dispatch(routeOpened({ view: 'home' }))
}
