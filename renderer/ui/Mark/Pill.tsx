import { useState, type ReactNode } from 'react'
import { cx } from '../../lib/cx.ts'
import { Icon, type IconName } from '../Icon/Icon.tsx'
import { type MenuItem, useMenu } from '../Menu/Menu.tsx'
import { Popover } from '../Popover/Popover.tsx'
import styles from './Pill.module.css'

type Props = { readonly icon: IconName; readonly text: string; readonly onPress: () => void }

/** A filter that can be added. */
export function Pill({ icon, text, onPress }: Props) {
  return (
    <button type="button" className={styles['pill']} onClick={onPress}>
      <Icon name={icon} size={15} />
      {text}
    </button>
  )
}

type MenuProps = { readonly icon: IconName; readonly text: string; readonly items: () => readonly MenuItem[] }

/** A filter that opens a menu of its values. */
export function MenuPill({ icon, text, items }: MenuProps) {
  const menu = useMenu({ label: text, items })
  return (
    <>
      <button type="button" className={styles['pill']} {...menu.triggerProps}>
        <Icon name={icon} size={15} />
        {text}
        <Icon name="chevron-down" size={14} />
      </button>
      {menu.menu}
    </>
  )
}

type PopoverProps = {
  readonly icon: IconName
  readonly text: string
  readonly children: (close: () => void) => ReactNode
}

/** A filter whose values are selected in a small dialog. */
export function PopoverPill({ icon, text, children }: PopoverProps) {
  const [anchor, setAnchor] = useState<Element>()
  const close = (): void => setAnchor(undefined)
  return (
    <>
      <button
        type="button"
        className={styles['pill']}
        aria-haspopup="dialog"
        aria-expanded={anchor !== undefined}
        onClick={({ currentTarget }) => setAnchor((open) => (open === undefined ? currentTarget : undefined))}
      >
        <Icon name={icon} size={15} />
        {text}
        <Icon name="chevron-down" size={14} />
      </button>
      {anchor === undefined ? null : (
        <Popover label={text} anchor={anchor} onClose={close}>
          {children(close)}
        </Popover>
      )}
    </>
  )
}

type OnProps = {
  /** A portrait or an icon. */
  readonly sign?: ReactNode
  readonly text: string
  /** What a click does, as text. */
  readonly label: string
  readonly onRemove: () => void
}

/** An active filter; a click removes it. */
export function PillOn({ sign, text, label, onRemove }: OnProps) {
  return (
    <button type="button" className={cx(styles['pill'], styles['on'])} aria-label={label} onClick={onRemove}>
      {sign}
      <span className="ellipsis">{text}</span>
      <Icon name="x" size={13} />
    </button>
  )
}

type TagProps = {
  readonly tone?: 'plain' | 'accent' | 'warning' | 'danger' | 'info' | 'success'
  readonly children: ReactNode
}

/** A short label; never clickable. */
export const Tag = ({ tone = 'plain', children }: TagProps) => (
  <span className={cx(styles['tag'], styles[tone])}>{children}</span>
)
