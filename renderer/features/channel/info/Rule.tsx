import { useId, type ReactNode } from 'react'
import { Switch } from '../../../ui/Choice/Switch.tsx'
import styles from '../Info.module.css'

type RuleProps = {
  readonly name: string
  readonly hint: string
  readonly on: boolean
  /** Why it cannot be changed. */
  readonly why?: string
  readonly onChange?: (on: boolean) => void
}

/** A channel setting that is on or off, with a description. */
export function Rule({ name, hint, on, why, onChange }: RuleProps) {
  const id = useId()
  return (
    <Line id={id} name={name} hint={hint} why={why}>
      <Switch
        labelledBy={id}
        describedBy={`${id}-hint`}
        on={on}
        disabled={why !== undefined}
        onChange={(next) => onChange?.(next)}
      />
    </Line>
  )
}

type LineProps = {
  readonly id: string
  readonly name: string
  readonly hint: string
  readonly why?: string
  readonly children: ReactNode
}

/** The same layout with any control. */
export function Line({ id, name, hint, why, children }: LineProps) {
  return (
    <div className={styles['setting']}>
      <div className={styles['itemText']}>
        <div id={id} className={styles['settingName']}>
          {name}
        </div>
        <div id={`${id}-hint`} className={styles['settingHint']}>
          {hint}
          {why === undefined ? null : <span className={styles['why']}>{why}</span>}
        </div>
      </div>
      {children}
    </div>
  )
}
