import { Portrait } from './Portrait.tsx'
import styles from './Faces.module.css'

type Props = {
  readonly userIds: readonly string[]
  readonly size?: number
  readonly max?: number
  /** The total number of users, if more than listed; shown as "+n". */
  readonly total?: number
}

/** A few overlapping portraits, newest last. Decorative: the label of the control around has the number. */
export function Faces({ userIds, size = 20, max = 3, total }: Props) {
  const shown = userIds.slice(-max)
  const more = total === undefined ? 0 : Math.max(0, total - shown.length)
  return (
    <span className={styles['faces']} aria-hidden="true">
      {shown.map((id) => (
        <span key={id} className={styles['face']}>
          <Portrait userId={id} size={size} />
        </span>
      ))}
      {more > 0 ? <span className={styles['more']}>+{more}</span> : null}
    </span>
  )
}
