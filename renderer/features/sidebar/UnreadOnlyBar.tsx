import { useTexts } from '../../i18n/index.ts'
import { useAppDispatch, useAppSelector } from '../../store/hooks.ts'
import { Icon } from '../../ui/Icon/Icon.tsx'
import { arrange } from './arranging.ts'
import { selectPlan } from './selectors.ts'
import styles from './Sidebar.module.css'

/** Shown while only unread conversations are listed, with a button to show all. */
export function UnreadOnlyBar() {
  const t = useTexts('sidebar')
  const dispatch = useAppDispatch()
  const { unreadOnly } = useAppSelector(selectPlan)
  if (!unreadOnly) return null
  return (
    <button
      type="button"
      className={styles['filter']}
      aria-pressed="true"
      onClick={() => void dispatch(arrange((plan) => ({ ...plan, unreadOnly: false })))}
    >
      <Icon name="filter" size={15} />
      <span className={styles['searchLabel']}>{t('filter.only')}</span>
      <Icon name="x" size={15} />
    </button>
  )
}
