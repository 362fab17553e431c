import { type ComponentType, memo, type ReactNode, useEffect, useState } from 'react'
import { asCid } from '#shared/lib/brand.ts'
import { AccountRail, AccountSwitch } from '../features/accounts/index.ts'
import { LockPage, useActivityReport } from '../features/lock/index.ts'
import { KnockToasts, Onboarding } from '../features/session/index.ts'
import { ArrivalToasts } from '../features/notifications/index.ts'
import { NoticeRegion } from '../features/notices/index.ts'
import { FailedSends } from '../features/outbox/index.ts'
import { ReminderToasts } from '../features/reminders/index.ts'
import { UpdateNotice } from '../features/updates/index.ts'
import { accountKeyOf, selectForYouElsewhere, selectLastChannel } from '../store/accounts.ts'
import {
  useAppSelector,
  useHost,
  useSession,
  useSettings,
  useAppServices,
  useAppDispatch,
  useConnection,
  useSetting,
  useAttachCount,
  useEngine,
} from '../store/hooks.ts'
import { selectCovered, selectLock } from '../store/window/host.ts'
import { TopMost } from '../ui/Modal/Modal.tsx'
import { Announcer } from '../ui/Toast/Toast.tsx'
import { ForwardHost } from '../features/messages/index.ts'
import { ViewerHost } from '../features/viewer/index.ts'
import { UntilLoaded, useRetryOnInput } from '../features/connection/index.ts'
import { useRegistry } from '../registry/feature.ts'
import type { Dialog, Dialogs } from '../store/window/kinds.ts'
import { dialogClosed, jumpDone, elsewhereOpened, ownPlaceSet, routeOpened } from '../store/window/ui.ts'
import { channelTitle, selectForYouTotal, selectConversationOrder } from '../features/sidebar/index.ts'
import { useThreadTitle } from '../features/threads/index.ts'
import {
  selectRouteCid,
  selectOpenCid,
  selectOpenThread,
  selectOtherHalf,
  selectSession,
  selectSettings,
} from '../store/selectors.ts'
import { rememberChannels } from '../features/settings/index.ts'
import { mainWindowDestination, showInMainWindow } from '../features/windows/index.ts'
import { useBreakpoint, usePageInView } from '../lib/page/environment.ts'
import { useFocusKeeper } from '../lib/page/focus.ts'
import { whenIdle } from '../lib/page/idle.ts'
import { useKeyboard } from './keys/keyboard.ts'
import { Frame, OwnFrame } from './layout/Frame.tsx'
import { TitleStrip } from './layout/TitleStrip.tsx'
import { Region } from './Region.tsx'
import { ShortcutKeys } from './keys/shortcuts.tsx'
import { useLook } from './theme.ts'
import styles from './layout/Frame.module.css'

/** Renders nothing: a separate component, so that changes of the title do not render the rest again. */
function Surface() {
  useWindowTitle()
  useActivityReport()
  useFocusKeeper()
  return null
}

/** Renders nothing; asks for the system's theme, which takes its time, only when the settings change. */
const Look = memo(function Look() {
  useLook(useSettings(), useHost())
  return null
})

/** The whole window, or the lock page alone. */
export function App() {
  return useAppSelector(selectCovered) ? <Covered /> : <Uncovered />
}

function Covered() {
  const { locked } = useAppSelector(selectLock)
  return (
    <ShortcutKeys>
      <Look />
      <Surface />
      <div className={styles['window']}>
        <div className={styles['account']}>
          <div className={styles['start']}>
            <TitleStrip signedIn={false} compact />
            <Region where="start">{locked ? <LockPage /> : null}</Region>
          </div>
        </div>
      </div>
      <Announcer />
    </ShortcutKeys>
  )
}

function Uncovered() {
  const { state } = useSession()
  const { own } = useAppServices()
  return (
    <ShortcutKeys>
      <Look />
      <Surface />
      {own === undefined ? <Routes /> : <OwnRoutes />}
      <FailedSends />
      <div className={styles['window']}>
        <AccountRail />
        <div className={styles['account']}>{own === undefined ? <Account /> : <Own />}</div>
      </div>
      <DialogHost />
      <Overlays />
      <TopMost>
        <NoticeRegion>
          <NewVersion />
          {state === 'signed-in' && own === undefined ? (
            <OnceIdle>
              <ArrivalToasts />
              <KnockToasts />
              <ReminderToasts />
            </OnceIdle>
          ) : null}
        </NoticeRegion>
        <Announcer />
      </TopMost>
    </ShortcutKeys>
  )
}

/** What a first screen does not show: its code is loaded, and what it shows is asked for, after the first frame. */
function OnceIdle({ children }: { readonly children: ReactNode }) {
  const [wasIdle, setWasIdle] = useState(false)
  useEffect(() => whenIdle(() => setWasIdle(true)), [])
  return wasIdle ? children : null
}

/** The notice's code is loaded only when there is an update to announce. */
function NewVersion() {
  const announced = useAppSelector(({ updates }) => updates.announced)
  return announced ? <UpdateNotice /> : null
}

function Routes() {
  useKeyboard()
  useRoutes()
  return null
}

function OwnRoutes() {
  useKeyboard()
  useOwnPlace()
  return null
}

