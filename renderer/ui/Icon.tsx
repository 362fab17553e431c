import type { IconName } from './icon-names.ts'
import styles from './Icon.module.css'

type Props = {
  readonly name: IconName
  /** Pixels at 100 % text; 18 in rows and toolbars. */
  readonly size?: number
}

/** A glyph of the sprite in the page (.ci/icons-in-page.ts), always decorative: the control around it carries the name. */
export function Icon({ name, size = 18 }: Props) {
  return (
    <svg className={styles['icon']} width={size} height={size} aria-hidden="true" focusable="false">
      <use href={`#i-${name}`} />
    </svg>
  )
}
