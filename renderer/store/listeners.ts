import { createListenerMiddleware, nanoid } from '@reduxjs/toolkit'
import { selectAccounts } from './accounts.ts'
import { replicaAttached } from './changes.ts'
import { commandFailed } from './command.ts'
import { openDestination } from './window/destination.ts'
import { noticeRaised } from './window/notices.ts'
import { selectSession } from './selectors.ts'
import type { AppDispatch, AppState } from './store.ts'

/** Whether the window already shows that main is unreachable, in a banner or a recent notice. */
function isShownAlready(code: string, { host, notices }: AppState): boolean {
  if (code !== 'bridge/gone') return false
  return host.banners > 0 || notices.local.some((one) => one.code === code && !(one.id in notices.dismissed))
}

/** Turns failed commands into notices, and continues navigation to another account once it is attached. */
export function createListeners() {
  const listeners = createListenerMiddleware()
  listeners.startListening({
    actionCreator: commandFailed,
    effect: ({ payload }, api) => {
      const { code, params, detail } = payload.error
      // For calls in flight during a sign-out: the window already shows that the user is signed out.
      if (code === 'session/signed-out' && selectSession(api.getState() as AppState).state === 'signed-out') return
      if (isShownAlready(code, api.getState() as AppState)) return
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
  listeners.startListening({
    actionCreator: replicaAttached,
    effect: (_action, api) => {
      const { leaving } = (api.getOriginalState() as AppState).ui
      if (leaving?.place === undefined || selectAccounts(api.getState() as AppState).shown !== leaving.key) return
      openDestination(api.dispatch as AppDispatch, leaving.place)
    },
  })
  return listeners
}
