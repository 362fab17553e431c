import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

const NAMES = [
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'microsoft-edge',
  'brave-browser',
]

/** The Chromium-family browser of this machine, or undefined. `CHROMIUM_PATH` wins. */
export const findChromium = (): string | undefined => findBrowser(NAMES)

/** For stories that need no screen: Debian's Chromium without one, which takes a third less processor time. */
export const findHeadlessChromium = (): string | undefined => findBrowser(['chromium-headless-shell', ...NAMES])

function findBrowser(names: readonly string[]): string | undefined {
  const given = process.env['CHROMIUM_PATH']
  const places = (process.env['PATH'] ?? '')
    .split(delimiter)
    .flatMap((folder) => names.map((name) => join(folder, name)))
  return [...(given ? [given] : []), ...places].find(isExecutable)
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** For a Chromium that tests drive: no sandbox (they may run as root), and no requests at start. */
export const CHROMIUM_FLAGS: readonly string[] = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]
