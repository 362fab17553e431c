import type { ListView } from './list-view.ts'
import { useHeadRow } from './use-list-view.ts'
import type { Row } from '../model/rows.ts'
import { useDayLabel } from './PaneRows.tsx'
import styles from './MessagePane.module.css'

type Props = { readonly rows: readonly Row[]; readonly view: ListView }

/** The day of the topmost rows while its divider is scrolled out of view. Hidden from screen readers, because the divider has the text. */
export function StickyDay({ rows, view }: Props) {
  const topKey = useHeadRow(view)
  const index = rows.findIndex((row) => row.key === topKey)
  const top = rows[index]
  if (top === undefined || top.kind === 'day') return null
  const day = rows.slice(0, index).findLast((row) => row.kind === 'day')
  return day === undefined ? null : <Label at={day.at} />
}

function Label({ at }: { readonly at: number }) {
  const text = useDayLabel(at)
  return (
    <div className={styles['stickyDay']} aria-hidden="true">
      <span>{text}</span>
    </div>
  )
}
