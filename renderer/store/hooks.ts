import { useCallback, useContext, useEffect, useState, createContext } from 'react'
import { useDispatch, useSelector, useStore } from 'react-redux'
import { assert } from '#shared/lib/app-error.ts'
import { isSame } from '#shared/lib/same.ts'
import type { Channel } from '#shared/domain/channel.ts'
import type { Session, Connection } from '#shared/domain/session.ts'
import type { Settings } from '#shared/domain/settings.ts'
import type { User } from '#shared/domain/user.ts'
import type { Window, WindowKey } from '#shared/domain/changes.ts'
import type { EngineClient } from '#shared/bridge/index.ts'
import { canParticipate } from '#shared/rules/channels/capabilities.ts'
import { isMotionReduced, useBreakpoint } from '../lib/page/environment.ts'
import { accountOf } from './accounts.ts'
import type { Kind } from './objects.ts'
import { createSeldom } from './seldom.ts'
import type { AppDispatch, AppState, AppStore } from './store.ts'
import { selectChannel, selectConnection, selectMe, selectSession, selectSettings, selectUser } from './selectors.ts'
import type { Bridge, HostInfo } from '#shared/bridge/transport.ts'
import type { WindowPlace } from '#shared/bridge/window-place.ts'
import type { MediaCache } from '../bridge/media.ts'

/** Objects with the lifetime of the window that are not state. */
export type AppServices = {
  readonly bridge: Bridge
  readonly engine: EngineClient
  readonly media: MediaCache
  /** The channel or thread of a window that shows only one; absent in a main window. */
  readonly own?: WindowPlace
}

export const AppServicesContext = createContext<AppServices | undefined>(undefined)

export const useAppDispatch = useDispatch.withTypes<AppDispatch>()
export const useAppSelector = useSelector.withTypes<AppState>()
export const useAppStore = useStore.withTypes<AppStore>()

const useSessionPart = createSeldom(selectSession)
const useSettingsPart = createSeldom(selectSettings)
const useConnectionPart = createSeldom(selectConnection)
const whole = <Part>(part: Part): Part => part

export function useAppServices(): AppServices {
  const services = useContext(AppServicesContext)
  assert(services !== undefined, 'components live inside the AppServices provider')
  return services
}

/** The typed engine, for hooks that open windows. User commands use `command()`, so that failures are shown. */
export const useEngine = (): EngineClient => useAppServices().engine
export const useHost = (): HostInfo => useAppServices().bridge.host

/** An object of the account on screen, or of the window. */
export function useObject<T>(kind: Kind<T>): T {
  const { objects } = useAppStore()
  useSessionPart(accountOf)
  return objects.of(kind)
}

/** An engine window by key; `undefined` until it is open. */
export const useWindow = (key: WindowKey): Window | undefined => useAppSelector((state) => state.windows.byKey[key])

/** Rises when the page attaches again and windows must be opened again. */
export const useAttachCount = (): number => useAppSelector((state) => state.windows.attachCount)

export const useChannel = (cid: string): Channel | undefined => useAppSelector((state) => selectChannel(state, cid))

/** A channel without what moves with every message, so that its rows and its composer are not rendered for each. */
export type SettledChannel = Omit<Channel, (typeof MOVING)[number]>

const MOVING = [
  'lastMessageAt',
  'unread',
  'unreadMentions',
  'lastReadAt',
  'lastReadMessageId',
  'firstUnreadId',
  'hasDraft',
  'queuedCount',
] as const satisfies readonly (keyof Channel)[]

const MOVES: ReadonlySet<string> = new Set(MOVING)

function isSettledAlike(a: SettledChannel | undefined, b: SettledChannel | undefined): boolean {
  if (a === b || a === undefined || b === undefined) return a === b
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]) as Set<keyof SettledChannel>
  for (const key of keys) if (!MOVES.has(key) && !isSame(a[key], b[key])) return false
  return true
}

export const useSettledChannel = (cid: string): SettledChannel | undefined =>
  useAppSelector((state) => selectChannel(state, cid), isSettledAlike)

/** One field of a channel. */
export const useChannelField = <Name extends keyof Channel>(cid: string, name: Name): Channel[Name] | undefined =>
  useAppSelector((state) => selectChannel(state, cid)?.[name])

export const useUser = (id: string | undefined): User | undefined => useAppSelector((state) => selectUser(state, id))
export const useMe = (): User | undefined => useAppSelector(selectMe)
export const useSession = (): Session => useSessionPart(whole)
export const useCanParticipate = (): boolean => useSessionPart(canParticipate)
export const useSettings = (): Settings => useSettingsPart(whole)

/** One setting: re-renders only when that one changes. */
export const useSetting = <Name extends keyof Settings>(name: Name): Settings[Name] =>
  useSettingsPart((settings) => settings[name])

/** Whether something that may move stands still, by the setting or by the system. What cannot move asks neither. */
export function useStill(mayMove: boolean): boolean {
  const motion = useSetting('motion')
  return mayMove && (motion === 'reduced' || isMotionReduced())
}
export const useConnection = (): Connection => useConnectionPart(whole)

/**
 * URL of an entity's media, `undefined` while unknown. `onError` requests a fresh URL once, because those of the browser
 * host expire; after that the caller falls back to text or initials.
 */
export function useMediaUrl(
  ref: string | undefined,
  variant: 'full' | 'thumb',
): { readonly url: string | undefined; readonly failed: boolean; readonly onError: () => void } {
  const { media } = useAppServices()
  const [state, setState] = useState<{ ref?: string; url?: string; tries: number }>({ tries: 0 })
  const tries = state.ref === ref ? state.tries : 0
  useEffect(() => {
    if (ref === undefined || tries > 1) return undefined
    let live = true
    media.url(ref, variant, tries > 0).then(
      (url) => live && setState({ ref, url, tries }),
      () => live && setState({ ref, tries: 2 }),
    )
    return () => {
      live = false
    }
  }, [media, ref, variant, tries])
  const onError = useCallback(() => {
    setState((now) => ({ ref, tries: now.tries + 1 }))
  }, [ref])
  const known = ref === undefined ? undefined : media.known(ref, variant)
  const url = tries > 1 ? undefined : state.ref === ref ? state.url : known
  return { url, failed: tries > 1, onError }
}

/** Whether the window has no room for the full sidebar, so that it is a rail unless it was opened by hand. */
export function useIsSqueezed(): boolean {
  const breakpoint = useBreakpoint()
  const hasPanel = useAppSelector(({ ui }) => ui.panel !== undefined)
  return breakpoint === 'small' || (breakpoint === 'medium' && hasPanel)
}

/**
 * Whether accounts have no rail of their own: in one column, and where the sidebar is a rail for want of room. They are in
 * the menu of the workspace then.
 */
export function useAccountsInMenu(): boolean {
  const isNarrow = useBreakpoint() === 'narrow'
  const isSqueezed = useIsSqueezed()
  return useAppSelector(({ ui }) => isNarrow || (isSqueezed && ui.sidebarOpenByHand !== true))
}
