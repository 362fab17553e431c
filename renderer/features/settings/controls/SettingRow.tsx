import { use, type ReactNode } from 'react'
import { cx } from '../../../lib/cx.ts'
import { FoundRow, showFound } from '../find/found.ts'
import styles from '../Settings.module.css'

type Props = {
  readonly title: string
  readonly id?: string
  readonly hint?: ReactNode
  readonly children?: ReactNode
}

/** A setting: title, description, and its control at the end. */
export function SettingRow({ title, id, hint, children }: Props) {
  const isFound = use(FoundRow) === title
  return (
    <div
      ref={isFound ? showFound : undefined}
      tabIndex={isFound ? -1 : undefined}
      className={cx(styles['row'], isFound && styles['found'])}
    >
      <div className={styles['text']}>
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
