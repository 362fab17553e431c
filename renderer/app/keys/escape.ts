import { asCid, type Cid } from '#shared/lib/brand.ts'
import { markChannelRead } from '../../features/sidebar/index.ts'
import { selectBusyPlace, stopAssistant } from '../../features/typing/index.ts'
import { panelClosed, viewLeft } from '../../store/window/ui.ts'
import { focusComposer } from '../regions.ts'
import type { ActionContext } from '../actions/action-context.ts'

/**
 * The last steps of Escape; handlers nearer to the focus come first and prevent the default.
 * Returns whether it did something.
 */
export function escape({ dispatch, getState }: ActionContext): boolean {
  const { ui } = getState()
  if (ui.route.view === 'settings') {
    dispatch(viewLeft())
    return true
  }
  const busy = selectBusyPlace(getState())
  if (busy !== undefined) {
    void dispatch(stopAssistant(busy))
    return true
  }
  if (ui.panel !== undefined && ui.panel.kind !== 'channel') {
    dispatch(panelClosed())
    return true
  }
  // In the other half Escape acts as in any channel, and closes the half only if it does nothing else there.
  if (ui.inSplit === true && ui.split !== undefined) {
    if (!escapeInChannel({ dispatch, getState }, ui.split)) dispatch(panelClosed())
    return true
  }
  if (ui.route.view === 'search') {
    dispatch(viewLeft())
    return true
  }
  return ui.route.view === 'channel' && escapeInChannel({ dispatch, getState }, ui.route.cid)
}

function escapeInChannel({ dispatch, getState }: Pick<ActionContext, 'dispatch' | 'getState'>, cid: Cid): boolean {
  if (focusComposer(cid)) return true
  const { entities, ui } = getState()
  if ((entities.channels[cid]?.unread ?? 0) === 0 || ui.atBottom[cid] !== true) return false
  void dispatch(markChannelRead({ cid: asCid(cid) }))
  return true
}
