import type { ComponentProps, ReactNode, Ref } from 'react'
import { cx } from '../../lib/cx.ts'
import { Icon, type IconName } from '../Icon/Icon.tsx'
import { Spinner } from '../View/Empty.tsx'
import { Tooltip } from '../Popover/Popover.tsx'
import styles from './Button.module.css'

type Props = Omit<ComponentProps<'button'>, 'className'> & {
  readonly variant?: 'primary' | 'secondary' | 'risky' | 'quiet' | 'danger' | 'link'
  readonly size?: 'small' | 'normal' | 'large'
  readonly icon?: IconName
  /** A spinner replaces the icon and clicks are ignored; the label stays. */
  readonly working?: boolean
  readonly block?: boolean
  readonly children: ReactNode
}

/** Labeled with a verb. One primary button per surface. */
export function Button({
  variant = 'secondary',
  size = 'normal',
  icon,
  working = false,
  block = false,
  children,
  type = 'button',
  onClick,
  ...rest
}: Props) {
  return (
    <button
      {...rest}
      type={type}
      className={cx(styles['button'], styles[variant], styles[size], block && styles['block'])}
      aria-disabled={working || rest['aria-disabled'] === true ? true : undefined}
      aria-busy={working || undefined}
      onClick={working ? undefined : onClick}
    >
      {working ? <Spinner /> : icon === undefined ? null : <Icon name={icon} size={size === 'small' ? 15 : 17} />}
      {children}
    </button>
  )
}

type IconButtonProps = Omit<ComponentProps<'button'>, 'className' | 'aria-label' | 'children' | 'title'> & {
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
}: IconButtonProps) {
  return (
    <Tooltip text={label} side={tooltipSide} {...(keys === undefined ? {} : { keys })}>
      <button
        {...rest}
        type={type}
        aria-label={label}
        aria-pressed={pressed}
        className={cx(styles['icon'], styles[`${size}Icon`], onApp && styles['onApp'])}
      >
        <Icon name={icon} size={iconSize ?? GLYPH[size]} />
      </button>
    </Tooltip>
  )
}
