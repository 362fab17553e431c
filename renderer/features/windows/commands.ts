import type { EngineClient } from '#shared/bridge/index.ts'
import type { WindowPlace } from '#shared/bridge/window-place.ts'
import { composerKey } from '#shared/domain/draft.ts'
import type { Cid, MessageId } from '#shared/lib/brand.ts'
import type { OpenTarget } from '../../lib/open-target.ts'
import { openBrowserWindow } from '../../lib/page/environment.ts'
import { command } from '../../store/command.ts'
import { focusRequested } from '../../store/composers/composers.ts'
import type { Thunk } from '../../store/store.ts'
import type { ViewAction } from '../../registry/feature.ts'
import { dialogOpened, jumpRequested, routeOpened, splitOpened, type UiState } from '../../store/window/ui.ts'

/** The same size as in Electron. */
const HEIGHT = 760
export const sizeOf = ({ parentId }: WindowPlace) => ({ width: parentId === undefined ? 640 : 560, height: HEIGHT })

type Wanted = WindowPlace & { readonly messageId?: MessageId }

/** Resolves with a URL if main cannot open a window itself: then the page does. */
const askWindow = command('windows/asked', (input: Wanted, engine) => engine.app.openPlace(input))

/** Opens a channel or thread in a new window; if the browser blocks it, a dialog offers a button. */
export function openWindow(place: Wanted): Thunk {
  return (dispatch) => {
    const open = async (): Promise<void> => {
      const opened = await dispatch(askWindow(place))
      const url = opened.ok ? opened.value.url : undefined
      if (url !== undefined && !openBrowserWindow(url, sizeOf(place))) {
        dispatch(dialogOpened({ kind: 'blocked-window', url, place }))
      }
    }
    void open()
  }
}

/** Opens a channel in the other half of this window. */
export function openBeside({ cid, messageId }: { readonly cid: Cid; readonly messageId?: MessageId }): Thunk {
  return (dispatch) => {
    dispatch(splitOpened({ cid }))
    dispatch(focusRequested({ key: composerKey(cid) }))
    if (messageId !== undefined) dispatch(jumpRequested({ cid, messageId }))
  }
}

/** Opens a channel at the target of a click. */
export function openChannel(cid: Cid, target: OpenTarget): Thunk {
  return (dispatch) => {
    if (target === 'window') dispatch(openWindow({ cid }))
    else if (target === 'beside') dispatch(openBeside({ cid }))
    else dispatch(routeOpened({ view: 'channel', cid }))
  }
}

type Lead = Parameters<EngineClient['app']['lead']>[0]

export const showInMainWindow = command('windows/led', (place: Lead, engine) => engine.app.lead(place))

/** The destination that a main window should show. `action`: opens the route; absent if none does. */
export function mainWindowDestination(
  { route, messageId, parentId }: NonNullable<UiState['elsewhere']>,
  text: string,
  action: ViewAction | undefined,
): Lead | undefined {
  if (route.view === 'channel') return { type: 'focus', cid: route.cid, messageId, parentId }
  if (route.view === 'thread') return { type: 'focus', cid: route.cid, parentId: route.parentId, messageId }
  if (route.view === 'settings') return { type: 'link', link: { route: 'settings', section: route.section } }
  if (route.view === 'search') return { type: 'link', link: { route: 'search', text } }
  return action && { type: 'command', action }
}
