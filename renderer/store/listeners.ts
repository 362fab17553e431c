import { createListenerMiddleware, nanoid } from '@reduxjs/toolkit'
import { selectAccounts } from './accounts.ts'
import { replicaAttached } from './changes.ts'
import { commandFailed } from './command.ts'
import { openDestination } from './window/destination.ts'
import { noticeRaised } from './window/notices.ts'
import { selectSession } from './selectors.ts'
import type { AppDispatch, AppState } from './store.ts'

/** Consequences on screen only: a refused command becomes a notice, and a way through another account goes on. */
export function createListeners() {
  const listeners = createListenerMiddleware()
  listeners.startListening({
    actionCreator: commandFailed,
    effect: ({ payload }, api) => {
      const { code, params, detail } = payload.error
      // Whatever was on its way when someone signed out: that they are is what the window shows.
      if (code === 'session/signed-out' && selectSession(api.getState() as AppState).state === 'signed-out') return
      api.dispatch(
        noticeRaised({
          id: `local-${nanoid()}`,
          code,
          ...(params === undefined ? {} : { params }),
          ...(detail === undefined ? {} : { detail }),
          type: `command:${payload.type}:failed`,
          severity: 'error',
          createdAt: Date.now(),
        }),
      )
    },
  })
  // Who pressed a notification of another account wanted more than the account.
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
