import type { HostInfo } from '#shared/bridge/host-info.ts'
import type { Theme } from '#shared/domain/settings.ts'
import type { Bounds } from './bounds.ts'

export type Os = HostInfo['os']
/** `channel`, `thread`: a smaller window with only that. */
export type WindowKind = 'main' | 'channel' | 'thread'

/**
 * The options of an Electron window, as plain data; `hosts/electron/windows/windows.ts` adds the preload path and the
 * session.
 */
type WindowOptions = {
  readonly kind: WindowKind
  readonly theme: Theme
  /** The preference of the system, for the theme `system`. */
  readonly systemDark: boolean
  readonly bounds?: Bounds
  /** Packaged builds have no developer tools unless a policy says otherwise. */
  readonly devTools: boolean
}

/** `--surface-app` and `--text` of resources' tokens, by theme: the window must never flash another color. */
const SURFACE: Record<Exclude<Theme, 'system'>, { app: string; text: string }> = {
  light: { app: '#f0ede8', text: '#302d29' },
  dark: { app: '#161512', text: '#dedad3' },
  'hc-light': { app: '#ffffff', text: '#0d0c0b' },
  'hc-dark': { app: '#000000', text: '#f7f5f1' },
}

/** Height of the title strip. */
export const TITLE_STRIP_HEIGHT = 40
const DEFAULT_SIZE: Readonly<Record<WindowKind, { width: number; height: number }>> = {
  main: { width: 1280, height: 820 },
  channel: { width: 640, height: 760 },
  thread: { width: 560, height: 760 },
}
const SMALLEST = { minWidth: 420, minHeight: 520 }

export function surfaceColors(theme: Theme, systemDark: boolean): { app: string; text: string } {
  return SURFACE[theme === 'system' ? (systemDark ? 'dark' : 'light') : theme]
}

export function titleBarOf(os: Os): HostInfo['titleBar'] {
  return os
}

/** Every security option of a window is set explicitly, defaults included. */
export function windowOptions(os: Os, options: WindowOptions) {
  const colors = surfaceColors(options.theme, options.systemDark)
  return {
    ...DEFAULT_SIZE[options.kind],
    ...SMALLEST,
    ...options.bounds,
    show: false,
    backgroundColor: colors.app,
    ...titleBar(os, colors),
    autoHideMenuBar: os !== 'macos',
    webPreferences: {
      nodeIntegration: false,
      nodeIntegrationInWorker: false,
      nodeIntegrationInSubFrames: false,
      contextIsolation: true,
      sandbox: true,
      webSecurity: true,
      allowRunningInsecureContent: false,
      experimentalFeatures: false,
      disableBlinkFeatures: 'Auxclick',
      webviewTag: false,
      navigateOnDragDrop: false,
      safeDialogs: true,
      // The session's checker is off until the user chooses a language (hosts/electron/windows/spelling.ts).
      spellcheck: true,
      // A reminder plays its sound also in a window without any user input yet.
      autoplayPolicy: 'no-user-gesture-required' as const,
      devTools: options.devTools,
    },
  }
}

function titleBar(os: Os, colors: { app: string; text: string }) {
  switch (os) {
    case 'macos':
      return { titleBarStyle: 'hiddenInset' as const, trafficLightPosition: { x: 14, y: 14 } }
    case 'windows':
      return {
        titleBarStyle: 'hidden' as const,
        titleBarOverlay: { height: TITLE_STRIP_HEIGHT, color: colors.app, symbolColor: colors.text },
      }
    case 'linux':
      return { frame: false }
  }
}
