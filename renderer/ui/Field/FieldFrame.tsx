import type { ReactNode } from 'react'
import { Icon } from '../Icon/Icon.tsx'
import styles from './TextField.module.css'

type Props = {
  readonly id: string
  readonly label: string
  /** For screen readers only; the placeholder shows the same text. */
  readonly labelHidden?: boolean
  readonly optional?: string
  readonly error?: string
  readonly hint?: ReactNode
  readonly children: ReactNode
}

/** The texts around a field: its label above, the hint or the error below. */
export function FieldFrame({ id, label, labelHidden = false, optional, error, hint, children }: Props) {
  return (
    <div className={styles['field']}>
      <label className={labelHidden ? 'sr-only' : styles['label']} htmlFor={id}>
        {label}
        {optional === undefined ? null : <span className={styles['optional']}>{optional}</span>}
      </label>
      {children}
      {error !== undefined ? (
        <p id={belowOf(id)} className={styles['error']} role="alert">
          <Icon name="alert-circle" size={14} />
          {error}
        </p>
      ) : hint === undefined ? null : (
        <div id={belowOf(id)} className={styles['hint']}>
          {hint}
        </div>
      )}
    </div>
  )
}

/** Id of the hint or error below a field. */
const belowOf = (id: string): string => `${id}-below`

/** The attributes that link a field to the hint or error below it. */
export const aboutBelow = (id: string, error: string | undefined, hint?: ReactNode) => ({
  'aria-invalid': error === undefined ? undefined : true,
  'aria-describedby': error === undefined && hint === undefined ? undefined : belowOf(id),
})
