import { useTexts } from '../../i18n/index.ts'
import { useHost, useAppServices } from '../../store/hooks.ts'
import styles from './TitleStrip.module.css'

/**
 * On Linux Parlor draws the buttons; macOS and Windows draw theirs over the strip, which leaves room for them; a browser window
 * has its own frame.
 */
export function WindowButtons() {
  const t = useTexts('common')
  const { titleBar } = useHost()
  const { bridge } = useAppServices()
  const controls = bridge.windowControls
  if (titleBar === 'windows') return <span className={styles['overlayPlace']} aria-hidden="true" />
  if (titleBar !== 'linux' || controls === undefined) return null
  return (
    <div className={styles['buttons']}>
      <button type="button" aria-label={t('window.minimize')} onClick={() => controls.minimize()}>
        <svg viewBox="0 0 10 10" aria-hidden="true">
          <path d="M1.5 5h7" />
        </svg>
      </button>
      <button type="button" aria-label={t('window.maximize')} onClick={() => controls.toggleMaximize()}>
        <svg viewBox="0 0 10 10" aria-hidden="true">
          <path d="M1.5 1.5h7v7h-7z" />
        </svg>
      </button>
      <button type="button" aria-label={t('window.close')} onClick={() => controls.close()}>
        <svg viewBox="0 0 10 10" aria-hidden="true">
          <path d="m1.5 1.5 7 7M8.5 1.5l-7 7" />
        </svg>
      </button>
    </div>
  )
}
