import { Suspense, type ComponentType } from 'react'
import { AccountRail, AccountSwitch } from '../features/accounts/index.ts'
import { LockPage, useActivityReport } from '../features/lock/index.ts'
import { Onboarding } from '../features/session/index.ts'
import { ArrivalToasts } from '../features/notifications/index.ts'
import { NoticeRegion } from '../features/notices/index.ts'
import { ReminderToasts } from '../features/reminders/index.ts'
import { UpdateNotice } from '../features/updates/index.ts'
import { accountKeyOf } from '../store/accounts.ts'
import { useAppSelector, useHost, useSession, useSettings, useAppServices, useAppDispatch } from '../store/hooks.ts'
import { selectCovered, selectLock } from '../store/window/lock.ts'
import { TopMost } from '../ui/Modal/Modal.tsx'
import { Announcer } from '../ui/Toast/Announcer.tsx'
import { useKeyboard } from './keys/keyboard.ts'
import { Frame, OwnFrame } from './layout/Frame.tsx'
import { TitleStrip } from './layout/TitleStrip.tsx'
import { Region } from './Region.tsx'
import { ShortcutKeys } from './keys/shortcuts.tsx'
import { useLook } from './theme.ts'
import { useOwnPlace, useRoutes } from './use-routes.ts'
import { useWindowTitle } from './use-window-title.ts'
import { ForwardHost } from '../features/messages/index.ts'
import { ViewerHost } from '../features/viewer/index.ts'
import styles from './layout/Frame.module.css'
import { HostSuspense } from '../features/connection/index.ts'
import { useRegistry } from '../registry/registry.ts'
import type { Dialog, Dialogs } from '../store/window/kinds.ts'
import { dialogClosed } from '../store/window/ui.ts'

/** Renders nothing: a separate component, so that changes of theme and title do not render the rest again. */
function Surface() {
  useLook(useSettings(), useHost())
  useWindowTitle()
  useActivityReport()
  return null
}

/** The whole window, or the lock page alone. */
export function App() {
  return useAppSelector(selectCovered) ? <Covered /> : <Uncovered />
}

function Covered() {
  const { locked } = useAppSelector(selectLock)
  return (
    <ShortcutKeys>
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
      <Surface />
      {own === undefined ? <Routes /> : <OwnRoutes />}
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
            <Suspense fallback={null}>
              <ArrivalToasts />
              <ReminderToasts />
            </Suspense>
          ) : null}
        </NoticeRegion>
        <Announcer />
      </TopMost>
    </ShortcutKeys>
  )
}

/** The notice's code is loaded only when there is an update to announce. */
function NewVersion() {
  const announced = useAppSelector(({ updates }) => updates.announced)
  return announced ? (
    <Suspense fallback={null}>
      <UpdateNotice />
    </Suspense>
  ) : null
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
  return (
    <Region where="dialog" resetKey={dialog.kind}>
      <HostSuspense onClose={() => void dispatch(dialogClosed())}>
        <DialogContent dialog={dialog} />
      </HostSuspense>
    </Region>
  )
}

function DialogContent({ dialog: { kind, ...props } }: { readonly dialog: Dialog }) {
  const Content = useRegistry().dialogs[kind] as ComponentType<Dialogs[keyof Dialogs]>
  return <Content {...props} />
}
