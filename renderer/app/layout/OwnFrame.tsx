import { useHost } from '../../store/hooks.ts'
import { cx } from '../../lib/cx.ts'
import { Body } from './Body.tsx'
import { WindowButtons } from './WindowButtons.tsx'
import styles from './Frame.module.css'
import strip from './TitleStrip.module.css'

/** The window of one channel or thread: title strip, main sheet and side panel. */
export function OwnFrame() {
  const { titleBar } = useHost()
  return (
    <div className={styles['own']}>
      {titleBar === 'none' ? null : (
        <header className={cx(strip['strip'], titleBar === 'macos' && strip['mac'])}>
          <WindowButtons />
        </header>
      )}
      <Body />
    </div>
  )
}
