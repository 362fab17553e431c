import type { ReactNode } from 'react'
import { ArchArt, type ArchScene } from './ArchArt.tsx'
import styles from './Empty.module.css'

type Props = {
  readonly scene: ArchScene
  readonly title: string
  readonly children?: ReactNode
  readonly action?: ReactNode
}

/** Nothing to show: a small arch, one sentence, one thing to do. */
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
