import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { screen, type BrowserWindow, nativeTheme } from 'electron'
import type { Theme } from '#shared/domain/settings.ts'
import { readWindowState, type WindowState, placedOn, restoreBounds } from '../../rules/windows/window-options.ts'
import type { ThemeCapability } from '../../host.ts'

const THEMES: readonly string[] = ['system', 'light', 'dark', 'hc-light', 'hc-dark']

/** Windows of one place whose bounds are stored; the one moved longest ago is dropped. */
const MAX_PLACES = 50

/**
 * The bounds of windows on disk: the main one in `window.json`, those of one place in `windows.json` by their query.
 */
export class WindowStates {
  readonly #folder: string
  #ofPlaces: Readonly<Record<string, WindowState>> | undefined

  constructor(folder: string) {
    this.#folder = folder
  }

  /** @param query that of its page; empty for the main window. Absent when the file is missing or invalid. */
  read(query: string): WindowState | undefined {
    return query === '' ? readWindowState(readJson(join(this.#folder, 'window.json'))) : this.#places()[query]
  }

  /** At once: the process may end right after its last window was closed. Throws when the disk refuses it. */
  save(query: string, state: WindowState): void {
    if (query === '') return this.#write('window.json', state)
    const { [query]: _before, ...others } = this.#places()
    this.#ofPlaces = Object.fromEntries([...Object.entries(others), [query, state] as const].slice(-MAX_PLACES))
    this.#write('windows.json', this.#ofPlaces)
  }

  #places(): Readonly<Record<string, WindowState>> {
    this.#ofPlaces ??= readPlaces(readJson(join(this.#folder, 'windows.json')))
    return this.#ofPlaces
  }

  #write(name: string, content: object): void {
    const path = join(this.#folder, name)
    writeFileSync(`${path}.new`, JSON.stringify(content), { mode: 0o600 })
    renameSync(`${path}.new`, path)
  }
}

function readPlaces(value: unknown): Readonly<Record<string, WindowState>> {
  if (typeof value !== 'object' || value === null) return {}
  return Object.fromEntries(
    Object.entries(value).flatMap(([query, each]) => {
      const state = readWindowState(each)
      return state ? [[query, state] as const] : []
    }),
  )
}

/** The theme for the window's background before the settings service has started. */
export function readStoredTheme(dataFolder: string): Theme {
  const theme = readStored(dataFolder)?.theme
  return typeof theme === 'string' && THEMES.includes(theme) ? (theme as Theme) : 'system'
}

/** Whether hardware acceleration is on; read before Electron is ready. */
export const readStoredGraphics = (dataFolder: string): boolean => readStored(dataFolder)?.desktop?.graphics !== false

type Stored = { readonly theme?: unknown; readonly desktop?: { readonly graphics?: unknown } | null }

function readStored(dataFolder: string): Stored | null | undefined {
  const file = readJson(join(dataFolder, 'settings.json')) as { settings?: Stored | null } | null | undefined
  return file?.settings
}

function readJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    // Missing or damaged: the window opens with its defaults, and the settings service handles the file.
    return undefined
  }
}

/**
 * Moves a window that is on no display anymore to the first one, after a display was removed or rearranged.
 */
export function keepOnScreen(window: BrowserWindow): void {
  const moveBack = (): void => {
    if (window.isDestroyed()) return
    const areas = screen.getAllDisplays().map(({ workArea }) => workArea)
    const bounds = window.getBounds()
    if (restoreBounds(bounds, areas)) return
    const [first] = areas
    if (first) window.setBounds(placedOn(bounds, first))
  }
  screen.on('display-removed', moveBack)
  screen.on('display-metrics-changed', moveBack)
  window.once('closed', () => {
    screen.off('display-removed', moveBack)
    screen.off('display-metrics-changed', moveBack)
  })
}

/** Menus, dialogs and the edges of windows follow the theme of the windows. */
export const electronTheme: ThemeCapability = {
  set(theme) {
    nativeTheme.themeSource = theme === 'system' ? 'system' : theme.endsWith('dark') ? 'dark' : 'light'
  },
}
