import type { ReactNode } from 'react'
import styles from './Settings.module.css'

type Props = {
  readonly title: string
  readonly id?: string
  readonly hint?: ReactNode
  readonly children: ReactNode
}

/** One setting: its name, what it does, and the control at the end. */
export function SettingRow({ title, id, hint, children }: Props) {
  return (
    <div className={styles['row']}>
      <div className={styles['words']}>
        <div id={id} className={styles['name']}>
          {title}
        </div>
        {hint === undefined ? null : (
          <div id={id === undefined ? undefined : `${id}-hint`} className={styles['hint']}>
            {hint}
          </div>
        )}
      </div>
      {children}
    </div>
  )
}
