import { useTexts } from '../../../i18n/index.ts'
import { Icon } from '../../../ui/Icon/Icon.tsx'
import styles from '../Settings.module.css'
import { usePolicies } from './use-managed.ts'

/** Replaces a control that is managed by an administrator: a lock and a note. */
export function ManagedBy() {
  const t = useTexts('desktop')
  const { Organization: name } = usePolicies()
  return (
    <span className={styles['managed']}>
      <Icon name="lock" size={15} />
      {name === undefined ? t('managed.byOrganisation') : t('managed.by', { name })}
    </span>
  )
}
