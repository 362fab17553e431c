import { type KeyboardEvent, type MouseEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { cx } from '../../lib/cx.ts'
import { usePressOutside, useReturnFocus } from '../../lib/page/focus.ts'
import { Anchored, type Placement } from '../Popover/Popover.tsx'
import { Icon, type IconName } from '../Icon/Icon.tsx'
import { Keys } from '../Keys/Keys.tsx'
import styles from './Menu.module.css'

export type MenuItem =
  | { readonly kind: 'separator'; readonly id: string }
  | { readonly kind: 'heading'; readonly id: string; readonly content: ReactNode }
  | {
      /** Small items side by side, such as reactions. */
      readonly kind: 'strip'
      readonly id: string
      readonly name: string
      readonly items: readonly {
        readonly id: string
        readonly label: string
        readonly content: ReactNode
        readonly onSelect: () => void
      }[]
    }
  | {
      readonly kind?: 'item'
      readonly id: string
      readonly label: string
      /** The language of the label, if another one than the page's. */
      readonly lang?: string
      readonly icon?: IconName
      /** In place of an icon: a portrait, a swatch. */
      readonly leading?: ReactNode
      readonly keys?: readonly string[]
      /** Small text at its end: what choosing it results in. */
      readonly hint?: string
      readonly danger?: boolean
      /** Present on items that toggle something or are one of several options. */
      readonly checked?: boolean
      /** It is one of several options, not a toggle. */
      readonly radio?: true
      /** What choosing it means, as a second line. */
      readonly note?: string
      /** Drawn like a text field: it leads to one. */
      readonly framed?: true
      /** A small button at the end of its row, the next stop after it. */
      readonly extra?: { readonly label: string; readonly icon: IconName; readonly onSelect: () => void }
      /** Why it cannot be used now; shown at its end. */
      readonly disabledReason?: string
      /** It leads to another menu; `here`: in the place of this one, which stays open for it. */
      readonly leads?: 'here' | 'elsewhere'
      readonly onSelect: () => void
    }

type Props = {
  readonly label: string
  readonly items: readonly MenuItem[]
  /** The element it opens next to; a rectangle for a context menu at a point. */
  readonly anchor: Element | DOMRect
  readonly placement?: Placement
  readonly minWidth?: number
  /** For a menu in the place of another one: back to that one. */
  readonly onBack?: () => void
  readonly onClose: () => void
}

const BELOW: Placement = { side: 'below', align: 'start', gap: 4 }

/**
 * A menu over everything else. Focus moves to its first item, and back to the opener. Opened by pointer it has the focus
 * itself, and no item is highlighted until the pointer moves: none of them was chosen by lying under it.
 */
export function Menu({ label, items, anchor, placement = BELOW, minWidth, onBack, onClose }: Props) {
  const ref = useRef<HTMLDivElement>(null)
  const [pointed, setPointed] = useState(false)
  useReturnFocus()
  usePressOutside(ref, onClose)
  useEffect(() => {
    const first = firstRow(itemsOf(ref.current))
    first?.focus({ preventScroll: true })
    // After a press of the pointer the browser shows no ring.
    if (first?.matches(':focus-visible') === false) ref.current?.focus({ preventScroll: true })
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
      data-pointed={pointed || undefined}
      style={{ minWidth }}
      onKeyDown={(event) => {
        setPointed(false)
        onMenuKey(event, ref.current, { onClose, onBack })
      }}
      onPointerMove={(event) => {
        // The browser reports a move without a distance when a menu opens under a resting pointer.
        if (event.movementX === 0 && event.movementY === 0) return
        setPointed(true)
        const under = event.target instanceof Element ? event.target.closest<HTMLElement>(ITEM) : null
        under?.focus({ preventScroll: true })
      }}
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
  if (item.kind === 'strip') return <Strip strip={item} onClose={onClose} />
  const disabled = item.disabledReason !== undefined
  const { extra } = item
  const row = (
    <button
      type="button"
      role={item.checked === undefined ? 'menuitem' : item.radio === true ? 'menuitemradio' : 'menuitemcheckbox'}
      aria-checked={item.checked}
      aria-disabled={disabled || undefined}
      aria-haspopup={item.leads === undefined ? undefined : 'menu'}
      tabIndex={-1}
      data-leads={item.leads}
      className={cx(styles['item'], item.danger === true && styles['danger'], item.framed === true && styles['framed'])}
      onClick={() => {
        if (disabled) return
        if (item.leads !== 'here') onClose()
        item.onSelect()
      }}
    >
      {item.leading ?? (item.icon === undefined ? null : <Icon name={item.icon} />)}
      <span className={styles['label']} lang={item.lang}>
        {item.label}
        {item.note === undefined ? null : <span className={styles['note']}>{item.note}</span>}
      </span>
      {item.disabledReason === undefined ? null : <span className={styles['reason']}>{item.disabledReason}</span>}
      {item.hint === undefined ? null : <span className={styles['hint']}>{item.hint}</span>}
      {item.checked === true ? <Icon name="check" size={16} /> : null}
      {item.keys === undefined ? null : <Keys keys={item.keys} />}
      {item.leads === undefined ? null : <Icon name="chevron-right" size={15} />}
    </button>
  )
  if (extra === undefined) return row
  return (
    <div role="presentation" className={styles['pair']}>
      {row}
      <button
        type="button"
        role="menuitem"
        aria-label={extra.label}
        tabIndex={-1}
        className={cx(styles['item'], styles['extra'])}
        onClick={() => {
          onClose()
          extra.onSelect()
        }}
      >
        <Icon name={extra.icon} size={15} />
      </button>
    </div>
  )
}

type StripProps = { readonly strip: Extract<MenuItem, { kind: 'strip' }>; readonly onClose: () => void }

function Strip({ strip, onClose }: StripProps) {
  return (
    <div role="group" aria-label={strip.name} className={styles['strip']}>
      {strip.items.map(({ id, label, content, onSelect }) => (
        <button
          key={id}
          type="button"
          role="menuitem"
          aria-label={label}
          tabIndex={-1}
          data-in-strip=""
          className={styles['item']}
          onClick={() => {
            onClose()
            onSelect()
          }}
        >
          {content}
        </button>
      ))}
    </div>
  )
}

const ITEM = '[role^="menuitem"]'

const itemsOf = (menu: HTMLElement | null): readonly HTMLElement[] => [
  ...(menu?.querySelectorAll<HTMLElement>(ITEM) ?? []),
]

function onMenuKey(
  event: KeyboardEvent,
  menu: HTMLElement | null,
  { onClose, onBack }: Pick<Props, 'onClose' | 'onBack'>,
): void {
  const items = itemsOf(menu)
  const at = items.findIndex((item) => item === document.activeElement)
  const target = menuTarget(event.key, at, items)
  if (target !== undefined) {
    target.focus()
  } else if (event.key === 'ArrowRight' && items[at]?.dataset['leads'] !== undefined) {
    items[at]?.click()
  } else if (event.key === 'ArrowLeft' && onBack !== undefined) {
    onBack()
  } else if (event.key === 'Escape' || event.key === 'Tab') {
    onClose()
  } else {
    return
  }
  event.preventDefault()
  event.stopPropagation()
}

/**
 * Arrows wrap, Home and End jump, a letter moves to the next item that begins with it. A strip is one step for the vertical
 * arrows, and the horizontal ones move in it.
 */
function menuTarget(key: string, at: number, items: readonly HTMLElement[]): HTMLElement | undefined {
  const rows = items.filter(
    ({ dataset }, index) => dataset['inStrip'] === undefined || items[index - 1]?.dataset['inStrip'] === undefined,
  )
  const inStrip = items[at]?.dataset['inStrip'] !== undefined
  const row = inStrip
    ? rows.findLastIndex((each) => items.indexOf(each) <= at)
    : rows.findIndex((each) => each === items[at])
  if (key === 'ArrowDown') return row === -1 ? firstRow(rows) : rows[(row + 1) % rows.length]
  if (key === 'ArrowUp') return row === -1 ? rows.at(-1) : rows.at(row - 1)
  if (inStrip && (key === 'ArrowRight' || key === 'ArrowLeft')) {
    const next = items[at + (key === 'ArrowRight' ? 1 : -1)]
    return next?.dataset['inStrip'] === undefined ? items[at] : next
  }
  if (key === 'Home') return items[0]
  if (key === 'End') return items.at(-1)
  if (!/^[\p{L}\p{N}]$/u.test(key)) return undefined
  const after = [...items.slice(at + 1), ...items.slice(0, at + 1)]
  return after.find((item) => item.textContent?.trim().toLocaleLowerCase().startsWith(key.toLocaleLowerCase()))
}

/** The first row below a strip. */
const firstRow = (rows: readonly HTMLElement[]): HTMLElement | undefined =>
  rows.find(({ dataset }) => dataset['inStrip'] === undefined)

type Options = {
  readonly label: string
  /** Called when the menu opens, so that the items are current. */
  readonly items: () => readonly MenuItem[]
  readonly placement?: Placement
  readonly minWidth?: number
}

type Opener = {
  readonly triggerProps: {
    readonly 'aria-haspopup': 'menu'
    readonly 'aria-expanded': boolean
    readonly onClick: (event: MouseEvent<HTMLElement>) => void
  }
  /** For the context menu key and right click. */
  readonly onContextMenu: (event: MouseEvent<HTMLElement>) => void
  readonly openAt: (anchor: Element | DOMRect) => void
  readonly menu: ReactNode
}

/** A menu and its trigger: spread `triggerProps` on a button and render `menu` anywhere. */
export const useMenu = ({ items, ...options }: Options): Opener =>
  useMenuOf((anchor, onClose) => <Menu {...options} items={items()} anchor={anchor} onClose={onClose} />)

/** The same for a menu that is a component of its own, which is loaded when it opens. */
export function useMenuOf(render: (anchor: Element | DOMRect, onClose: () => void) => ReactNode): Opener {
  const [anchor, setAnchor] = useState<Element | DOMRect>()
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
    menu: anchor === undefined ? null : render(anchor, () => setAnchor(undefined)),
  }
}
