import { useEffect, useRef } from 'react'
import { asCid } from '#shared/lib/brand.ts'
import { selectConversationOrder } from '../features/channels/index.ts'
import { updateSettings } from '../features/settings/index.ts'
import { usePageInView } from '../lib/page-in-view.ts'
import { useAppDispatch, useAppSelector, useEngine, useSession } from '../store/hooks.ts'
import { selectOpenCid, selectOpenThread } from '../store/selectors.ts'
import { jumpDone, routeOpened, sessionLeft } from '../store/ui.ts'

/** Keeps the route, the session and what main knows about this window in step. */
export function useRoutes(): void {
  // In this order: a new workspace may arrive with its channels at once, and leaving the old one must not undo the first step in.
  useSessionChange()
  useFirstChannel()
  useReportFocus()
  useJumpInOtherChannel()
}

/** A window of one thread goes nowhere; it only says what is read in it. */
export function useThreadAlone(): void {
  useReportFocus()
}

/** A workspace opens at the first conversation; the one open is remembered for the next start. */
function useFirstChannel(): void {
  const dispatch = useAppDispatch()
  const isHome = useAppSelector((state) => state.ui.route.view === 'home')
  const first = useAppSelector((state) => selectConversationOrder(state)[0])
  const openCid = useAppSelector(selectOpenCid)
  const narrow = useAppSelector((state) => state.ui.narrowLevel === 'list')
  useEffect(() => {
    if (isHome && first !== undefined && !(narrow && window.innerWidth < 640)) {
      dispatch(routeOpened({ view: 'channel', cid: asCid(first) }))
    }
  }, [dispatch, isHome, first, narrow])
  useEffect(() => {
    if (openCid !== undefined) void dispatch(updateSettings({ lastChannel: openCid }))
  }, [dispatch, openCid])
}

/** Another person or workspace in this window: panels, history and dialogs of the old one go. */
function useSessionChange(): void {
  const dispatch = useAppDispatch()
  const { state, userId, workspace } = useSession()
  // A local workspace changes its address whenever its server starts, and stays the same place.
  const where = workspace?.kind === 'local' ? `${workspace.name} ${workspace.demo}` : workspace?.url
  const who = `${state} ${userId ?? ''} ${where ?? ''}`
  const before = useRef(who)
  useEffect(() => {
    if (before.current === who) return
    before.current = who
    dispatch(sessionLeft())
  }, [dispatch, who])
}

/** Main holds notifications back for what is already being looked at. */
function useReportFocus(): void {
  const engine = useEngine()
  const focused = usePageInView()
  const openCid = useAppSelector(selectOpenCid)
  const thread = useAppSelector(selectOpenThread)
  const cid = openCid ?? thread?.cid
  const parentId = thread?.parentId
  useEffect(() => {
    const report = { focused, ...(cid === undefined ? {} : { cid }), ...(parentId === undefined ? {} : { parentId }) }
    engine.app.reportFocus(report).catch(() => {
      // A lost report is corrected by the next one; the connection's own state is shown elsewhere.
    })
  }, [engine, focused, cid, parentId])
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