/** The current account, the transition to another one, or the start screen. */
function Account() {
  const { state } = useSession()
  const who = useAppSelector(accountKeyOf)
  const leaving = useAppSelector(({ ui }) => ui.leaving)
  const adding = useAppSelector(({ ui }) => ui.adding !== undefined)
  if (leaving !== undefined) return <AccountSwitch to={leaving.key} />
  if (state !== 'signed-in' || adding) return <StartScreen />
  // The key resets all component state when the account changes.
  return <Frame key={who} />
}

function Own() {
  const { state } = useSession()
  return state === 'signed-in' ? <OwnFrame /> : <StartScreen />
}

function StartScreen() {
  return (
    <div className={styles['start']}>
      <TitleStrip signedIn={false} compact />
      <Region where="start">
        <Onboarding />
      </Region>
    </div>
  )
}

/** Overlays other than dialogs: the forward picker and the media viewer. */
function Overlays() {
  return (
    <Region where="dialog">
      <ForwardHost />
      <ViewerHost />
    </Region>
  )
}

/** The open dialog, at most one. */
export function DialogHost() {
  const dialog = useAppSelector((state) => state.ui.dialog)
  const dispatch = useAppDispatch()
  if (dialog === undefined) return null
  const close = (): void => void dispatch(dialogClosed())
  return (
    <Region where="dialog" resetKey={dialog.kind}>
      <UntilLoaded onClose={close}>
        <DialogContent dialog={dialog} />
      </UntilLoaded>
    </Region>
  )
}

function DialogContent({ dialog: { kind, ...props } }: { readonly dialog: Dialog }) {
  const Content = useRegistry().dialogs[kind] as ComponentType<Dialogs[keyof Dialogs]>
  return <Content {...props} />
}

/** For the title and the icon: the number of unread messages for the viewer, and whether a sign-in is needed. */
type Attention = { readonly count: number; readonly needsSignIn: boolean }

/** Sets the title, "(2) release-4-2, Cairn Maps, Parlor", with "!" for the number while a sign-in is needed; the badge shows the same. */
function useWindowTitle(): void {
  const { workspace, state } = useSession()
  const attention = useAttention()
  const channel = useAppSelector((current) => channelTitle(current, selectRouteCid(current) ?? ''))
  const wide = useAppSelector(({ ui }) => (ui.route.view === 'thread' ? ui.route.parentId : undefined))
  const threadTitle = useThreadTitle(wide ?? '')
  const place = wide === undefined ? channel : threadTitle
  const signedIn = state === 'signed-in'
  const mark = markOf(attention)
  useEffect(() => {
    const parts = signedIn ? [place, workspace?.name ?? '', 'Parlor'].filter((part) => part !== '') : ['Parlor']
    // A browser tells its own window too, which a switch of channels does not wait for.
    return whenIdle(() => {
      document.title = `${mark}${parts.join(', ')}`
    })
  }, [signedIn, mark, place, workspace?.name])
  useIconBadge(attention)
}

/** One count for the title and the icon. */
function useAttention(): Attention {
  const { state } = useSession()
  const { blocked } = useConnection()
  // This account by its rows, as on screen; the others by the count of each account.
  const total = useAppSelector((current) => selectForYouTotal(current) + selectForYouElsewhere(current))
  const signedIn = state === 'signed-in'
  return { count: signedIn ? total : 0, needsSignIn: signedIn && blocked !== undefined }
}

function markOf({ count, needsSignIn }: Attention): string {
  if (needsSignIn) return '(!) '
  return count > 0 ? `(${count}) ` : ''
}

/** The badge of an installed page, where the browser supports it; in Electron main sets it. */
function useIconBadge({ count, needsSignIn }: Attention): void {
  const { kind } = useHost()
  const { badge } = useSetting('notifications')
  useEffect(() => {
    if (kind !== 'browser' || !('setAppBadge' in navigator)) return
    // Without a number the badge is a dot.
    const set = needsSignIn ? navigator.setAppBadge() : navigator.setAppBadge(badge === 'off' ? 0 : count)
    set.catch(() => {
      // A page that is not installed has no badge; the title shows the number.
    })
  }, [kind, badge, count, needsSignIn])
}

/** Keeps the route, the session and main's view of this window in sync. */
function useRoutes(): void {
  useFirstChannel()
  useReportFocus()
  useRetryOnInput()
  useJumpInOtherChannel()
}

/** A window of one channel or thread stays there: navigation to anywhere else opens in a main window. */
function useOwnPlace(): void {
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
    if (openCid === undefined) return undefined
    return whenIdle(() =>
      dispatch((run, getState) => {
        const { lastChannels } = selectSettings(getState())
        void run(rememberChannels({ ...lastChannels, [accountKeyOf(getState())]: openCid }))
      }),
    )
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
  const isBack = useAppSelector(({ ui }) => cid !== undefined && ui.atBottom[cid] === false)
  const isBackBeside = useAppSelector(({ ui }) => beside !== undefined && ui.atBottom[beside] === false)
  // After attaching again main has no report of this window.
  const attached = useAttachCount()
  useEffect(() => {
    if (attached === 0) return
    const report = {
      focused,
      ...(cid === undefined ? {} : { cid }),
      ...(parentId === undefined ? {} : { parentId }),
      ...(beside === undefined ? {} : { beside }),
      scrolledBack: [
        ...(isBack && cid !== undefined ? [cid] : []),
        ...(isBackBeside && beside !== undefined ? [beside] : []),
      ],
    }
    engine.app.reportFocus(report).catch(() => {
      // A lost report is corrected by the next one; the connection's own state is shown elsewhere.
    })
  }, [engine, focused, cid, parentId, beside, isBack, isBackBeside, attached])
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
