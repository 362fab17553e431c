import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { Download } from './pick-host.ts'

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
