import { useEffect, useLayoutEffect, useRef, type RefObject } from 'react'

const FOCUSABLE =
  'a[href], button:not([disabled]), input:not([disabled]), select:not([disabled]), textarea:not([disabled]), [tabindex]'

/** Elements Tab would reach, in document order. */
export function tabStops(root: ParentNode): readonly HTMLElement[] {
  return [...root.querySelectorAll<HTMLElement>(FOCUSABLE)].filter(
    (element) => element.tabIndex >= 0 && element.getClientRects().length > 0,
  )
}

/** Gives focus back to what had it when the component appeared, once it goes; to the composer if that is gone. */
export function useReturnFocus(): void {
  const opener = useRef(document.activeElement)
  useEffect(() => {
    // Opened from a menu: its item is gone by now, and the menu has given the focus back to what opened it.
    const before = opener.current?.isConnected === true ? opener.current : document.activeElement
    return () => {
      const elsewhere = document.activeElement
      const lost = elsewhere === null || elsewhere === document.body || !elsewhere.isConnected
      if (!lost && elsewhere.closest('[data-returns-focus]') === null) return
      const kept = before instanceof HTMLElement && before !== document.body && before.isConnected
      const target = kept ? before : document.querySelector<HTMLElement>('[data-composer]')
      target?.focus({ preventScroll: true })
    }
  }, [])
}

/** What goes while it has the focus hands it to what it was in, so that the keyboard is not thrown to the top of the page. */
export function useFocusHeir(ref: RefObject<HTMLElement | null>, heir: string): void {
  useLayoutEffect(() => {
    const element = ref.current
    return () => {
      if (element !== null && document.activeElement === element) element.closest<HTMLElement>(heir)?.focus()
    }
  }, [ref, heir])
}

/** Calls back on a press outside the element. */
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

/** As a ref: the first field of a screen that was just opened takes the focus. Stable, so it happens once. */
export function focusOnce(element: HTMLElement | null): void {
  element?.focus({ preventScroll: true })
}
