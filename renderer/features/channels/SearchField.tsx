import { useTexts } from '../../i18n/index.ts'
import { keysOf } from '../../lib/chords.ts'
import { useAppDispatch, useHost } from '../../store/hooks.ts'
import { dialogOpened } from '../../store/ui.ts'
import { Icon } from '../../ui/Icon.tsx'
import { Keys } from '../../ui/Keys.tsx'
import styles from './Sidebar.module.css'

/** Looks like a field, opens the quick switcher. */
export function SearchField() {
  const t = useTexts('sidebar')
  const dispatch = useAppDispatch()
  const { os } = useHost()
  return (
    <button
      type="button"
      className={styles['search']}
      aria-keyshortcuts={os === 'macos' ? 'Meta+K' : 'Control+K'}
      onClick={() => dispatch(dialogOpened({ kind: 'switcher' }))}
    >
      <Icon name="search" size={16} />
      <span className={styles['searchLabel']}>{t('search')}</span>
      <span aria-hidden="true">
        <Keys keys={keysOf('Mod+K', os)} />
      </span>
    </button>
  )
}
