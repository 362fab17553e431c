import { useTexts } from '../../i18n/index.ts'
import { useAppDispatch } from '../../store/hooks.ts'
import { useShortcut } from '../../store/window/shortcuts.ts'
import { dialogOpened } from '../../store/window/ui.ts'
import { Icon } from '../../ui/Icon/Icon.tsx'
import { Keys } from '../../ui/Keys/Keys.tsx'
import styles from './Sidebar.module.css'

/** Keycaps in the notation of `aria-keyshortcuts`. */
const SPOKEN: Readonly<Record<string, string>> = {
  Ctrl: 'Control',
  '⌘': 'Meta',
  '⌃': 'Control',
  '⌥': 'Alt',
  '⇧': 'Shift',
}

/** Looks like a field, opens the quick switcher. */
export function SearchField() {
  const t = useTexts('sidebar')
  const dispatch = useAppDispatch()
  const keys = useShortcut('switcher')
  return (
    <button
      type="button"
      className={styles['search']}
      aria-keyshortcuts={keys.length === 0 ? undefined : keys.map((key) => SPOKEN[key] ?? key).join('+')}
      onClick={() => dispatch(dialogOpened({ kind: 'switcher' }))}
    >
      <Icon name="search" size={16} />
      <span className={styles['searchLabel']}>{t('search')}</span>
      <span aria-hidden="true">
        <Keys keys={keys} />
      </span>
    </button>
  )
}
