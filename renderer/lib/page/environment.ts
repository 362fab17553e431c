import { useSyncExternalStore } from 'react'

/** Input that shows that the user is present. */
const INPUT_EVENTS = ['pointerdown', 'pointermove', 'keydown', 'wheel'] as const

/** Whether there was user input since this was created. Before that, what a window shows was only restored. */
type UserInput = { readonly hasActed: () => boolean; readonly subscribe: (listener: () => void) => () => void }

export function createUserInput(): UserInput {
  let acted = false
  const listeners = new Set<() => void>()
  const onInput = (): void => {
    acted = true
    for (const name of INPUT_EVENTS) window.removeEventListener(name, onInput, true)
    for (const listener of listeners) listener()
  }
  for (const name of INPUT_EVENTS) window.addEventListener(name, onInput, { capture: true, passive: true })
  return {
    hasActed: () => acted,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/** The width of the window in steps. */
type Breakpoint = 'wide' | 'medium' | 'small' | 'narrow'

function breakpointOf(width: number): Breakpoint {
  if (width >= 1180) return 'wide'
  if (width >= 900) return 'medium'
  return width >= 640 ? 'small' : 'narrow'
}

function subscribeWidth(listener: () => void): () => void {
  window.addEventListener('resize', listener)
  return () => window.removeEventListener('resize', listener)
}

export const useBreakpoint = (): Breakpoint =>
  useSyncExternalStore(subscribeWidth, () => breakpointOf(window.innerWidth))

/** Whether motion is reduced, by the setting or by the system. */
export function isMotionReduced(): boolean {
  if (document.documentElement.dataset['motion'] === 'reduced') return true
  return typeof matchMedia === 'function' && matchMedia('(prefers-reduced-motion: reduce)').matches
}

/**
 * Opens a URL in a new browser window, for hosts where main cannot open one. Returns false if the browser blocked it, which
 * it may without a user gesture.
 *
 * @param size CSS pixels; absent: the size of this window
 */
export function openBrowserWindow(url: string, size?: { readonly width: number; readonly height: number }): boolean {
  const { outerWidth, outerHeight, screenX, screenY } = window
  const { width, height } = size ?? { width: outerWidth, height: outerHeight }
  const place = `left=${screenX + 48},top=${screenY + 48},width=${width},height=${height}`
  const opened = window.open(url, '_blank', `popup,${place}`)
  if (opened === null) return false
  // Cuts the link between the windows, so that neither can script the other.
  opened.opener = null
  return true
}

let saving = false
const savingListeners = new Set<() => void>()

/** Set by main: the device runs on battery and battery saving is on. */
export function setSaving(on: boolean): void {
  if (on === saving) return
  saving = on
  for (const listener of savingListeners) listener()
}

export const isSaving = (): boolean => saving

export function subscribeSaving(listener: () => void): () => void {
  savingListeners.add(listener)
  return () => void savingListeners.delete(listener)
}

let away = false
const viewListeners = new Set<() => void>()

/**
 * Set by main when the user is away: the screen is locked, or there was no input for a while. Input on this page ends it
 * before main notices.
 */
export function setAway(on: boolean): void {
  if (on === away) return
  away = on
  for (const name of INPUT_EVENTS) {
    if (on) window.addEventListener(name, comeBack, { passive: true })
    else window.removeEventListener(name, comeBack)
  }
  for (const listener of viewListeners) listener()
}

const comeBack = (): void => setAway(false)

/** Whether the user can see this page: it is visible, its window has the focus, and the user is not away. */
const isPageInView = (): boolean => !away && document.visibilityState === 'visible' && document.hasFocus()

function subscribeView(listener: () => void): () => void {
  viewListeners.add(listener)
  window.addEventListener('focus', listener)
  window.addEventListener('blur', listener)
  document.addEventListener('visibilitychange', listener)
  return () => {
    viewListeners.delete(listener)
    window.removeEventListener('focus', listener)
    window.removeEventListener('blur', listener)
    document.removeEventListener('visibilitychange', listener)
  }
}

export const usePageInView = (): boolean => useSyncExternalStore(subscribeView, isPageInView)
