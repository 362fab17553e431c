import type { ReactNode } from 'react'
import { cx } from '../../lib/cx.ts'
import styles from './Empty.module.css'

type Scene = 'chat' | 'lines' | 'done' | 'search' | 'outbox' | 'offline' | 'pin' | 'clock'

const SCENES: Readonly<
  Record<
    Scene,
    {
      readonly line: string
      readonly lamp?: readonly [number, number, number]
      readonly circle?: readonly [number, number, number]
    }
  >
> = {
  chat: {
    line: 'M30 40a6 6 0 0 1 6-6h24a6 6 0 0 1 6 6v13a6 6 0 0 1-6 6H46l-9 7v-7h-1a6 6 0 0 1-6-6z',
    lamp: [66, 34, 6],
  },
  lines: { line: 'M30 38h36M30 48h26M30 58h16', lamp: [63, 58, 6] },
  done: { line: 'm34 50 9 9 19-21', lamp: [66, 62, 5] },
  search: { line: 'm55 56 10 10', circle: [45, 46, 13], lamp: [64, 34, 5] },
  outbox: { line: 'M32 56v8a4 4 0 0 0 4 4h24a4 4 0 0 0 4-4v-8M48 58V34M38 43l10-10 10 10' },
  offline: {
    line: 'M30 44c5-5 11-7.500 18-7.500M60 40c2 1.200 4 2.500 6 4M38 53c3-2.600 6-4 10-4M48 62v.1M32 32l32 32',
  },
  clock: { line: 'M48 41v9l6 4', circle: [48, 50, 16], lamp: [65, 34, 6] },
  pin: { line: 'M42 31h12l-1.300 12.500 6.500 6.300v3.600H36.800v-3.600l6.500-6.300zM48 53.400V65', lamp: [64, 34, 5] },
}

type Props = {
  readonly scene: Scene
  readonly title: string
  readonly children?: ReactNode
  readonly action?: ReactNode
}

/** An empty state: a small arch, one sentence, one action. */
export function Empty({ scene, title, children, action }: Props) {
  return (
    <div className={styles['empty']}>
      <ArchArt scene={scene} />
      <h2>{title}</h2>
      {children === undefined ? null : <p>{children}</p>}
      {action}
    </div>
  )
}

/** The arch with a lamp: the only decoration of empty states. */
function ArchArt({ scene }: { readonly scene: Scene }) {
  const { line, lamp, circle } = SCENES[scene]
  return (
    <svg viewBox="0 0 96 96" width="96" height="96" aria-hidden="true" className={styles['art']}>
      <path className={styles['alcove']} d="M12 48C12 26 27 10 48 10s36 16 36 38v32a8 8 0 0 1-8 8H20a8 8 0 0 1-8-8z" />
      {circle === undefined ? null : <circle className={styles['line']} cx={circle[0]} cy={circle[1]} r={circle[2]} />}
      <path className={styles['line']} d={line} />
      {lamp === undefined ? null : <circle className={styles['lamp']} cx={lamp[0]} cy={lamp[1]} r={lamp[2]} />}
    </svg>
  )
}

type SkeletonProps = {
  /** Pixels, or a fraction of the line. */
  readonly width: number | string
  readonly height?: number
  readonly arch?: boolean
}

/** A bar or an arch in place of content that is loading. */
export function Skeleton({ width, height = 10, arch = false }: SkeletonProps) {
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
