import { useEffect } from 'react'
import { asCid } from '#shared/lib/brand.ts'
import { selectConversationOrder } from '../features/channels/index.ts'
import { updateSettings } from '../features/settings/index.ts'
import { usePageInView } from '../lib/page-in-view.ts'
import { useAppDispatch, useAppSelector, useAttachCount, useEngine } from '../store/hooks.ts'
import { selectLastChannel, whoOf } from '../store/accounts.ts'
import { selectOpenCid, selectOpenThread, selectSettings } from '../store/selectors.ts'
import { jumpDone, routeOpened } from '../store/ui.ts'

/** Keeps the route, the session and what main knows about this window in step. */
export function useRoutes(): void {
  useFirstChannel()
  useReportFocus()
  useJumpInOtherChannel()
}

/** A window of one thread goes nowhere; it only says what is read in it. */
export function useThreadAlone(): void {
  useReportFocus()
}

/** A workspace opens where it was left, else at the first conversation; the one open is remembered. */
function useFirstChannel(): void {
  const dispatch = useAppDispatch()
  const isHome = useAppSelector((state) => state.ui.route.view === 'home')
  const first = useAppSelector((state) => {
    const last = selectLastChannel(state)
    return last !== undefined && last in state.entities.channels ? last : selectConversationOrder(state)[0]
  })
  const openCid = useAppSelector(selectOpenCid)
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
      void run(updateSettings({ lastChannels: { ...lastChannels, [whoOf(getState())]: openCid } }))
    })
  }, [dispatch, openCid])
}

/** Main holds notifications back for what is already being looked at. */
function useReportFocus(): void {
  const engine = useEngine()
  const focused = usePageInView()
  const openCid = useAppSelector(selectOpenCid)
  const thread = useAppSelector(selectOpenThread)
  const cid = openCid ?? thread?.cid
  const parentId = thread?.parentId
  // Whoever the window attaches to anew has heard nothing.
  const attached = useAttachCount()
  useEffect(() => {
    if (attached === 0) return
    const report = { focused, ...(cid === undefined ? {} : { cid }), ...(parentId === undefined ? {} : { parentId }) }
    engine.app.reportFocus(report).catch(() => {
      // A lost report is corrected by the next one; the connection's own state is shown elsewhere.
    })
  }, [engine, focused, cid, parentId, attached])
}

/** A jump names its channel: nobody shows it elsewhere, but a panel may. The list that shows it ends the jump. */
function useJumpInOtherChannel(): void {
  const dispatch = useAppDispatch()
  const jump = useAppSelector((state) => state.ui.jump)
  const openCid = useAppSelector(selectOpenCid)
  const besideCid = useAppSelector((state) =>
    state.ui.panel?.kind === 'context' ? state.ui.panel.cid : selectOpenThread(state)?.cid,
  )
  useEffect(() => {
    if (jump === undefined || jump.cid === openCid || jump.cid === besideCid) return
    dispatch(jumpDone())
  }, [dispatch, jump, openCid, besideCid])
}
