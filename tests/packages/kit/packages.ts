import { execFile, execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { electronDistribution } from '../../electron/kit/distribution.ts'
import { isRoot } from '../../electron/kit/installation.ts'
import { root } from './root.ts'

const ELECTRON_VERSION = '33.2.1'

/** Two versions of the packages, as `npm run package` makes them, with the Electron of the tests. */
export type Packages = {
  readonly folder: string
  readonly older: Release
  readonly newer: Release
}
export type Release = {
  readonly version: string
  readonly folder: string
  readonly unpacked: string
  readonly deb: string
  readonly rpm: string
}

const PROGRAMS = [
  'dpkg-deb',
  'rpmbuild',
  'rpm',
  '7za',
  'Xvfb',
  'dbus-daemon',
  'desktop-file-validate',
  'gpg',
  'openssl',
  'osslsigncode',
]

/** In one line, why packages can be neither made nor installed here; nothing if they can. */
export function whyNoPackages(): string | undefined {
  if (!isRoot) return 'Packages are installed by root.'
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  const missing = PROGRAMS.filter((program) => !folders.some((folder) => existsSync(join(folder, program))))
  if (missing.length > 0) return `Not installed: ${missing.join(', ')}.`
  try {
    execFileSync('unshare', ['--mount', 'true'], { stdio: 'ignore' })
    return undefined
  } catch {
    return 'This computer lets root have no mount namespace of its own.'
  }
}

/** Takes about a minute of two cores. Throws where they cannot be made. */
export async function makePackages(): Promise<Packages> {
  const distribution = await electronDistribution()
  if ('reason' in distribution) throw new Error(distribution.reason)
  const folder = mkdtempSync(join(tmpdir(), 'parlor-packages-'))
  const release = (version: string, ...formats: readonly string[]): Promise<Release> =>
    pack(join(folder, version), version, distribution.folder, formats)
  return {
    folder,
    older: await release('0.0.9', 'deb', 'rpm'),
    newer: await release('0.1.0', 'tar.gz', 'deb', 'rpm'),
  }
}

export const removePackages = ({ folder }: Packages): void => rmSync(folder, { recursive: true, force: true })

async function pack(
  folder: string,
  version: string,
  distribution: string,
  formats: readonly string[],
): Promise<Release> {
  mkdirSync(folder)
  const config = `${folder}.json`
  writeFileSync(config, JSON.stringify(configFor(version)))
  const electron = ['--electron', join(distribution, 'electron'), '--electron-version', ELECTRON_VERSION]
  const args = [...formats, '--built', '--out', folder, '--config', config, ...electron]
  const env = {
    ...process.env,
    PARLOR_FAST_PACKAGES: '1',
    ELECTRON_BUILDER_COMPRESSION_LEVEL: '1',
    PARLOR_ADDON: join(distribution, 'better-sqlite3'),
  }
  const options = { cwd: root, env, maxBuffer: 50_000_000 }
  await promisify(execFile)(process.execPath, ['.ci/packaging/package.ts', ...args], options)
  return {
    version,
    folder,
    unpacked: join(folder, 'linux-unpacked'),
    deb: join(folder, `parlor_${version}_amd64.deb`),
    rpm: join(folder, `parlor-${version}.x86_64.rpm`),
  }
}

/** The production configuration, and what bridges the Electron of the tests: see docs/testing.md. */
const configFor = (version: string): object => ({
  extends: join(root, 'electron-builder.yml'),
  extraMetadata: { version, main: 'bridge.mjs' },
  files: [{ from: 'tests/electron/kit', to: '.', filter: ['bridge.mjs', 'server-bridge.mjs'] }],
  afterPack: './tests/packages/kit/after-pack.ts',
})
