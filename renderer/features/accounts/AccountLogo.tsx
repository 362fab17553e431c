import type { AccountEntry } from '#shared/domain/account-list.ts'
import { twoLetters } from '../../lib/portrait.ts'
import styles from './AccountLogo.module.css'

type Props = {
  readonly account: Pick<AccountEntry, 'name' | 'hue'>
  /** Pixels at the usual text size; 36 in the rail and on cards, 22 in the strip. */
  readonly size: number
}

/** A workspace as a rounded square with its letters. Decorative: the name stands beside it or on the control. */
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

/** The letters are to be read, so they grow with the text, and the square with them. */
const rem = (pixels: number): string => `${pixels / 16}rem`
