import { useState, type MouseEvent, type ReactNode } from 'react'
import type { Placement } from '../Anchored/Anchored.tsx'
import { Menu, type MenuItem } from './Menu.tsx'

type Options = {
  readonly label: string
  /** Called when the menu opens, so that items are of that moment. */
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
