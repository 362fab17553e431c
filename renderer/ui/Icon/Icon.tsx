import type { IconName } from './icon-names.ts'
import { cx } from '../../lib/cx.ts'
import styles from './Icon.module.css'

type Props = {
  readonly name: IconName
  /** Pixels at 100 % text; 18 in rows and toolbars. */
  readonly size?: number
}

/** Directional icons, which are mirrored in right-to-left text. */
const DIRECTED: ReadonlySet<IconName> = new Set<IconName>([
  'arrow-left',
  'arrow-right',
  'chevron-left',
  'chevron-right',
  'chevrons-left',
  'chevrons-right',
  'corner-down-right',
  'external-link',
  'forward',
  'list',
  'list-ordered',
  'logout',
  'panel-right',
  'reply',
  'sidebar',
  'undo',
])

/** An icon of the sprite in the page (.ci/page-files.ts), always decorative: the control around it has the name. */
export function Icon({ name, size = 18 }: Props) {
  return (
    <svg
      className={cx(styles['icon'], DIRECTED.has(name) && styles['directed'])}
      width={size}
      height={size}
      aria-hidden="true"
      focusable="false"
    >
      <use href={`#i-${name}`} />
    </svg>
  )
}
