import { readFileSync } from 'node:fs'
import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Theme } from '#shared/domain/settings.ts'
import { readWindowState, type WindowState } from '../rules/bounds.ts'

const THEMES: readonly string[] = ['system', 'light', 'dark', 'hc-light', 'hc-dark']

/** How the main window was left; absent when the file is missing or odd. */
export function readSavedWindow(dataFolder: string): WindowState | undefined {
  return readWindowState(readJson(join(dataFolder, 'window.json')))
}

export async function saveWindow(dataFolder: string, state: WindowState): Promise<void> {
  const path = join(dataFolder, 'window.json')
  await writeFile(`${path}.new`, JSON.stringify(state), { mode: 0o600 })
  await rename(`${path}.new`, path)
}

/** The theme the window's background needs before the settings service is up. */
export function readStoredTheme(dataFolder: string): Theme {
  const theme = readStored(dataFolder)?.theme
  return typeof theme === 'string' && THEMES.includes(theme) ? (theme as Theme) : 'system'
}

/** Whether the graphics card is to draw; asked before Electron is ready. */
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
    // Missing or damaged: the window opens with its defaults, and the settings service deals with the file.
    return undefined
  }
}
