import { createContext } from 'react'
import type { Bridge } from '#shared/bridge/transport.ts'
import type { EngineClient } from '#shared/bridge/index.ts'
import type { WindowPlace } from '#shared/bridge/window-place.ts'
import type { MediaCache } from '../bridge/media.ts'

/** What lives as long as the window and is not state. */
export type Surroundings = {
  readonly bridge: Bridge
  readonly engine: EngineClient
  readonly media: MediaCache
  /** The one channel or thread this window shows; absent in a whole window. */
  readonly own?: WindowPlace | undefined
}

export const SurroundingsContext = createContext<Surroundings | undefined>(undefined)
