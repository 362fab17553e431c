import { execFile, execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { newKeys } from '../../../.ci/sign-feed.ts'
import { electronDistribution } from '../../electron/kit/distribution.ts'
import { isRoot } from '../../electron/kit/installation.ts'
import { appImageTools, canMakeAppImages } from './app-image-tools.ts'
import { root } from './root.ts'

const ELECTRON_VERSION = '33.2.1'

/** Two versions of the packages, as `npm run package` builds them, with the Electron of the tests. */
export type Packages = {
  readonly folder: string
  /** Finds newer versions: at an address of this machine, in lists signed by a key that is created for the run. */
  readonly older: Release
  readonly updates: { readonly port: number; readonly privateKey: string }
  /** Signed, by a key that is created for the run. */
  readonly newer: Release
  /** A file with the public half of that key. */
  readonly publicKey: string
}
export type Release = {
  readonly version: string
  readonly folder: string
  readonly unpacked: string
  readonly deb: string
  readonly rpm: string
  /** Where this machine can make one. */
  readonly appImage: string | undefined
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
  'gcc',
]

/** One line that says why packages can be neither built nor installed here; undefined if they can. */
export function whyNoPackages(): string | undefined {
  if (!isRoot) return 'Packages are installed by root.'
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  const missing = PROGRAMS.filter((program) => !folders.some((folder) => existsSync(join(folder, program))))
  if (missing.length > 0) return `Not installed: ${missing.join(', ')}.`
  try {
    execFileSync('unshare', ['--mount', 'true'], { stdio: 'ignore' })
    return undefined
  } catch {
    return 'On this machine, root may not create a mount namespace.'
  }
}

/** Takes about a minute of two cores. Throws if they cannot be built. */
export async function makePackages(): Promise<Packages> {
  const distribution = await electronDistribution()
  if ('reason' in distribution) throw new Error(distribution.reason)
  const folder = mkdtempSync(join(tmpdir(), 'parlor-packages-'))
  const key = newKey(folder)
  const updateKeys = newKeys()
  const port = await freePort()
  const main = join(folder, 'main')
  const [image, imageEnv] = canMakeAppImages()
    ? [['AppImage'], { APPIMAGE_TOOLS_PATH: appImageTools(folder) }]
    : [[], {}]
  const make = (version: string, args: readonly string[], env: Readonly<Record<string, string>>): Promise<Release> =>
    pack(join(folder, version), version, distribution.folder, args, env)
  try {
    await buildMain(main, updateKeys.publicKey)
    // At the same time: neither uses more than one core for long.
    const [older, newer] = await Promise.all([
      make('0.0.9', [...image, 'deb', 'rpm'], {
        ...imageEnv,
        PARLOR_UPDATE_URL: `http://127.0.0.1:${port}`,
        PARLOR_TEST_MAIN: join(main, 'main'),
      }),
      make('0.1.0', ['tar.gz', ...image, 'deb', 'rpm', '--signed'], { ...imageEnv, ...key.env }),
    ])
    return { folder, older, newer, updates: { port, privateKey: updateKeys.privateKey }, publicKey: key.publicKey }
  } finally {
    spawnSync('gpgconf', ['--kill', 'all'], { env: { ...process.env, ...key.env } })
  }
}

/** A gpg key, locked by a passphrase, for a signer: the variables say how to use it. */
export function newKey(folder: string): { readonly env: Readonly<Record<string, string>>; readonly publicKey: string } {
  const signer = 'Releases of the test <releases@parlor.example>'
  const home = mkdtempSync(join(folder, 'signer-'))
  const unlock = join(home, 'passphrase')
  const publicKey = join(home, 'public.asc')
  writeFileSync(unlock, 'made for one test', { mode: 0o600 })
  const gpg = (...args: readonly string[]): void =>
    void execFileSync('gpg', ['--homedir', home, '--batch', '--quiet', ...args], { stdio: 'pipe' })
  gpg(
    '--pinentry-mode',
    'loopback',
    '--passphrase-file',
    unlock,
    '--quick-generate-key',
    signer,
    'ed25519',
    'sign',
    '1d',
  )
  gpg('--armor', '--output', publicKey, '--export', signer)
  return { env: { GNUPGHOME: home, PARLOR_SIGN_AS: signer, PARLOR_SIGN_UNLOCK: unlock }, publicKey }
}

export const removePackages = ({ folder }: Packages): void => rmSync(folder, { recursive: true, force: true })

/** Main of the product with another public key of updates: that key is compiled in. */
async function buildMain(outDir: string, publicKey: string): Promise<void> {
  const builder = join(root, 'node_modules/electron-vite/bin/electron-vite.js')
  const config = join(root, 'tests/packages/kit/main-only.config.ts')
  await promisify(execFile)(process.execPath, [builder, 'build', '--config', config, '--outDir', outDir], {
    cwd: root,
    env: { ...process.env, NODE_ENV: 'production', MAIN_VITE_UPDATE_KEY: publicKey },
  })
}

/** The packages name the address before anything listens there. */
async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

async function pack(
  folder: string,
  version: string,
  distribution: string,
  args: readonly string[],
  variables: Readonly<Record<string, string>>,
): Promise<Release> {
  mkdirSync(folder)
  const config = `${folder}.json`
  writeFileSync(config, JSON.stringify(configFor(version, variables['PARLOR_TEST_MAIN'])))
  const electron = ['--electron', join(distribution, 'electron'), '--electron-version', ELECTRON_VERSION]
  const all = [...args, '--built', '--out', folder, '--config', config, ...electron]
  const env = {
    ...process.env,
    ...variables,
    PARLOR_FAST_PACKAGES: '1',
    ELECTRON_BUILDER_COMPRESSION_LEVEL: '1',
    PARLOR_ADDON: join(distribution, 'better-sqlite3'),
  }
  const options = { cwd: root, env, maxBuffer: 50_000_000 }
  await promisify(execFile)(process.execPath, ['.ci/packaging/package.ts', ...all], options)
  return {
    version,
    folder,
    unpacked: join(folder, 'linux-unpacked'),
    deb: join(folder, `parlor_${version}_amd64.deb`),
    rpm: join(folder, `parlor-${version}.x86_64.rpm`),
    appImage: readdirSync(folder)
      .map((name) => join(folder, name))
      .find((path) => path.endsWith('.AppImage')),
  }
}

/** The production configuration, and what connects the Electron of the tests: see docs/testing.md. */
const configFor = (version: string, main: string | undefined): object => ({
  extends: join(root, 'electron-builder.yml'),
  extraMetadata: { version, main: 'bridge.mjs' },
  files: [
    { from: 'tests/electron/kit', to: '.', filter: ['bridge.mjs', 'server-bridge.mjs'] },
    ...(main === undefined ? [] : ['!out/main/**', { from: main, to: 'out/main', filter: ['**/*.js'] }]),
  ],
  afterPack: './tests/packages/kit/after-pack.ts',
})
