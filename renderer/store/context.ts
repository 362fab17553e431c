import { createContext } from 'react'
import type { Bridge } from '#shared/bridge/transport.ts'
import type { EngineClient } from '#shared/bridge/index.ts'
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
