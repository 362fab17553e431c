import type { AccountEntry } from '#shared/domain/session.ts'
import { twoLetters } from '../../lib/portrait.ts'
import styles from './AccountLogo.module.css'

type Props = {
  readonly account: Pick<AccountEntry, 'name' | 'hue'>
  /** Pixels at the normal text size; 36 in the rail and on cards, 22 in the strip. */
  readonly size: number
}

/** A workspace as a rounded square with two letters. Decorative: the name is beside it or on the control. */
export function AccountLogo({ account: { name, hue }, size }: Props) {
  return (
    <span
      className={styles['logo']}
      data-hue={hue}
      style={{ width: rem(size), height: rem(size), borderRadius: rem(size * 0.3), fontSize: rem(size * 0.4) }}
      aria-hidden="true"
    >
      {twoLetters(name).toLocaleUpperCase()}
    </span>
  )
}

/** In rem, so that the letters and the square scale with the text size. */
const rem = (pixels: number): string => `${pixels / 16}rem`
