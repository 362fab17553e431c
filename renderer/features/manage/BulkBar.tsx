import { useEffect, type ReactNode } from 'react'
import { useTexts } from '../../i18n/index.ts'
import { announce } from '../../lib/page/announce.ts'
import { IconButton } from '../../ui/Button/IconButton.tsx'
import styles from './Manage.module.css'

type Props = {
  readonly count: number
  readonly onClear: () => void
  /** Buttons. */
  readonly children: ReactNode
}

/** Floats over the lower edge of a list while rows are selected: how many, and what can be done with them. */
export function BulkBar({ count, onClear, children }: Props) {
  const t = useTexts('manage')
  useEffect(() => announce(t('selected', { count })), [t, count])
  return (
    <div role="toolbar" aria-label={t('selected', { count })} className={styles['bulk']}>
      <span className={styles['bulkCount']}>{t('selected', { count })}</span>
      {children}
      <IconButton icon="x" label={t('clearSelection')} onClick={onClear} />
    </div>
  )
}
