import { useEffect } from 'react'
import { asCid } from '#shared/lib/brand.ts'
import { selectConversationOrder } from '../features/sidebar/index.ts'
import { useRetryOnInput } from '../features/connection/index.ts'
import { rememberChannels } from '../features/settings/index.ts'
import { mainWindowDestination, showInMainWindow } from '../features/windows/index.ts'
import { useRegistry } from '../registry/registry.ts'
import { useBreakpoint } from '../lib/page/environment.ts'
import { usePageInView } from '../lib/page/page-in-view.ts'
import { useAppDispatch, useAppSelector, useAttachCount, useEngine, useAppServices } from '../store/hooks.ts'
import { selectLastChannel, accountKeyOf } from '../store/accounts.ts'
import {
  selectOpenCid,
  selectOpenThread,
  selectOtherHalf,
  selectRouteCid,
  selectSession,
  selectSettings,
} from '../store/selectors.ts'
import { jumpDone, elsewhereOpened, ownPlaceSet, routeOpened } from '../store/window/ui.ts'

/** Keeps the route, the session and main's view of this window in sync. */
export function useRoutes(): void {
  useFirstChannel()
  useReportFocus()
  useRetryOnInput()
  useJumpInOtherChannel()
}

/** A window of one channel or thread stays there: navigation to anywhere else opens in a main window. */
export function useOwnPlace(): void {
  useReportFocus()
  useRetryOnInput()
  useJumpInOtherChannel()
  const dispatch = useAppDispatch()
  const { own } = useAppServices()
  // When locked or signed out, a window loses the state of its account; its place is restored afterwards.
  const isBare = useAppSelector((state) => state.ui.own === undefined && selectSession(state).state === 'signed-in')
  useEffect(() => {
    if (isBare && own !== undefined) dispatch(ownPlaceSet(own))
  }, [dispatch, isBare, own])
  const elsewhere = useAppSelector((state) => state.ui.elsewhere)
  const { routes } = useRegistry()
  const text = useAppSelector((state) => state.ui.search?.text ?? '')
  useEffect(() => {
    if (elsewhere === undefined) return
    dispatch(elsewhereOpened())
    const place = mainWindowDestination(elsewhere, text, routes[elsewhere.route.view].action)
    if (place !== undefined) void dispatch(showInMainWindow(place))
  }, [dispatch, elsewhere, text, routes])
}

/** A workspace opens at the last conversation, else at the first one; the open one is saved. */
function useFirstChannel(): void {
  const dispatch = useAppDispatch()
  const isHome = useAppSelector((state) => state.ui.route.view === 'home')
  const first = useAppSelector((state) => {
    const last = selectLastChannel(state)
    return last !== undefined && last in state.entities.channels ? last : selectConversationOrder(state)[0]
  })
  const openCid = useAppSelector(selectRouteCid)
  const narrow = useAppSelector((state) => state.ui.narrowLevel === 'list')
  useEffect(() => {
    if (isHome && first !== undefined && !(narrow && window.innerWidth < 640)) {
      dispatch(routeOpened({ view: 'channel', cid: asCid(first) }))
    }
  }, [dispatch, isHome, first, narrow])
  useEffect(() => {
    if (openCid === undefined) return
    dispatch((run, getState) => {
      const { lastChannels } = selectSettings(getState())
      void run(rememberChannels({ ...lastChannels, [accountKeyOf(getState())]: openCid }))
    })
  }, [dispatch, openCid])
}

/** Main suppresses notifications for a conversation that is on screen. */
function useReportFocus(): void {
  const engine = useEngine()
  const focused = usePageInView()
  const cid = useAppSelector(selectOpenCid)
  const thread = useAppSelector(selectOpenThread)
  const parentId = thread?.parentId
  // Where only one half fits, the other is not on screen.
  const breakpoint = useBreakpoint()
  const otherHalf = useAppSelector(selectOtherHalf)
  const beside = breakpoint === 'wide' || breakpoint === 'medium' ? otherHalf : undefined
  // After attaching again main has no report of this window.
  const attached = useAttachCount()
  useEffect(() => {
    if (attached === 0) return
    const report = {
      focused,
      ...(cid === undefined ? {} : { cid }),
      ...(parentId === undefined ? {} : { parentId }),
      ...(beside === undefined ? {} : { beside }),
    }
    engine.app.reportFocus(report).catch(() => {
      // A lost report is corrected by the next one; the connection's own state is shown elsewhere.
    })
  }, [engine, focused, cid, parentId, beside, attached])
}

/** Drops a jump to a channel that is not on screen. Otherwise the list that shows the message ends the jump. */
function useJumpInOtherChannel(): void {
  const dispatch = useAppDispatch()
  const jump = useAppSelector((state) => state.ui.jump)
  const openCid = useAppSelector(selectOpenCid)
  const otherHalf = useAppSelector(selectOtherHalf)
  const besideCid = useAppSelector((state) =>
    state.ui.panel?.kind === 'context' ? state.ui.panel.cid : selectOpenThread(state)?.cid,
  )
  useEffect(() => {
    if (jump === undefined || [openCid, otherHalf, besideCid].includes(jump.cid)) return
    dispatch(jumpDone())
  }, [dispatch, jump, openCid, otherHalf, besideCid])
}
