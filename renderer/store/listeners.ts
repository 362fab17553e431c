import { createListenerMiddleware, nanoid } from '@reduxjs/toolkit'
import { commandFailed } from './command.ts'
import { noticeRaised } from './notices.ts'

/** Consequences on screen only: a refused command becomes a notice. */
export function makeListeners() {
  const listeners = createListenerMiddleware()
  listeners.startListening({
    actionCreator: commandFailed,
    effect: ({ payload }, { dispatch }) => {
      const { code, params, detail } = payload.error
      dispatch(
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
  return listeners
}
