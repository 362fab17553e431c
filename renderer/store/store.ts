import { configureStore, type ThunkAction, createListenerMiddleware, nanoid } from '@reduxjs/toolkit'
import { combineReducers, type Reducer, type StoreEnhancer, type UnknownAction } from 'redux'
import type { EngineClient } from '#shared/bridge/index.ts'
import { accountKeyOf, selectAccounts, UNFINISHED } from './accounts.ts'
import { arrivalsReducer, noticesReducer, noticeRaised } from './window/notices.ts'
import { composersReducer, linkPreviewsReducer } from './composers/composers.ts'
import { entitiesReducer, liveLocationsReducer, windowsReducer, replicaAttached } from './entities.ts'
import { hostReducer, updatesReducer, lockReducer, selectCovered, languageReducer } from './window/host.ts'
import { WindowObjects } from './objects.ts'
import { overlaysReducer } from './window/overlays.ts'
import { leftUi, type LeftUi, uiReducer, renumbered } from './window/ui.ts'
import { recentReducer } from './window/recent.ts'
import { viewsReducer } from './window/views.ts'
import { commandFailed } from './command.ts'
import { openDestination } from './window/destination.ts'
import { selectSession } from './selectors.ts'

/** What a window remembers of an account that it showed before. */
type Left = {
  readonly ui: LeftUi
  readonly views: ReturnType<typeof viewsReducer>
  readonly recent: ReturnType<typeof recentReducer>
}

/** Navigation, chosen views and recent actions of the accounts that this window showed before, by account key. */
type LeftAccounts = Readonly<Record<string, Left>>

const parts = combineReducers({
  entities: entitiesReducer,
  windows: windowsReducer,
  liveLocations: liveLocationsReducer,
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
  recent: recentReducer,
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
  const { entities, windows, liveLocations, language, host, updates } = next
  const fresh = parts({ entities, windows, liveLocations, language, host, updates }, ACCOUNT_CHANGED)
  const leaving: Left = {
    ui: leftUi(state.ui ?? fresh.ui),
    views: state.views ?? fresh.views,
    recent: state.recent ?? fresh.recent,
  }
  const left = { ...state.left, [before]: leaving }
  const { [now]: found, ...others } = left
  const isHere = new Set(selectAccounts(next).accounts.map(({ key }) => key))
  return {
    ...fresh,
    ui: found === undefined ? renumbered(fresh.ui, state.ui) : { ...fresh.ui, ...found.ui },
    views: found?.views ?? fresh.views,
    recent: found?.recent ?? fresh.recent,
    left: Object.fromEntries(Object.entries(others).filter(([key]) => isHere.has(key))),
  }
}

/** Extra argument of thunks. */
type StoreExtra = { readonly engine: EngineClient; readonly objects: WindowObjects }

export type Thunk<Output = void> = ThunkAction<Output, AppState, StoreExtra, UnknownAction>

/** Listeners hear of changes only: an action that changes nothing would have every selector of the window run again. */
const changesOnly: StoreEnhancer = (create) => (reducer, preloaded) => {
  const store = create(reducer, preloaded)
  return {
    ...store,
    subscribe(listener) {
      let heard: unknown = store.getState()
      return store.subscribe(() => {
        const state: unknown = store.getState()
        if (state === heard) return
        heard = state
        listener()
      })
    },
  }
}

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
    enhancers: (defaults) => defaults().prepend(changesOnly),
  })
  return Object.assign(store, { objects })
}

export type AppStore = ReturnType<typeof createStore>
export type AppDispatch = AppStore['dispatch']

/** Whether the window already shows that main is unreachable, in a banner or a recent notice. */
function isShownAlready(code: string, { host, notices }: AppState): boolean {
  if (code !== 'bridge/gone') return false
  return host.banners > 0 || notices.local.some((one) => one.code === code && !(one.id in notices.dismissed))
}

/** Turns failed commands into notices, and continues navigation to another account once it is attached. */
function createListeners(objects: WindowObjects) {
  const listeners = createListenerMiddleware()
  const startListening = listeners.startListening.withTypes<AppState, AppDispatch>()
  startListening({
    actionCreator: commandFailed,
    effect: ({ payload }, api) => {
      const { code, params, detail } = payload.error
      // For calls in flight during a sign-out: the window already shows that the user is signed out.
      if (code === 'session/signed-out' && selectSession(api.getState()).state === 'signed-out') return
      if (isShownAlready(code, api.getState())) return
      api.dispatch(
        noticeRaised({
          id: `local-${nanoid()}`,
          code,
          params,
          detail,
          type: `command:${payload.type}:failed`,
          severity: 'error',
          createdAt: Date.now(),
        }),
      )
    },
  })
  // A notification of another account opens its conversation after the switch of accounts.
  startListening({
    actionCreator: replicaAttached,
    effect: (_action, api) => {
      const { leaving } = api.getOriginalState().ui
      if (leaving?.place === undefined || selectAccounts(api.getState()).shown !== leaving.key) return
      openDestination(api.dispatch, leaving.place)
    },
  })
  // Calls in flight when the window attaches again get no response.
  startListening({ actionCreator: replicaAttached, effect: () => objects.of(UNFINISHED).clear() })
  // An account that was signed out leaves nothing behind. While Parlor is locked its accounts are unknown.
  startListening({
    predicate: (_action, { entities }, before) =>
      entities.accounts !== before.entities.accounts || entities.session !== before.entities.session,
    effect: (_action, api) => {
      const state = api.getState()
      if (!selectCovered(state)) {
        objects.retain(new Set([accountKeyOf(state), ...selectAccounts(state).accounts.map(({ key }) => key)]))
      }
    },
  })
  return listeners
}
