import type { ComponentProps, Ref } from 'react'
import { cx } from '../../lib/cx.ts'
import { Icon, type IconName } from '../Icon/Icon.tsx'
import { Tooltip } from '../Popover/Tooltip.tsx'
import styles from './IconButton.module.css'

type Props = Omit<ComponentProps<'button'>, 'className' | 'aria-label' | 'children' | 'title'> & {
  readonly icon: IconName
  /** The accessible name, also shown as the tooltip. */
  readonly label: string
  /** Keys shown in the tooltip, for example `['Ctrl', 'K']`. */
  readonly keys?: readonly string[]
  readonly size?: 'normal' | 'small' | 'tiny'
  readonly iconSize?: number
  /** On the window's background instead of a sheet. */
  readonly onApp?: boolean
  /** A toggle: `true` or `false` makes it `aria-pressed`. */
  readonly pressed?: boolean
  readonly tooltipSide?: 'above' | 'below'
  readonly ref?: Ref<HTMLButtonElement>
}

const GLYPH = { normal: 18, small: 17, tiny: 16 } as const

/** A button with only an icon. It always has a name and a tooltip. */
export function IconButton({
  icon,
  label,
  keys,
  size = 'normal',
  iconSize,
  onApp = false,
  pressed,
  tooltipSide = 'below',
  type = 'button',
  ...rest
}: Props) {
  return (
    <Tooltip text={label} side={tooltipSide} {...(keys === undefined ? {} : { keys })}>
      <button
        {...rest}
        type={type}
        aria-label={label}
        aria-pressed={pressed}
        className={cx(styles['button'], styles[size], onApp && styles['onApp'])}
      >
        <Icon name={icon} size={iconSize ?? GLYPH[size]} />
      </button>
    </Tooltip>
  )
}
