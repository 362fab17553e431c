import type { ThreadWindow } from '#shared/bridge/window-place.ts'
import { ThreadView } from '../../features/threads/index.ts'
import { useHost } from '../../store/hooks.ts'
import { cx } from '../../lib/cx.ts'
import { Region } from '../Region.tsx'
import { WindowButtons } from './WindowButtons.tsx'
import styles from './Frame.module.css'
import strip from './TitleStrip.module.css'

/** The window of one thread: its strip, and the thread on paper. */
export function ThreadFrame(thread: ThreadWindow) {
  const { titleBar } = useHost()
  return (
    <div className={styles['alone']}>
      {titleBar === 'none' ? null : (
        <header className={cx(strip['strip'], titleBar === 'macos' && strip['mac'])}>
          <WindowButtons />
        </header>
      )}
      <div className={styles['sheet']}>
        <Region where="thread">
          <ThreadView {...thread} alone />
        </Region>
      </div>
    </div>
  )
}
