import { cx } from '../../lib/cx.ts'
import styles from './Waiting.module.css'

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

/** Shows that work is in progress. Decorative: put a text with the same meaning next to it. */
export function Spinner({ size = 16 }: { readonly size?: number }) {
  return (
    <svg className={styles['spinner']} width={size} height={size} viewBox="0 0 20 20" aria-hidden="true">
      <circle className={styles['track']} cx="10" cy="10" r="7.5" />
      <path d="M10 2.5a7.5 7.5 0 0 1 7.5 7.5" />
    </svg>
  )
}
