import { Icon } from '../../ui/Icon.tsx'
import type { IconName } from '../../ui/icon-names.ts'
import type { MenuItem } from '../../ui/Menu.tsx'
import { useMenu } from '../../ui/use-menu.tsx'
import styles from './Search.module.css'

type Props = { readonly icon: IconName; readonly words: string; readonly items: () => readonly MenuItem[] }

/** A filter that opens a menu of its values. */
export function MenuPill({ icon, words, items }: Props) {
  const menu = useMenu({ label: words, items })
  return (
    <>
      <button type="button" className={styles['pill']} {...menu.triggerProps}>
        <Icon name={icon} size={15} />
        {words}
        <Icon name="chevron-down" size={14} />
      </button>
      {menu.menu}
    </>
  )
}
