import { combineReducers, configureStore, type Reducer, type UnknownAction } from '@reduxjs/toolkit'
import type { EngineClient } from '#shared/bridge/index.ts'
import { accountKeyOf } from './accounts.ts'
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
import { renumbered } from './window/places.ts'
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

/** Resets the slices to their initial state: no slice handles it. */
const ACCOUNT_CHANGED: UnknownAction = { type: 'store/other-account' }

/**
 * When the account of this window changes, all state of the previous account is dropped in the same step in which the rows
 * of the new one arrive, so that no frame, and no draft saved in between, mixes both. The language belongs to the window.
 */
const rootReducer: Reducer<AppState, UnknownAction, Partial<AppState>> = (state, action) => {
  const next = parts(state, action)
  if (state?.entities === undefined || state.entities.session === next.entities.session) return next
  if (accountKeyOf({ entities: state.entities }) === accountKeyOf(next)) return next
  const fresh = parts({ entities: next.entities, windows: next.windows, language: next.language }, ACCOUNT_CHANGED)
  return { ...fresh, ui: renumbered(fresh.ui, state.ui) }
}

/** Extra argument of thunks. */
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
