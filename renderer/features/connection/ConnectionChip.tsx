import { useTexts } from '../../i18n/index.ts'
import { useDelayed } from '../../lib/latch.ts'
import { cx } from '../../lib/cx.ts'
import { useConnection } from '../../store/hooks.ts'
import { Icon } from '../../ui/Icon.tsx'
import styles from './Connection.module.css'

/** In the title strip: nothing while all is well, else one word. Short gaps never flash it. */
export function ConnectionChip() {
  const t = useTexts('common')
  const { state, offline } = useConnection()
  const connecting = useDelayed(state === 'connecting' && !offline, 800)
  return (
    <span role="status" className={styles['place']}>
      {offline ? (
        <span className={cx(styles['chip'], styles['off'])}>
          <i className={styles['dot']} />
          {t('connection.offline')}
        </span>
      ) : connecting ? (
        <span className={styles['chip']}>
          <Icon name="refresh" size={14} />
          {t('connection.connecting')}
        </span>
      ) : null}
    </span>
  )
}
