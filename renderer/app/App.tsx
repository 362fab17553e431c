import { Suspense } from 'react'
import { Onboarding } from '../features/session/index.ts'
import { NoticeRegion } from '../features/notices/index.ts'
import { ReminderToasts } from '../features/reminders/index.ts'
import { useHost, useSession, useSettings } from '../store/hooks.ts'
import { Announcer } from '../ui/Announcer.tsx'
import { DialogHost } from './DialogHost.tsx'
import { useKeyboard } from './keyboard.ts'
import { Frame } from './layout/Frame.tsx'
import { TitleStrip } from './layout/TitleStrip.tsx'
import { Overlays } from './Overlays.tsx'
import { Region } from './Region.tsx'
import { useLook } from './theme.ts'
import { useRoutes } from './use-routes.ts'
import { useWindowTitle } from './use-window-title.ts'
import styles from './layout/Frame.module.css'

/** The whole window. */
export function App() {
  const { state } = useSession()
  useLook(useSettings(), useHost())
  useKeyboard()
  useRoutes()
  useWindowTitle()
  return (
    <>
      {state === 'signed-in' ? <Frame /> : <StartScreen />}
      <Region where="dialog">
        <DialogHost />
      </Region>
      <Overlays />
      <NoticeRegion>
        {state === 'signed-in' ? (
          <Suspense fallback={null}>
            <ReminderToasts />
          </Suspense>
        ) : null}
      </NoticeRegion>
      <Announcer />
    </>
  )
}

function StartScreen() {
  return (
    <div className={styles['start']}>
      <TitleStrip signedIn={false} compact />
      <Onboarding />
    </div>
  )
}
