import { Suspense } from 'react'
import type { ThreadWindow } from '#shared/bridge/window-place.ts'
import { AccountRail, AccountSwitch } from '../features/accounts/index.ts'
import { Onboarding } from '../features/session/index.ts'
import { ArrivalToasts } from '../features/notifications/index.ts'
import { NoticeRegion } from '../features/notices/index.ts'
import { ReminderToasts } from '../features/reminders/index.ts'
import { UpdateNotice } from '../features/updates/index.ts'
import { whoOf } from '../store/accounts.ts'
import { useAppSelector, useHost, useSession, useSettings, useSurroundings } from '../store/hooks.ts'
import { Announcer } from '../ui/Announcer.tsx'
import type { ActionId } from './actions.ts'
import { DialogHost } from './DialogHost.tsx'
import { useKeyboard } from './keyboard.ts'
import { Frame } from './layout/Frame.tsx'
import { ThreadFrame } from './layout/ThreadFrame.tsx'
import { TitleStrip } from './layout/TitleStrip.tsx'
import { Overlays } from './Overlays.tsx'
import { Region } from './Region.tsx'
import { ShortcutKeys } from './shortcuts.tsx'
import { useLook } from './theme.ts'
import { useRoutes, useThreadAlone } from './use-routes.ts'
import { useWindowTitle } from './use-window-title.ts'
import styles from './layout/Frame.module.css'

/** Draws nothing: the look and the title follow the settings and the counters, and nothing else is drawn anew for it. */
function Surface() {
  useLook(useSettings(), useHost())
  useWindowTitle()
  return null
}

/** The whole window. */
export function App() {
  const { state } = useSession()
  const { alone } = useSurroundings()
  return (
    <ShortcutKeys>
      <Surface />
      {alone === undefined ? <Routes /> : <RoutesAlone />}
      <div className={styles['window']}>
        <AccountRail />
        <div className={styles['account']}>{alone === undefined ? <Account /> : <Alone {...alone} />}</div>
      </div>
      <Region where="dialog">
        <DialogHost />
      </Region>
      <Overlays />
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
    </ShortcutKeys>
  )
}

/** Its code comes with something to tell. */
function NewVersion() {
  const told = useAppSelector(({ updates }) => updates.told)
  return told ? (
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

/** A window of one thread leads nowhere: of the keys only those that move inside it count. */
function RoutesAlone() {
  useKeyboard(INSIDE)
  useThreadAlone()
  return null
}

const INSIDE: ReadonlySet<ActionId> = new Set(['nextRegion', 'previousRegion'])

/** The account that is shown, the way to another one, or where to begin. */
function Account() {
  const { state } = useSession()
  const who = useAppSelector(whoOf)
  const leaving = useAppSelector(({ ui }) => ui.leaving)
  const adding = useAppSelector(({ ui }) => ui.adding !== undefined)
  if (leaving !== undefined) return <AccountSwitch to={leaving.key} />
  if (state !== 'signed-in' || adding) return <StartScreen />
  // Nothing that one account's parts remember is there for the next.
  return <Frame key={who} />
}

function Alone(thread: ThreadWindow) {
  const { state } = useSession()
  return state === 'signed-in' ? <ThreadFrame {...thread} /> : <StartScreen />
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
