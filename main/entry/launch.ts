import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { writeCredential } from '#main/app/accounts/credential.ts'
import type { StartOptions } from './start-options.ts'

/** The user or the system ends Parlor with one of these. */
const PASSED_ON = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Electron that ends with a failure this early never showed a window. */
const EARLY_MS = 2_500

/**
 * Runs the built app in Electron until it ends. Signals are passed on. The token is passed in the environment, because
 * every process of the machine can read an argument.
 *
 * @returns its exit code, and whether it failed too early to have shown a window
 */
export function runElectron(
  path: string,
  appFolder: string,
  dataFolder: string | undefined,
  options: StartOptions,
): Promise<{ code: number; early: boolean }> {
  const startedAt = performance.now()
  const { asUserId, demo, connect } = options.launch
  const args = [
    appFolder,
    ...(dataFolder === undefined ? [] : ['--data', dataFolder]),
    ...(asUserId === undefined ? [] : ['--as', asUserId]),
    ...(demo === true ? ['--demo'] : []),
    ...(connect ? ['--connect', connect.url, '--api-key', connect.apiKey] : []),
    ...(options.json ? ['--json'] : []),
    ...(options.inspect === undefined ? [] : [`--${options.inspect}`]),
  ]
  const child = spawn(path, args, {
    stdio: 'inherit',
    env: { ...process.env, ...(connect ? { PARLOR_TOKEN: writeCredential(connect.credential) } : {}) },
  })
  for (const signal of PASSED_ON) process.on(signal, () => child.kill(signal))
  return new Promise((resolve) => {
    const end = (code: number): void => resolve({ code, early: code !== 0 && performance.now() - startedAt < EARLY_MS })
    child.once('error', () => end(127))
    child.once('exit', (code, signal) => end(codeOf(code, signal)))
  })
}

/** A crash is a signal too, for example Chromium's SIGTRAP when it refuses to start; shells report it as 128 and its number. */
function codeOf(code: number | null, signal: NodeJS.Signals | null): number {
  if (signal === null) return code ?? 1
  return PASSED_ON.some((passed) => passed === signal) ? 0 : 128 + constants.signals[signal]
}

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
  const program = join(import.meta.dirname, 'download-electron.ts')
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
