import { useCallback, type KeyboardEvent, type MouseEvent } from 'react'
import type { EngineClient } from '#shared/bridge/index.ts'
import type { WindowPlace } from '#shared/bridge/window-place.ts'
import { channelLink, linkWorkspace } from '#shared/rules/desktop/deep-link.ts'
import { composerKey } from '#shared/domain/draft.ts'
import type { Cid, MessageId } from '#shared/lib/brand.ts'
import { type OpenTarget, openTargetOf } from '../../lib/open-target.ts'
import { openBrowserWindow } from '../../lib/page/environment.ts'
import { command } from '../../store/command.ts'
import { focusRequested } from '../../store/composers/composers.ts'
import { perWindow } from '../../store/objects.ts'
import type { AppState, Thunk } from '../../store/store.ts'
import type { ViewAction } from '../../registry/feature.ts'
import { dialogOpened, jumpRequested, routeOpened, splitOpened, type UiState } from '../../store/window/ui.ts'
import { useHost, useAppDispatch, useAppStore, useAppServices } from '../../store/hooks.ts'
import { useTexts } from '../../i18n/index.ts'
import { selectRouteCid, selectSession } from '../../store/selectors.ts'
import type { MenuItem } from '../../ui/Menu/Menu.tsx'

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
    else dispatch(openWithMessages(cid))
  }
}

/** A channel waits no longer than this for its messages; after that it is drawn without them. */
const MESSAGES_WITHIN_MS = 15

/** Ends the wait of the channel that was to be opened last. */
const WAIT = perWindow((): { end: (isWanted: boolean) => void } => ({ end: () => undefined }))

/**
 * Opens a channel here. Main reads cached messages in a few milliseconds, and drawing a channel takes longer: drawn first
 * without them and then with them, it would take twice as long. What the server has to say is on its way meanwhile. Any
 * key ends the wait, so that nothing is typed into the channel that is being left.
 */
function openWithMessages(cid: Cid): Thunk {
  return (dispatch, getState, { engine, objects }) => {
    const wait = objects.of(WAIT)
    wait.end(false)
    const { route } = getState().ui
    const open = (): void => void dispatch(routeOpened({ view: 'channel', cid }))
    if (getState().windows.byKey[`timeline:${cid}`] !== undefined) return open()
    const end = (isWanted: boolean): void => {
      wait.end = () => undefined
      clearTimeout(timer)
      window.removeEventListener('keydown', goOn, { capture: true })
      if (isWanted && getState().ui.route === route) open()
      // Something else was opened meanwhile, or this window shows one place only.
      if (selectRouteCid(getState()) !== cid) void engine.channels.close({ cid })
    }
    const goOn = (): void => end(true)
    const timer = setTimeout(goOn, MESSAGES_WITHIN_MS)
    window.addEventListener('keydown', goOn, { capture: true })
    wait.end = end
    void engine.channels.open({ cid }).then(() => wait.end === end && goOn())
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

type Opening = {
  readonly onClick: (event: MouseEvent) => void
  readonly onMouseDown: (event: MouseEvent) => void
  readonly onMouseUp: (event: MouseEvent) => void
  readonly onAuxClick: (event: MouseEvent) => void
  readonly onKeyDown: (event: KeyboardEvent) => void
}

/**
 * Handlers for a row that opens a channel or message here or elsewhere. Electron fires no `auxclick` (it is disabled, so
 * that links cannot be opened by middle click): the button is handled instead.
 */
export function useOpening(): (open: (target: OpenTarget) => void) => Opening {
  const { os } = useHost()
  return useCallback(
    (open) => ({
      onClick: (event) => {
        // A row that is a link is opened here, not by the browser or the system.
        event.preventDefault()
        open(openTargetOf(event, os))
      },
      onAuxClick: (event) => event.preventDefault(),
      // Prevents the autoscroll of the middle button.
      onMouseDown: (event) => event.button === 1 && event.preventDefault(),
      onMouseUp: (event) => event.button === 1 && open('window'),
      onKeyDown: (event) => {
        const target = event.key === 'Enter' && event.target === event.currentTarget ? openTargetOf(event, os) : 'here'
        if (target === 'here' || event.nativeEvent.isComposing) return
        event.preventDefault()
        open(target)
      },
    }),
    [os],
  )
}

/** The address of a channel, by which other programs lead here. */
export function selectChannelLink(state: AppState, cid: Cid): string | undefined {
  const { workspace } = selectSession(state)
  return workspace && channelLink(linkWorkspace(workspace), cid)
}

/** Menu items to open a channel elsewhere, evaluated when the menu opens. */
export function useOpeningItems(cid: Cid): () => readonly MenuItem[] {
  const t = useTexts('windows')
  const store = useAppStore()
  const dispatch = useAppDispatch()
  const { bridge, own } = useAppServices()
  return () => {
    const state = store.getState()
    const isShown = selectRouteCid(state) === cid || state.ui.split === cid
    const isOwn = own !== undefined && own.cid === cid && own.parentId === undefined
    return [
      ...(own !== undefined || isShown
        ? []
        : [
            {
              id: 'beside',
              label: t('beside'),
              icon: 'panel-right',
              onSelect: () => dispatch(openBeside({ cid })),
            } as const,
          ]),
      ...(isOwn || !bridge.host.capabilities.severalWindows
        ? []
        : [
            {
              id: 'window',
              label: t('window'),
              icon: 'external-link',
              onSelect: () => dispatch(openWindow({ cid })),
            } as const,
          ]),
    ]
  }
}
