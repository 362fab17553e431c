import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { HostInfo } from '#shared/bridge/transport.ts'
import type { RandomBytes } from './access.ts'

type Command = readonly [program: string, ...arguments: string[]]

/** How a page can be shown on this machine. */
export type Browser =
  /** A Chromium-family browser, run without tabs or address bar, with a separate profile folder. */
  { readonly kind: 'app-window'; readonly path: string } | { readonly kind: 'default'; readonly command: Command }

const NAMES: Record<HostInfo['os'], readonly string[]> = {
  linux: ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'microsoft-edge', 'brave-browser'],
  macos: [
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
    '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
    '/Applications/Brave Browser.app/Contents/MacOS/Brave Browser',
  ],
  windows: [
    'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
    'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
    'C:\\Program Files\\Microsoft\\Edge\\Application\\msedge.exe',
  ],
}

const OPENERS: Record<HostInfo['os'], readonly string[]> = {
  linux: ['xdg-open'],
  macos: ['/usr/bin/open'],
  windows: ['C:\\Windows\\System32\\rundll32.exe', 'url.dll,FileProtocolHandler'],
}

/** The best way to show a page here; `undefined` where there is no screen or nothing to show it with. */
export function findBrowser(os: HostInfo['os'], environment: NodeJS.ProcessEnv = process.env): Browser | undefined {
  if (os === 'linux' && !environment['DISPLAY'] && !environment['WAYLAND_DISPLAY']) return undefined
  const chromium = [environment['CHROMIUM_PATH'] ?? '', ...NAMES[os]]
    .map((name) => findExecutable(name, environment))
    .find((path) => path !== undefined)
  if (chromium) return { kind: 'app-window', path: chromium }
  const command = systemOpener(os, environment)
  return command && { kind: 'default', command }
}

/** The command that opens a URL or file in the user's default program. */
export function systemOpener(os: HostInfo['os'], environment: NodeJS.ProcessEnv = process.env): Command | undefined {
  const [name = '', ...rest] = OPENERS[os]
  const path = findExecutable(name, environment)
  return path === undefined ? undefined : [path, ...rest]
}

function findExecutable(name: string, environment: NodeJS.ProcessEnv): string | undefined {
  if (name === '') return undefined
  if (/[/\\]/.test(name)) return existsSync(name) ? name : undefined
  const folders = (environment['PATH'] ?? '').split(delimiter)
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path))
}

/**
 * Writes the file that redirects the browser to us. The URL with its code is in the file, which only this user can
 * read, and never on a command line, which every user of the machine can read.
 *
 * @returns the file and what removes it
 */
export async function writeRedirectFile(
  folder: string,
  url: string,
  random: RandomBytes,
): Promise<{ path: string; remove: () => Promise<void> }> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const path = join(folder, `open-${random(8).toString('hex')}.html`)
  const page = `<!doctype html><meta charset="utf-8"><title>Parlor</title><meta name="referrer" content="no-referrer"><meta http-equiv="refresh" content="0; url=${url}">\n`
  await writeFile(path, page, { mode: 0o600, flag: 'wx' })
  return { path, remove: () => rm(path, { force: true }) }
}

/** Starts the browser on the redirect file. The child is detached: it may outlive us. */
export function showFile(browser: Browser, file: string, profileFolder: string): ChildProcess {
  const address = pathToFileURL(file).href
  const [command, ...args] =
    browser.kind === 'app-window'
      ? [browser.path, ...appWindowFlags(profileFolder), `--app=${address}`]
      : [...browser.command, address]
  const child = spawn(command, args, { stdio: 'ignore', detached: true })
  child.unref()
  return child
}

function appWindowFlags(profileFolder: string): string[] {
  // Chromium refuses to run as root inside its sandbox; users who do that run it in a container.
  const asRoot = process.getuid?.() === 0 ? ['--no-sandbox', '--test-type'] : []
  return [
    `--user-data-dir=${profileFolder}`,
    '--no-first-run',
    '--no-default-browser-check',
    '--disable-sync',
    '--disable-background-networking',
    '--disable-component-update',
    '--window-size=1280,820',
    ...asRoot,
  ]
}
