import { useTexts } from '../../i18n/index.ts'
import { useHost } from '../../store/hooks.ts'
import { Mark } from '../../ui/Mark.tsx'
import styles from './Settings.module.css'

/** Version and licence. */
export function About() {
  const t = useTexts('settings')
  const { version, kind } = useHost()
  return (
    <div className={styles['about']}>
      <Mark size={56} />
      <div>
        <p className={styles['name']}>Parlor {version}</p>
        <p className={styles['hint']}>{kind === 'electron' ? t('about.electron') : t('about.browser')}</p>
        <p className={styles['hint']}>{t('about.licence')}</p>
        <p className={styles['hint']}>{t('about.noTelemetry')}</p>
      </div>
    </div>
  )
}
