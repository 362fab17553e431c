import type { HostInfo } from '#shared/bridge/transport.ts'
import type { Theme } from '#shared/domain/settings.ts'

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
      // The session's checker is off until the user chooses a language (hosts/electron/windows/windows.ts).
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

type Bounds = { readonly x: number; readonly y: number; readonly width: number; readonly height: number }

/** The stored bounds of a window. `maximized` is separate from the size before. */
export type WindowState = { readonly bounds: Bounds; readonly maximized: boolean; readonly fullscreen: boolean }

/** This much of the window must be on a display, so that it can be grabbed. */
const VISIBLE = 64

/**
 * Saved bounds if at least 64 × 64 px of them lie on one of the displays; otherwise none, and the system places the
 * window.
 */
export function restoreBounds(saved: unknown, displays: readonly Bounds[]): Bounds | undefined {
  const bounds = readBounds(saved)
  if (!bounds || bounds.width < VISIBLE || bounds.height < VISIBLE) return undefined
  const reachable = displays.some((display) => {
    const shared = overlap(bounds, display)
    return shared.width >= VISIBLE && shared.height >= VISIBLE
  })
  return reachable ? bounds : undefined
}

/** The same size in the middle of a display, as far as it fits. */
export function placedOn({ width, height }: Bounds, display: Bounds): Bounds {
  const size = { width: Math.min(width, display.width), height: Math.min(height, display.height) }
  return {
    ...size,
    x: display.x + Math.round((display.width - size.width) / 2),
    y: display.y + Math.round((display.height - size.height) / 2),
  }
}

/** Reads one window's state from a file that may have been edited; invalid values count as absent. */
export function readWindowState(value: unknown): WindowState | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const state = value as { bounds?: unknown; maximized?: unknown; fullscreen?: unknown }
  const bounds = readBounds(state.bounds)
  if (!bounds) return undefined
  return { bounds, maximized: state.maximized === true, fullscreen: state.fullscreen === true }
}

function readBounds(value: unknown): Bounds | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const { x, y, width, height } = value as Record<string, unknown>
  const numbers = [x, y, width, height]
  if (!numbers.every((number) => Number.isSafeInteger(number))) return undefined
  return { x: x as number, y: y as number, width: width as number, height: height as number }
}

function overlap(a: Bounds, b: Bounds): { width: number; height: number } {
  return {
    width: Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x),
    height: Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y),
  }
}

/** Times of the crashes of one window, epoch milliseconds, oldest first. */
export type Crashes = readonly number[]

/** Crashes in a minute after which reloading is pointless. */
const TOO_MANY = 3
const WITHIN_MS = 60_000

/** What to do with a window whose page crashed: reload it, or ask the user first. */
export function afterCrash(
  before: Crashes,
  now: number,
): { readonly crashes: Crashes; readonly next: 'reload' | 'ask' } {
  const crashes = [...before.filter((at) => now - at < WITHIN_MS), now]
  return { crashes, next: crashes.length < TOO_MANY ? 'reload' : 'ask' }
}

/** Zoom factors of the menu; 1 is the actual size. */
export const ZOOM_STEPS = [0.5, 0.67, 0.75, 0.8, 0.9, 1, 1.1, 1.25, 1.5, 1.75, 2] as const

/** The zoom factor for each display scale: a laptop and a large screen need different ones. */
export type Zooms = Readonly<Record<string, number>>

/** Scale factors are reported as 1.25 or 1.2500000476837158. */
const keyOf = (scale: number): string => scale.toFixed(2)

export const zoomAt = (zooms: Zooms, scale: number): number => zooms[keyOf(scale)] ?? 1

export function withZoom(zooms: Zooms, scale: number, step: 1 | -1 | 'actual'): Zooms {
  const now = zoomAt(zooms, scale)
  const next =
    step === 1
      ? ZOOM_STEPS.find((factor) => factor > now)
      : step === -1
        ? ZOOM_STEPS.findLast((factor) => factor < now)
        : 1
  return { ...zooms, [keyOf(scale)]: next ?? now }
}

/** From a file that may have been edited; invalid entries are ignored. */
export function readZooms(value: unknown): Zooms {
  if (typeof value !== 'object' || value === null) return {}
  const steps: readonly unknown[] = ZOOM_STEPS
  return Object.fromEntries(
    Object.entries(value).filter(([scale, factor]) => /^\d+\.\d\d$/.test(scale) && steps.includes(factor)),
  )
}

/** Commands of the windows' registry in the menu bar, by menu, with gaps between groups. */
export const MENU_ACTIONS = {
  file: [
    ['newMessage', 'newChannel'],
    ['settings', 'shortcuts'],
  ],
  go: [
    ['switcher', 'search'],
    ['back', 'forward'],
    ['nextUnread', 'previousUnread'],
    ['catchUp', 'mentions', 'threads', 'reminders', 'drafts'],
  ],
} as const

export type MenuName = keyof typeof MENU_ACTIONS
export type MenuAction = (typeof MENU_ACTIONS)[MenuName][number][number]

/** The text under the pointer; a part of Electron's `ContextMenuParams`. */
type TextUnderPointer = {
  readonly isEditable: boolean
  readonly selectionText: string
  readonly misspelledWord: string
  readonly dictionarySuggestions: readonly string[]
}

export type TextMenuItem =
  | { readonly kind: 'gap' }
  | { readonly kind: 'word'; readonly word: string }
  /** Adds the word to the dictionary. */
  | { readonly kind: 'learn'; readonly word: string }
  | { readonly kind: 'edit'; readonly role: 'undo' | 'redo' | 'cut' | 'copy' | 'paste' | 'selectAll' }

const GAP: TextMenuItem = { kind: 'gap' }
const SUGGESTIONS = 5

/** The menu over a text: spelling suggestions first, then the usual commands. Empty if none apply. */
export function textMenu(text: TextUnderPointer): readonly TextMenuItem[] {
  if (!text.isEditable) return text.selectionText.trim() === '' ? [] : [edit('copy')]
  return [...better(text), edit('undo'), edit('redo'), GAP, edit('cut'), edit('copy'), edit('paste'), edit('selectAll')]
}

function better({ misspelledWord: word, dictionarySuggestions }: TextUnderPointer): readonly TextMenuItem[] {
  if (word === '') return []
  const text = dictionarySuggestions.slice(0, SUGGESTIONS).map((each) => ({ kind: 'word', word: each }) as const)
  return [...text, { kind: 'learn', word }, GAP]
}

const edit = (role: Extract<TextMenuItem, { kind: 'edit' }>['role']): TextMenuItem => ({ kind: 'edit', role })
