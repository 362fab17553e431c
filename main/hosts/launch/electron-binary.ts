import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const PROBE_TIMEOUT_MS = 4_000
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

/** Requests the checksum file of the version. Times out after four seconds. */
export async function electronReachable(packageFolder: string, environment: NodeJS.ProcessEnv): Promise<boolean> {
  const version = electronVersion(packageFolder)
  if (version === undefined) return false
  const mirror =
    environment['ELECTRON_MIRROR'] ??
    environment['npm_config_electron_mirror'] ??
    'https://github.com/electron/electron/releases/download/'
  try {
    const answer = await fetch(`${mirror.replace(/\/?$/, '/')}v${version}/SHASUMS256.txt`, {
      method: 'HEAD',
      redirect: 'manual',
      signal: AbortSignal.timeout(PROBE_TIMEOUT_MS),
    })
    return answer.status < 400
  } catch {
    // No network, no DNS, no response: nothing to download from.
    return false
  }
}

/**
 * Runs the installer of the package. Its output goes to standard error, so that `--json` keeps standard output clean.
 */
export function downloadElectron(packageFolder: string, environment: NodeJS.ProcessEnv): string | undefined {
  process.stderr.write('Downloading Electron once …\n')
  spawnSync(process.execPath, [join(packageFolder, 'install.js')], { stdio: ['ignore', 2, 2] })
  return installedElectron(packageFolder, environment)
}

function electronVersion(packageFolder: string): string | undefined {
  const text = readText(join(packageFolder, 'package.json'))
  return text === '' ? undefined : (JSON.parse(text) as { version: string }).version
}

const ifThere = (path: string): string | undefined => (existsSync(path) ? path : undefined)

const readText = (path: string): string => (existsSync(path) ? readFileSync(path, 'utf8') : '')
