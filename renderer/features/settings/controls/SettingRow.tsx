import { use, type ReactNode, useId, createContext } from 'react'
import { cx } from '../../../lib/cx.ts'
import styles from '../Settings.module.css'
import { Switch } from '../../../ui/Choice/Switch.tsx'

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

type SwitchRowProps = {
  readonly title: string
  readonly hint: string
  readonly on: boolean
  readonly onChange: (on: boolean) => void
}

/** A setting that is on or off. */
export function SwitchRow({ title, hint, on, onChange }: SwitchRowProps) {
  const id = useId()
  return (
    <SettingRow id={id} title={title} hint={hint}>
      <Switch labelledBy={id} describedBy={`${id}-hint`} on={on} onChange={onChange} />
    </SettingRow>
  )
}

/** Title of the row to highlight on the current page. */
export const FoundRow = createContext<string | undefined>(undefined)

/** Scrolls to the row and focuses its control, or the row itself. */
export function showFound(row: HTMLElement | null): void {
  if (row === null) return
  row.scrollIntoView({ block: 'center' })
  const control = row.querySelector<HTMLElement>('button:not([tabindex="-1"]), input, select')
  const target = control ?? row
  target.focus({ preventScroll: true })
}
