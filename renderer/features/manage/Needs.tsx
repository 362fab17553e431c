import type { ReactNode } from 'react'
import type { ManageRight } from '#shared/domain/manage/manage.ts'
import { useTexts } from '../../i18n/index.ts'
import { Icon } from '../../ui/Icon/Icon.tsx'
import { useMayManage } from './state.ts'
import styles from './Manage.module.css'

type Props = {
  readonly right: ManageRight
  /** The control; shown only to those who have the right. */
  readonly children: ReactNode
}

/** A control, or in its place the right that it needs, in words. */
export function Needs({ right, children }: Props) {
  const t = useTexts('manage')
  if (useMayManage(right)) return children
  return (
    <span className={styles['needs']}>
      <Icon name="lock" size={14} />
      {t('needs', { right: t(`rights.${right}`) })}
    </span>
  )
}
