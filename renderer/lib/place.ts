export type Side = 'above' | 'below' | 'start' | 'end'

export type Placement = {
  readonly side: Side
  readonly align: 'start' | 'center' | 'end'
  readonly gap: number
}

const MARGIN = 8

/**
 * Positions a `position: fixed` element beside an anchor, flipping to the other side where there is no room and staying
 * 8 px inside the window. Reads sizes first, then writes once.
 */
export function place(floating: HTMLElement, anchor: Element | DOMRect, { side, align, gap }: Placement): void {
  const from = anchor instanceof Element ? anchor.getBoundingClientRect() : anchor
  const width = floating.offsetWidth
  const height = floating.offsetHeight
  const view = { width: document.documentElement.clientWidth, height: document.documentElement.clientHeight }
  const rightToLeft = document.documentElement.dir === 'rtl'
  const vertical = side === 'above' || side === 'below'
  let left: number
  let top: number
  if (vertical) {
    const below = from.bottom + gap
    const above = from.top - gap - height
    const fitsBelow = below + height <= view.height - MARGIN
    const fitsAbove = above >= MARGIN
    top = side === 'below' ? (fitsBelow || !fitsAbove ? below : above) : fitsAbove || !fitsBelow ? above : below
    const startEdge = rightToLeft ? from.right - width : from.left
    const endEdge = rightToLeft ? from.left : from.right - width
    left = align === 'start' ? startEdge : align === 'end' ? endEdge : from.left + (from.width - width) / 2
  } else {
    const after = from.right + gap
    const before = from.left - gap - width
    const wantAfter = (side === 'end') !== rightToLeft
    left = wantAfter ? (after + width <= view.width - MARGIN ? after : before) : before >= MARGIN ? before : after
    top = align === 'start' ? from.top : align === 'end' ? from.bottom - height : from.top + (from.height - height) / 2
  }
  left = Math.max(MARGIN, Math.min(left, view.width - width - MARGIN))
  top = Math.max(MARGIN, Math.min(top, view.height - height - MARGIN))
  floating.style.left = `${Math.round(left)}px`
  floating.style.top = `${Math.round(top)}px`
}
