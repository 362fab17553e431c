import { useHost } from '../../store/hooks.ts'
import { cx } from '../../lib/cx.ts'
import { Body } from './Body.tsx'
import { WindowButtons } from './WindowButtons.tsx'
import styles from './Frame.module.css'
import strip from './TitleStrip.module.css'

/** The window of one channel or thread: its strip, and the place on paper, with its panel beside it. */
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
