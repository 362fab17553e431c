import { useState } from 'react'
import type { ErrorBody, Result } from '#shared/lib/app-error.ts'
import { asCid, type Cid } from '#shared/lib/brand.ts'
import { useRemark } from '../../../i18n/index.ts'
import { useAppDispatch } from '../../../store/hooks.ts'
import { dialogClosed, panelClosed, routeOpened } from '../../../store/window/ui.ts'
import type { AppDispatch, AppState } from '../../../store/store.ts'
import { selectConversationOrder } from '../../sidebar/index.ts'

/** State of a dialog with one action: working while it runs, with the error when it fails. */
export function useQuestion<Own = never>(
  textOf?: (own: Own) => string,
): {
  readonly working: boolean
  readonly error: string | undefined
  /** Shows a validation error found before the request. */
  readonly show: (own: Own) => void
  readonly clear: () => void
  readonly close: () => void
  /** Waits for the action; true if it succeeded. */
  readonly run: (action: Promise<Result<unknown, ErrorBody>>) => Promise<boolean>
} {
  const dispatch = useAppDispatch()
  const [working, setWorking] = useState(false)
  const { text: error, show, refuse, clear } = useRemark(textOf)
  return {
    working,
    error,
    show,
    clear,
    close: () => void dispatch(dialogClosed()),
    run: async (action) => {
      setWorking(true)
      clear()
      const done = await action
      setWorking(false)
      if (!done.ok) refuse(done.error)
      return done.ok
    },
  }
}

/** Leaves a channel the viewer no longer has: opens the next conversation, else the list of all channels. */
export const leavePlace = (cid: Cid) => (dispatch: AppDispatch, getState: () => AppState) => {
  const { route } = getState().ui
  dispatch(dialogClosed())
  if (route.view !== 'channel' || route.cid !== cid) return
  dispatch(panelClosed())
  // The channel's own row may still be in the list.
  const next = selectConversationOrder(getState()).find((other) => other !== cid)
  dispatch(routeOpened(next === undefined ? { view: 'browse' } : { view: 'channel', cid: asCid(next) }))
}
