import { createListenerMiddleware, nanoid } from '@reduxjs/toolkit'
import { accountKeyOf, selectAccounts } from './accounts.ts'
import { replicaAttached } from './entities.ts'
import { commandFailed } from './command.ts'
import type { WindowObjects } from './objects.ts'
import { openDestination } from './window/destination.ts'
import { selectCovered } from './window/lock.ts'
import { noticeRaised } from './window/notices.ts'
import { UNFINISHED } from './unfinished.ts'
import { selectSession } from './selectors.ts'
import type { AppDispatch, AppState } from './store.ts'

/** Whether the window already shows that main is unreachable, in a banner or a recent notice. */
function isShownAlready(code: string, { host, notices }: AppState): boolean {
  if (code !== 'bridge/gone') return false
  return host.banners > 0 || notices.local.some((one) => one.code === code && !(one.id in notices.dismissed))
}

/** Turns failed commands into notices, and continues navigation to another account once it is attached. */
export function createListeners(objects: WindowObjects) {
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
