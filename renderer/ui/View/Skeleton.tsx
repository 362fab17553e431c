import { cx } from '../../lib/cx.ts'
import styles from './Skeleton.module.css'

type Props = {
  /** Pixels, or a fraction of the line. */
  readonly width: number | string
  readonly height?: number
  readonly arch?: boolean
}

/** A bar or an arch in place of content that is loading. */
export function Skeleton({ width, height = 10, arch = false }: Props) {
  return (
    <span aria-hidden="true" className={cx(styles['skeleton'], arch && styles['arch'])} style={{ width, height }} />
  )
}
