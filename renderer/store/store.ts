import { combineReducers, configureStore } from '@reduxjs/toolkit'
import type { EngineClient } from '#shared/bridge/index.ts'
import { arrivalsReducer } from './arrivals.ts'
import { composersReducer } from './composers.ts'
import { entitiesReducer } from './entities.ts'
import { linkPreviewsReducer } from './link-previews.ts'
import { noticesReducer } from './notices.ts'
import { makeListeners } from './listeners.ts'
import { overlaysReducer } from './overlays.ts'
import { uiReducer } from './ui.ts'
import { windowsReducer } from './windows.ts'

const rootReducer = combineReducers({
  entities: entitiesReducer,
  windows: windowsReducer,
  ui: uiReducer,
  notices: noticesReducer,
  composers: composersReducer,
  overlays: overlaysReducer,
  arrivals: arrivalsReducer,
  linkPreviews: linkPreviewsReducer,
})

export type AppState = ReturnType<typeof rootReducer>

/** What commands get beside dispatch and state. */
export type StoreExtra = { readonly engine: EngineClient }

/** One store per window. The checks of Redux Toolkit walk every row on every dispatch, so they are off. */
export function createStore(engine: EngineClient) {
  const extra: StoreExtra = { engine }
  return configureStore({
    reducer: rootReducer,
    middleware: (defaults) =>
      defaults({ thunk: { extraArgument: extra }, immutableCheck: false, serializableCheck: false }).concat(
        makeListeners().middleware,
      ),
  })
}

export type AppStore = ReturnType<typeof createStore>
export type AppDispatch = AppStore['dispatch']
