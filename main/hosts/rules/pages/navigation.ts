import { APP_ORIGIN, APP_PAGE } from './app-url.ts'

/** `hand-over` goes through `externalDecision`; the page itself never leaves. */
type NavigationDecision = 'stay' | 'hand-over' | 'refuse'

const OUTSIDE = /^(https?|mailto):/i

/** A frame navigates. Only the document it already shows (a fragment, a reload) is allowed. */
export function navigationDecision(url: string, isMainFrame: boolean): NavigationDecision {
  if (!isMainFrame) return 'refuse'
  if (url.split(/[?#]/, 1)[0] === APP_PAGE) return 'stay'
  return OUTSIDE.test(url) ? 'hand-over' : 'refuse'
}

/** A page opens a window. It never gets one; an ordinary URL opens in the system's browser. */
export function windowOpenDecision(url: string): Exclude<NavigationDecision, 'stay'> {
  return OUTSIDE.test(url) ? 'hand-over' : 'refuse'
}

/**
 * Downloads start only from our own save command, which announces the exact address first, or from bytes that our own
 * page made (a file of settings): an address of that kind belongs to the page that made it. A dialog of the system asks
 * where to.
 */
export function downloadDecision(url: string, announced: ReadonlySet<string>): 'save' | 'cancel' {
  return announced.has(url) || url.startsWith(`blob:${APP_ORIGIN}/`) ? 'save' : 'cancel'
}
