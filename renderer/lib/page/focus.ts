import { useEffect, useLayoutEffect, useRef, type RefObject, type PointerEvent as ReactPointerEvent } from 'react'

const FOCUSABLE =
  'a[href], button:not([disabled]), input:not([disabled]), select:not([disabled]), textarea:not([disabled]), [tabindex]'

/** Elements that Tab reaches, in document order. */
export function tabStops(root: ParentNode): readonly HTMLElement[] {
  return [...root.querySelectorAll<HTMLElement>(FOCUSABLE)].filter(
    (element) => element.tabIndex >= 0 && element.getClientRects().length > 0,
  )
}

/** The element the focus returned to in this commit; a modal that opened in the same commit has made it inert. */
let handedOver: HTMLElement | undefined

/**
 * On unmount returns focus to the element that had it at mount. If that was removed, to the row it was in, such as a
 * message whose toolbar is shown only while it has the focus, or else to the composer.
 *
 * @param yields what takes its place has the focus already and keeps it; it is returned when that is gone
 */
export function useReturnFocus(yields = false): void {
  const opener = useRef(document.activeElement)
  useEffect(() => {
    // When opened from a menu, its item is removed by now and the menu has returned the focus to its own opener.
    const before = opener.current?.isConnected === true ? opener.current : (handedOver ?? document.activeElement)
    const row = before?.closest<HTMLElement>('[data-roving-id]')
    return () => {
      const elsewhere = document.activeElement
      const lost = elsewhere === null || elsewhere === document.body || !elsewhere.isConnected
      if (!lost && !yields && elsewhere.closest('[data-returns-focus]') === null) return
      const isOpenerConnected = before instanceof HTMLElement && before !== document.body && before.isConnected
      const rest = row?.isConnected === true ? row : document.querySelector<HTMLElement>('[data-composer]')
      const target = isOpenerConnected ? before : rest
      if (lost || !yields) target?.focus({ preventScroll: true })
      handedOver = target ?? undefined
      queueMicrotask(() => (handedOver = undefined))
    }
  }, [yields])
}

/** An element that unmounts while focused passes the focus to its container, so that it does not fall back to the body. */
export function usePassFocus(ref: RefObject<HTMLElement | null>, container: string): void {
  useLayoutEffect(() => {
    const element = ref.current
    return () => {
      if (element !== null && document.activeElement === element) element.closest<HTMLElement>(container)?.focus()
    }
  }, [ref, container])
}

/** Calls `onOutside` when the pointer is pressed outside the element. */
export function usePressOutside(ref: RefObject<HTMLElement | null>, onOutside: () => void): void {
  const latest = useRef(onOutside)
  useEffect(() => {
    latest.current = onOutside
  })
  useEffect(() => {
    const listen = (event: PointerEvent): void => {
      if (event.target instanceof Node && !ref.current?.contains(event.target)) latest.current()
    }
    document.addEventListener('pointerdown', listen, true)
    return () => document.removeEventListener('pointerdown', listen, true)
  }, [ref])
}

/** A ref callback that focuses the first field of a new screen. Stable, so that it runs once. */
export function focusOnce(element: HTMLElement | null): void {
  element?.focus({ preventScroll: true })
}

/** How long other code has to focus something itself after the focused element was removed. */
const PATIENCE_MS = 80

/** A focused element or an ancestor of it, with what was beside it when it got the focus. */
type Step = { readonly element: Element; readonly next: Element | null; readonly previous: Element | null }

const pathOf = (target: Element): readonly Step[] => {
  const path: Step[] = []
  for (let element: Element | null = target; element !== null && element !== document.body;) {
    path.push({ element, next: element.nextElementSibling, previous: element.previousElementSibling })
    element = element.parentElement
  }
  return path
}

/**
 * Keeps the focus near an element that was removed while it had it, such as a notice whose button was pressed: otherwise
 * it would fall to the page, and the next Tab would start at the top. Used once per window; what knows a better place
 * focuses that itself.
 */
export function useFocusKeeper(): void {
  useEffect(() => {
    let path: readonly Step[] = []
    let timer: ReturnType<typeof setTimeout> | undefined
    const remember = ({ target }: FocusEvent): void => {
      if (target instanceof Element) path = pathOf(target)
    }
    const isLost = (): boolean => path.length > 0 && document.activeElement === document.body
    const forget = ({ target, relatedTarget }: FocusEvent): void => {
      // A press on an empty place takes the focus away on purpose; a removal is known only once it is done.
      if (relatedTarget !== null || !(target instanceof Element)) return
      queueMicrotask(() => {
        if (target.isConnected && isLost() && path[0]?.element === target) path = []
      })
    }
    const keep = (): void => {
      if (!isLost() || path[0]?.element.isConnected === true) return
      nearest(path)?.focus({ preventScroll: true })
    }
    const observer = new MutationObserver(() => {
      if (!isLost() || path[0]?.element.isConnected === true) return
      clearTimeout(timer)
      timer = setTimeout(keep, PATIENCE_MS)
    })
    observer.observe(document.body, { childList: true, subtree: true })
    document.addEventListener('focusin', remember)
    document.addEventListener('focusout', forget)
    return () => {
      clearTimeout(timer)
      observer.disconnect()
      document.removeEventListener('focusin', remember)
      document.removeEventListener('focusout', forget)
    }
  }, [])
}

/**
 * The tab stop after a removed element, else the one before it, in the smallest part that is left; else the composer.
 * After a whole screen only the composer: the next screen may come later than this, and what stands beside screens, such
 * as the accounts, is not where anyone was.
 */
function nearest(path: readonly Step[]): HTMLElement | undefined {
  for (const [index, { element }] of path.entries()) {
    if (!element.isConnected || index === 0) continue
    const { element: removed, next, previous } = path[index - 1] ?? {}
    if (removed?.isConnected === false && (removed.matches('main') || removed.querySelector('main, h1') !== null)) break
    const found = stopsIn(next)[0] ?? stopsIn(previous).at(-1) ?? tabStops(element)[0]
    if (found !== undefined) return found
    if (element.matches('[data-region], dialog')) break
  }
  return document.querySelector<HTMLElement>('[data-composer]') ?? undefined
}

function stopsIn(element: Element | null | undefined): readonly HTMLElement[] {
  if (!(element instanceof HTMLElement) || !element.isConnected) return []
  return element.matches(FOCUSABLE) && element.tabIndex >= 0 ? [element] : tabStops(element)
}

/** On the button that makes another one of what the page on screen lists. */
export const NEW_BUTTON = { 'data-new': true } as const

/** Presses that button, if there is one on screen. The focus goes there, and comes back there from what it opens. */
export function pressNewButton(): boolean {
  const button = document.querySelector<HTMLElement>('[data-new]')
  button?.focus()
  button?.click()
  return button !== null
}

/**
 * Handlers of an option in the list of a field, which keeps the focus and the caret. It is chosen where the press ends, so
 * that a press can be taken back by moving away from it.
 */
export const optionPress = (onChoose: () => void) => ({
  onPointerDown: (event: ReactPointerEvent) => event.preventDefault(),
  onClick: onChoose,
})
