import { useEffect, useRef, type KeyboardEvent, type ReactNode, useState, type MouseEvent } from 'react'
import { cx } from '../../lib/cx.ts'
import { usePressOutside, useReturnFocus } from '../../lib/page/focus.ts'
import { Anchored, type Placement } from '../Anchored/Anchored.tsx'
import { Icon } from '../Icon/Icon.tsx'
import { Keys } from '../Keys/Keys.tsx'
import type { IconName } from '../Icon/icon-names.ts'
import styles from './Menu.module.css'

export type MenuItem =
  | { readonly kind: 'separator'; readonly id: string }
  | { readonly kind: 'heading'; readonly id: string; readonly content: ReactNode }
  | {
      readonly kind?: 'item'
      readonly id: string
      readonly label: string
      readonly icon?: IconName
      /** In place of an icon: a portrait, a swatch. */
      readonly leading?: ReactNode
      readonly keys?: readonly string[]
      /** Small text at its end: what choosing it results in. */
      readonly hint?: string
      readonly danger?: boolean
      /** Present on items that toggle something or are one of several options. */
      readonly checked?: boolean
      /** Why it cannot be used now; shown at its end. */
      readonly disabledReason?: string
      readonly onSelect: () => void
    }

type Props = {
  readonly label: string
  readonly items: readonly MenuItem[]
  /** The element it opens next to; a rectangle for a context menu at a point. */
  readonly anchor: Element | DOMRect
  readonly placement?: Placement
  readonly minWidth?: number
  readonly onClose: () => void
}

const BELOW: Placement = { side: 'below', align: 'start', gap: 4 }

/** A menu over everything else. Focus moves to its first item, and back to the opener. */
export function Menu({ label, items, anchor, placement = BELOW, minWidth, onClose }: Props) {
  const ref = useRef<HTMLDivElement>(null)
  useReturnFocus()
  usePressOutside(ref, onClose)
  useEffect(() => {
    itemsOf(ref.current)[0]?.focus({ preventScroll: true })
  }, [])
  useEffect(() => {
    window.addEventListener('blur', onClose)
    return () => window.removeEventListener('blur', onClose)
  }, [onClose])
  return (
    <Anchored
      ref={ref}
      anchor={anchor}
      placement={placement}
      role="menu"
      tabIndex={-1}
      aria-label={label}
      data-returns-focus=""
      className={styles['menu']}
      style={{ minWidth }}
      onKeyDown={(event) => onMenuKey(event, ref.current, onClose)}
    >
      {items.map((item) => (
        <Row key={item.id} item={item} onClose={onClose} />
      ))}
    </Anchored>
  )
}

function Row({ item, onClose }: { readonly item: MenuItem; readonly onClose: () => void }) {
  if (item.kind === 'separator') return <hr className={styles['separator']} />
  if (item.kind === 'heading') return <div className={styles['heading']}>{item.content}</div>
  const disabled = item.disabledReason !== undefined
  return (
    <button
      type="button"
      role={item.checked === undefined ? 'menuitem' : 'menuitemcheckbox'}
      aria-checked={item.checked}
      aria-disabled={disabled || undefined}
      tabIndex={-1}
      className={cx(styles['item'], item.danger === true && styles['danger'])}
      onPointerMove={(event) => event.currentTarget.focus({ preventScroll: true })}
      onClick={() => {
        if (disabled) return
        onClose()
        item.onSelect()
      }}
    >
      {item.leading ?? (item.icon === undefined ? null : <Icon name={item.icon} />)}
      <span className={styles['label']}>{item.label}</span>
      {item.disabledReason === undefined ? null : <span className={styles['reason']}>{item.disabledReason}</span>}
      {item.hint === undefined ? null : <span className={styles['hint']}>{item.hint}</span>}
      {item.checked === true ? <Icon name="check" size={16} /> : null}
      {item.keys === undefined ? null : <Keys keys={item.keys} />}
    </button>
  )
}

const itemsOf = (menu: HTMLElement | null): readonly HTMLElement[] => [
  ...(menu?.querySelectorAll<HTMLElement>('[role^="menuitem"]') ?? []),
]

function onMenuKey(event: KeyboardEvent, menu: HTMLElement | null, onClose: () => void): void {
  const items = itemsOf(menu)
  const at = items.findIndex((item) => item === document.activeElement)
  const target = menuTarget(event.key, at, items)
  if (target !== undefined) {
    target.focus()
  } else if (event.key === 'Escape' || event.key === 'Tab') {
    onClose()
  } else {
    return
  }
  event.preventDefault()
  event.stopPropagation()
}

/** Arrows wrap, Home and End jump, a letter moves to the next item that begins with it. */
function menuTarget(key: string, at: number, items: readonly HTMLElement[]): HTMLElement | undefined {
  if (key === 'ArrowDown') return items[(at + 1) % items.length]
  if (key === 'ArrowUp') return items[(at - 1 + items.length) % items.length] ?? items.at(-1)
  if (key === 'Home') return items[0]
  if (key === 'End') return items.at(-1)
  if (!/^[\p{L}\p{N}]$/u.test(key)) return undefined
  const after = [...items.slice(at + 1), ...items.slice(0, at + 1)]
  return after.find((item) => item.textContent?.trim().toLocaleLowerCase().startsWith(key.toLocaleLowerCase()))
}

type Options = {
  readonly label: string
  /** Called when the menu opens, so that the items are current. */
  readonly items: () => readonly MenuItem[]
  readonly placement?: Placement
  readonly minWidth?: number
}

/** A menu and its trigger: spread `triggerProps` on a button and render `menu` anywhere. */
export function useMenu({ label, items, placement, minWidth }: Options): {
  readonly triggerProps: {
    readonly 'aria-haspopup': 'menu'
    readonly 'aria-expanded': boolean
    readonly onClick: (event: MouseEvent<HTMLElement>) => void
  }
  /** For the context menu key and right click. */
  readonly onContextMenu: (event: MouseEvent<HTMLElement>) => void
  readonly openAt: (anchor: Element | DOMRect) => void
  readonly menu: ReactNode
} {
  const [anchor, setAnchor] = useState<Element | DOMRect>()
  const close = (): void => setAnchor(undefined)
  return {
    triggerProps: {
      'aria-haspopup': 'menu',
      'aria-expanded': anchor !== undefined,
      onClick: (event) => {
        const target = event.currentTarget
        setAnchor((open) => (open === undefined ? target : undefined))
      },
    },
    onContextMenu: (event) => {
      event.preventDefault()
      const byKeyboard = event.clientX === 0 && event.clientY === 0
      setAnchor(byKeyboard ? event.currentTarget : new DOMRect(event.clientX, event.clientY, 0, 0))
    },
    openAt: setAnchor,
    menu:
      anchor === undefined ? null : (
        <Menu
          label={label}
          items={items()}
          anchor={anchor}
          onClose={close}
          {...(placement === undefined ? {} : { placement })}
          {...(minWidth === undefined ? {} : { minWidth })}
        />
      ),
  }
}
