import { APP_ORIGIN, APP_PAGE } from './serving.ts'

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

/** What to do with an external URL, and why. The reasons are stable codes. */
export type ExternalDecision =
  | { readonly action: 'open'; readonly url: string }
  | {
      readonly action: 'ask'
      readonly url: string
      readonly host: string
      readonly reason: 'not-encrypted' | 'look-alike' | 'many'
    }
  | {
      readonly action: 'refuse'
      readonly reason: 'too-long' | 'odd-characters' | 'not-an-address' | 'scheme' | 'user-info'
    }

const MAX_EXTERNAL_LENGTH = 2_048
/** After more than this many in the period, the user is asked first. */
const EXTERNAL_BURST = 5
const EXTERNAL_SPAN_MS = 10_000

const SCHEMES = new Set(['https:', 'http:', 'mailto:'])
/** Controls, spaces, bidirectional marks and other invisible ones. */
const ODD = /[\p{Cc}\p{Cf}\s\\]/u

/**
 * Whether a URL may be opened by the system. Always serialized again, so that the URL opened is the URL checked.
 *
 * @param opened times at which this window opened addresses, epoch milliseconds
 */
export function externalDecision(text: string, opened: readonly number[], now: number): ExternalDecision {
  if (text.length > MAX_EXTERNAL_LENGTH) return { action: 'refuse', reason: 'too-long' }
  if (ODD.test(text)) return { action: 'refuse', reason: 'odd-characters' }
  if (!URL.canParse(text)) return { action: 'refuse', reason: 'not-an-address' }
  const url = new URL(text)
  if (!SCHEMES.has(url.protocol)) return { action: 'refuse', reason: 'scheme' }
  if (url.username !== '' || url.password !== '') return { action: 'refuse', reason: 'user-info' }
  const ask = (reason: 'not-encrypted' | 'look-alike' | 'many') =>
    ({ action: 'ask', url: url.href, host: url.host, reason }) as const
  // The parser has converted look-alike letters to punycode: the dialog shows that form.
  if (url.hostname.split('.').some((label) => label.startsWith('xn--'))) return ask('look-alike')
  if (url.protocol === 'http:') return ask('not-encrypted')
  if (opened.filter((at) => now - at < EXTERNAL_SPAN_MS).length >= EXTERNAL_BURST) return ask('many')
  return { action: 'open', url: url.href }
}

/** A permission request of a page. */
type PermissionContext = {
  /** Origin of the asking frame as Electron reports it, possibly with a closing slash; empty when unknown. */
  readonly origin: string
  readonly isMainFrame: boolean
  /** The asking contents are one of our registered windows. */
  readonly isOurWindow: boolean
  /** The kind of `media`, as Electron names it: `audio`, `video`; empty when unknown. */
  readonly media?: readonly string[]
  /** A policy of this device may forbid the microphone. */
  readonly microphone?: boolean
}

const ALLOWED = new Set(['notifications', 'fullscreen', 'clipboard-sanitized-write', 'media'])

/** Every other name of Electron 45. Named, so that an upgrade with a new one fails a test until it is decided on. */
export const DENIED_PERMISSIONS: ReadonlySet<string> = new Set([
  'ar',
  'automatic-fullscreen',
  'background-fetch',
  'background-sync',
  'captured-surface-control',
  'clipboard-read',
  'deprecated-sync-clipboard-read',
  'display-capture',
  'fileSystem',
  'geolocation',
  'geolocation-approximate',
  'hand-tracking',
  'hid',
  'idle-detection',
  'keyboardLock',
  'local-fonts',
  'local-network',
  'local-network-access',
  'loopback-network',
  'mediaKeySystem',
  'midi',
  'midiSysex',
  'nfc',
  'openExternal',
  'payment-handler',
  'periodic-background-sync',
  'persistent-storage',
  'pointerLock',
  'screen-wake-lock',
  'sensors',
  'serial',
  'smart-card',
  'speaker-selection',
  'storage-access',
  'system-wake-lock',
  'top-level-storage-access',
  'usb',
  'vr',
  'web-app-installation',
  'web-printing',
  'window-management',
  'unknown',
])

export const ALLOWED_PERMISSIONS: ReadonlySet<string> = ALLOWED

/**
 * Three harmless permissions for the top frame of our own page, and the microphone alone (never with a camera), which
 * the page requests only when the user presses the record button; nothing for other pages, and nothing for unknown
 * permissions.
 */
export function permissionDecision(name: string, context: PermissionContext): 'allow' | 'deny' {
  if (!ALLOWED.has(name)) return 'deny'
  if (name === 'media' && (context.microphone === false || !isMicrophoneAlone(context.media ?? []))) return 'deny'
  const own = context.isOurWindow && context.isMainFrame && context.origin.replace(/\/$/, '') === APP_ORIGIN
  return own ? 'allow' : 'deny'
}

const isMicrophoneAlone = (media: readonly string[]): boolean =>
  media.length > 0 && media.every((one) => one === 'audio')
