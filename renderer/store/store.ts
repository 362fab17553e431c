import { configureStore, type ThunkAction } from '@reduxjs/toolkit'
import { combineReducers, type Reducer, type UnknownAction } from 'redux'
import type { EngineClient } from '#shared/bridge/index.ts'
import { accountKeyOf, selectAccounts } from './accounts.ts'
import { arrivalsReducer, noticesReducer } from './window/notices.ts'
import { composersReducer } from './composers/composers.ts'
import { entitiesReducer, windowsReducer } from './entities.ts'
import { hostReducer, updatesReducer } from './window/host.ts'
import { languageReducer } from './language.ts'
import { linkPreviewsReducer } from './composers/link-previews.ts'
import { lockReducer } from './window/lock.ts'
import { createListeners } from './listeners.ts'
import { WindowObjects } from './objects.ts'
import { overlaysReducer } from './window/overlays.ts'
import { renumbered } from './window/places.ts'
import { leftUi, type LeftUi, uiReducer } from './window/ui.ts'
import { viewsReducer } from './window/views.ts'

/** Navigation and chosen views of the accounts that this window showed before, by account key. */
type LeftAccounts = Readonly<Record<string, { readonly ui: LeftUi; readonly views: ReturnType<typeof viewsReducer> }>>

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
  views: viewsReducer,
  left: (left: LeftAccounts = {}) => left,
})

export type AppState = ReturnType<typeof parts>

/** Resets the slices to their initial state: no slice handles it. */
const ACCOUNT_CHANGED: UnknownAction = { type: 'store/other-account' }

/**
 * When the account of this window changes, the next one starts from its rows and from where this window left it, in the
 * same step: no frame, and no draft saved in between, mixes both. Everything else belongs to the window.
 */
const rootReducer: Reducer<AppState, UnknownAction, Partial<AppState>> = (state, action) => {
  const next = parts(state, action)
  if (state?.entities === undefined || state.entities.session === next.entities.session) return next
  const [before, now] = [accountKeyOf({ entities: state.entities }), accountKeyOf(next)]
  if (before === now) return next
  const { entities, windows, language, host, updates } = next
  const fresh = parts({ entities, windows, language, host, updates }, ACCOUNT_CHANGED)
  const left = { ...state.left, [before]: { ui: leftUi(state.ui ?? fresh.ui), views: state.views ?? fresh.views } }
  const { [now]: found, ...others } = left
  const isHere = new Set(selectAccounts(next).accounts.map(({ key }) => key))
  return {
    ...fresh,
    ui: found === undefined ? renumbered(fresh.ui, state.ui) : { ...fresh.ui, ...found.ui },
    views: found?.views ?? fresh.views,
    left: Object.fromEntries(Object.entries(others).filter(([key]) => isHere.has(key))),
  }
}

/** Extra argument of thunks. */
type StoreExtra = { readonly engine: EngineClient; readonly objects: WindowObjects }

export type Thunk<Output = void> = ThunkAction<Output, AppState, StoreExtra, UnknownAction>

/** One store per window. The checks of Redux Toolkit walk every row on every dispatch, so they are off. */
export function createStore(engine: EngineClient) {
  const objects = new WindowObjects(engine, () => accountKeyOf(store.getState()))
  const extra: StoreExtra = { engine, objects }
  const store = configureStore({
    reducer: rootReducer,
    middleware: (defaults) =>
      defaults({ thunk: { extraArgument: extra }, immutableCheck: false, serializableCheck: false }).concat(
        createListeners(objects).middleware,
      ),
  })
  return Object.assign(store, { objects })
}

export type AppStore = ReturnType<typeof createStore>
export type AppDispatch = AppStore['dispatch']
