import { readFileSync } from 'node:fs'
import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Theme } from '#shared/domain/settings.ts'
import { readWindowState, type WindowState } from '../../rules/windows/bounds.ts'

const THEMES: readonly string[] = ['system', 'light', 'dark', 'hc-light', 'hc-dark']

/** Windows of one place whose bounds are stored; the one moved longest ago is dropped. */
const MAX_PLACES = 50

/**
 * The bounds of windows on disk: the main one in `window.json`, those of one place in `windows.json` by their query.
 */
export class WindowStates {
  readonly #folder: string
  #ofPlaces: Readonly<Record<string, WindowState>> | undefined
  #writing: Promise<void> = Promise.resolve()

  constructor(folder: string) {
    this.#folder = folder
  }

  /** @param query that of its page; empty for the main window. Absent when the file is missing or invalid. */
  read(query: string): WindowState | undefined {
    return query === '' ? readWindowState(readJson(join(this.#folder, 'window.json'))) : this.#places()[query]
  }

  save(query: string, state: WindowState): Promise<void> {
    if (query === '') return this.#write('window.json', state)
    const { [query]: _before, ...others } = this.#places()
    this.#ofPlaces = Object.fromEntries([...Object.entries(others), [query, state] as const].slice(-MAX_PLACES))
    return this.#write('windows.json', this.#ofPlaces)
  }

  #places(): Readonly<Record<string, WindowState>> {
    this.#ofPlaces ??= readPlaces(readJson(join(this.#folder, 'windows.json')))
    return this.#ofPlaces
  }

  /** Writes run one after another: two windows that move at once share a file. */
  #write(name: string, content: object): Promise<void> {
    const path = join(this.#folder, name)
    const write = async (): Promise<void> => {
      await writeFile(`${path}.new`, JSON.stringify(content), { mode: 0o600 })
      await rename(`${path}.new`, path)
    }
    const written = this.#writing.then(write)
    this.#writing = written.catch(() => undefined)
    return written
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
