import { combineReducers, configureStore, type Reducer, type UnknownAction } from '@reduxjs/toolkit'
import type { EngineClient } from '#shared/bridge/index.ts'
import { whoOf } from './accounts.ts'
import { arrivalsReducer } from './window/arrivals.ts'
import { composersReducer } from './composers/composers.ts'
import { entitiesReducer } from './entities.ts'
import { hostReducer } from './window/host.ts'
import { languageReducer } from './language.ts'
import { linkPreviewsReducer } from './composers/link-previews.ts'
import { lockReducer } from './window/lock.ts'
import { noticesReducer } from './window/notices.ts'
import { createListeners } from './listeners.ts'
import { overlaysReducer } from './window/overlays.ts'
import { updatesReducer } from './window/updates.ts'
import { uiReducer } from './window/ui.ts'
import { windowsReducer } from './window/windows.ts'

const parts = combineReducers({
  entities: entitiesReducer,
  windows: windowsReducer,
  ui: uiReducer,
  notices: noticesReducer,
  composers: composersReducer,
  overlays: overlaysReducer,
  arrivals: arrivalsReducer,
  language: languageReducer,
  linkPreviews: linkPreviewsReducer,
  lock: lockReducer,
  host: hostReducer,
  updates: updatesReducer,
})

export type AppState = ReturnType<typeof parts>

/** Nothing but a reason to begin again: no slice listens to it. */
const NOBODY_BEFORE: UnknownAction = { type: 'store/other-account' }

/**
 * Another account in this window: all that was made for the one before goes in the same step in which the rows of the new
 * one come, so that no frame, and no draft that is saved in between, holds something of both. The language is the window's.
 */
const rootReducer: Reducer<AppState, UnknownAction, Partial<AppState>> = (state, action) => {
  const next = parts(state, action)
  if (state?.entities === undefined || state.entities.session === next.entities.session) return next
  if (whoOf({ entities: state.entities }) === whoOf(next)) return next
  return parts({ entities: next.entities, windows: next.windows, language: next.language }, NOBODY_BEFORE)
}

/** What commands get beside dispatch and state. */
export type StoreExtra = { readonly engine: EngineClient }

/** One store per window. The checks of Redux Toolkit walk every row on every dispatch, so they are off. */
export function createStore(engine: EngineClient) {
  const extra: StoreExtra = { engine }
  return configureStore({
    reducer: rootReducer,
    middleware: (defaults) =>
      defaults({ thunk: { extraArgument: extra }, immutableCheck: false, serializableCheck: false }).concat(
        createListeners().middleware,
      ),
  })
}

export type AppStore = ReturnType<typeof createStore>
export type AppDispatch = AppStore['dispatch']
