import { type MouseEvent, type ReactNode, useState } from 'react'
import { overlayPart } from '../../lib/page/part.tsx'
import type { Placement } from '../Anchored/Anchored.tsx'
import type { IconName } from '../Icon/Icon.tsx'

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

export const Menu = overlayPart(async () => (await import('./MenuList.tsx')).MenuList)

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
