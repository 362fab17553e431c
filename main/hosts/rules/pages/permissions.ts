import { APP_ORIGIN } from './app-url.ts'

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
