import { useEffect, useLayoutEffect, useRef, type RefObject } from 'react'

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

/** On unmount returns focus to the element that had it at mount, or to the composer if that element was removed. */
export function useReturnFocus(): void {
  const opener = useRef(document.activeElement)
  useEffect(() => {
    // When opened from a menu, its item is removed by now and the menu has returned the focus to its own opener.
    const before = opener.current?.isConnected === true ? opener.current : (handedOver ?? document.activeElement)
    return () => {
      const elsewhere = document.activeElement
      const lost = elsewhere === null || elsewhere === document.body || !elsewhere.isConnected
      if (!lost && elsewhere.closest('[data-returns-focus]') === null) return
      const isOpenerConnected = before instanceof HTMLElement && before !== document.body && before.isConnected
      const target = isOpenerConnected ? before : document.querySelector<HTMLElement>('[data-composer]')
      target?.focus({ preventScroll: true })
      handedOver = target ?? undefined
      queueMicrotask(() => (handedOver = undefined))
    }
  }, [])
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
