import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'

/** Which host to start, and the line of text that explains why. */
export type HostChoice =
  | { readonly host: 'electron'; readonly path: string; readonly why: string }
  | { readonly host: 'browser'; readonly why: string }

/** What the choice depends on; the real ones are below. */
export type LaunchFacts = {
  readonly wanted: 'electron' | 'browser' | undefined
  /** Linux without any display server. */
  readonly noScreen: boolean
  /** Chromium does not run its sandbox for root, and Parlor shows no page without it. */
  readonly isRoot: boolean
  /** The Electron executable, if it is there and of the right version. */
  installed(): string | undefined
  download(): Promise<Download>
}

/** The executable, or in a few words why it could not be downloaded. */
type Download = { readonly path: string } | { readonly problem: string }

const TRY_AGAIN =
  'For a window of its own, start it again with a network, or set ELECTRON_MIRROR to a mirror of Electron’s releases.'

/**
 * Electron if it is installed or can be downloaded, otherwise the browser host. A host named by flag is used or
 * refused.
 *
 * @returns the choice, or the line that says why the named host cannot run
 */
export async function pickHost(
  facts: LaunchFacts,
): Promise<HostChoice | { readonly host: 'none'; readonly why: string }> {
  if (facts.wanted === 'browser') return { host: 'browser', why: 'Parlor runs in the browser host, as asked.' }
  if (facts.noScreen && facts.wanted === undefined) {
    return { host: 'browser', why: 'Parlor runs in the browser host: there is no screen for Electron.' }
  }
  const electron = await findElectron(facts)
  if ('path' in electron)
    return { host: 'electron', path: electron.path, why: `Parlor runs in Electron: ${electron.why}.` }
  const more = electron.advice === undefined ? '' : ` ${electron.advice}`
  return facts.wanted === 'electron'
    ? { host: 'none', why: `Parlor cannot run in Electron: ${electron.why}.${more}` }
    : { host: 'browser', why: `Parlor runs in the browser host: ${electron.why}.${more}` }
}

type Found = { readonly path: string; readonly why: string } | { readonly why: string; readonly advice?: string }

async function findElectron(facts: LaunchFacts): Promise<Found> {
  if (facts.isRoot) return { why: 'Electron does not run as root; start Parlor as an ordinary user' }
  const path = facts.installed()
  if (path !== undefined) return { path, why: 'it is installed' }
  const download = await facts.download()
  return 'path' in download
    ? { path: download.path, why: 'it has just been downloaded' }
    : { why: `Electron could not be downloaded (${download.problem})`, advice: TRY_AGAIN }
}

const EXECUTABLE: Partial<Record<NodeJS.Platform, string>> = {
  darwin: 'Electron.app/Contents/MacOS/Electron',
  win32: 'electron.exe',
}

/** The executable of the override folder, or of the installed package if its version matches the package. */
export function installedElectron(packageFolder: string, environment: NodeJS.ProcessEnv): string | undefined {
  const name = EXECUTABLE[process.platform] ?? 'electron'
  const override = environment['ELECTRON_OVERRIDE_DIST_PATH']
  if (override) return ifThere(join(override, name))
  const dist = join(packageFolder, 'dist')
  if (readText(join(dist, 'version')).replace(/^v/, '') !== electronVersion(packageFolder)) return undefined
  return ifThere(join(dist, name))
}

/**
 * Downloads the version of the package. The progress is on standard error, so that `--json` keeps standard output clean.
 * In a separate process, because Node reads the proxy of the environment only when it starts.
 */
export async function downloadElectron(packageFolder: string, environment: NodeJS.ProcessEnv): Promise<Download> {
  const program = join(import.meta.dirname, '../../entry/download-electron.ts')
  const child = spawn(process.execPath, [program, packageFolder], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...environment, NODE_USE_ENV_PROXY: '1' },
  })
  const problem = await text(child.stdout)
  const path = installedElectron(packageFolder, environment)
  return path === undefined ? { problem: problem.trim() } : { path }
}

function electronVersion(packageFolder: string): string | undefined {
  const text = readText(join(packageFolder, 'package.json'))
  return text === '' ? undefined : (JSON.parse(text) as { version: string }).version
}

const ifThere = (path: string): string | undefined => (existsSync(path) ? path : undefined)

const readText = (path: string): string => (existsSync(path) ? readFileSync(path, 'utf8') : '')
