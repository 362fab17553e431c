import { tabStops } from '../lib/page/focus.ts'

/** The regions of the window in the order of F6. */
const REGIONS = [
  '[data-region="messages"]',
  '[data-region="composer"]',
  '[data-region="panel"]',
  '[data-region="panel"] [data-composer]',
  '[data-region="accounts"]',
  '[data-region="sidebar"]',
  '[data-region="header"]',
  '[data-region="demo"]',
  '[data-region="banner"]',
  '[data-region="notices"]',
] as const

/** Moves focus to the next region of the window with a focusable element. */
export function focusRegion(direction: 1 | -1): void {
  const found = REGIONS.flatMap((selector) => {
    const element = document.querySelector<HTMLElement>(selector)
    const target = element === null ? undefined : entryOf(element)
    return element === null || target === undefined ? [] : [{ element, target }]
  })
  if (found.length === 0) return
  // The innermost region counts: a composer inside the panel is a separate region.
  const inside = found.filter(({ element }) => element.contains(document.activeElement))
  const here = inside.at(-1)
  const at = here === undefined ? (direction === 1 ? -1 : 0) : found.indexOf(here)
  found[(at + direction + found.length) % found.length]?.target.focus()
}

/** Where focus enters a region: its text field, the remembered row of its list, else its first control. */
function entryOf(region: HTMLElement): HTMLElement | undefined {
  if (region.matches('textarea')) return region
  const field = region.dataset['region'] === 'composer' ? region.querySelector<HTMLElement>('[data-composer]') : null
  // Focus enters the other half at its messages, as in the first half.
  const message = region.querySelector<HTMLElement>('[data-other-half] [data-message-id][tabindex="0"]')
  return field ?? message ?? region.querySelector<HTMLElement>('[data-roving-id][tabindex="0"]') ?? tabStops(region)[0]
}

/** Focuses the composer of a channel. Returns false when there is none or it already has the focus. */
export function focusComposer(cid: string): boolean {
  const field = [...document.querySelectorAll<HTMLElement>('[data-composer]')].find(
    (element) => element.dataset['composer'] === cid,
  )
  if (field === undefined || field === document.activeElement) return false
  field.focus()
  return true
}
