import { useCallback } from 'react'
import type { AccountEntry, WorkspaceIcon } from '#shared/domain/session.ts'
import { fromBase64 } from '../../lib/files/base64.ts'
import { twoLetters } from '../../ui/Avatar/Avatar.tsx'
import styles from './AccountCards.module.css'

type Props = {
  readonly account: Pick<AccountEntry, 'name' | 'hue' | 'icon'>
  /** Pixels at the normal text size; 36 in the rail and on cards, 22 in the strip. */
  readonly size: number
}

/** A workspace as a rounded square, its icon or two letters. Decorative: the name is beside it or on the control. */
export function AccountLogo({ account: { name, hue, icon }, size }: Props) {
  return (
    <span
      className={styles['logo']}
      data-hue={hue}
      style={{ width: rem(size), height: rem(size), borderRadius: rem(size * 0.3), fontSize: rem(size * 0.4) }}
      aria-hidden="true"
    >
      {icon === undefined ? twoLetters(name).toLocaleUpperCase() : <IconPicture {...icon} />}
    </span>
  )
}

/** The icon, by an address of this window that lives as long as it is shown. */
function IconPicture({ base64, mimeType }: WorkspaceIcon) {
  const show = useCallback(
    (image: HTMLImageElement) => {
      const url = URL.createObjectURL(new Blob([fromBase64(base64)], { type: mimeType }))
      image.src = url
      return () => URL.revokeObjectURL(url)
    },
    [base64, mimeType],
  )
  return <img ref={show} alt="" draggable={false} />
}

/** In rem, so that the letters and the square scale with the text size. */
const rem = (pixels: number): string => `${pixels / 16}rem`
