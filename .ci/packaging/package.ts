import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { delimiter, join, resolve } from 'node:path'
import { build } from '../build.ts'
import { root, run, scriptFlags } from '../script.ts'
import { completeRelease, joinLists, listsIn, removeEarlier } from './release-files.ts'
import { manifestOf } from '../third-party.ts'

const FORMATS = {
  linux: ['AppImage', 'deb', 'rpm', 'tar.gz'],
  win: ['nsis', 'msi'],
  mac: ['dmg', 'pkg', 'zip'],
} as const
type System = keyof typeof FORMATS

const HELP = `Builds Parlor and packs it: packages into dist/, with their checksums, notices and list of parts.

  npm run package -- [FORMAT...] [flags]

FORMAT is dir (an unpacked folder), or one of
  Linux     AppImage deb rpm tar.gz
  Windows   nsis msi
  macOS     dmg pkg zip
Without one, all of the system it runs on.

  --out DIR            where the packages go (default: dist); what an earlier run left there is deleted
  --arch ARCH          x64 or arm64 (default: that of this machine)
  --electron DIR       an unpacked Electron, instead of a download
  --electron-version V its version, if it is not the one in package.json
  --built              pack what npm run build has left in out/, as it is
  --config FILE        instead of electron-builder.yml, which FILE may name under "extends"
  --signed             fail unless keys for the signatures of the system are given
  --help               show this

Signatures, addresses and keys come from the environment: see docs/packaging.md.`

const { values, positionals } = scriptFlags(
  HELP,
  {
    out: { type: 'text' },
    arch: { type: 'choice', of: ['x64', 'arm64'] },
    electron: { type: 'text' },
    'electron-version': { type: 'text' },
    config: { type: 'text' },
    built: { type: 'boolean' },
    signed: { type: 'boolean' },
  },
  { positionals: Infinity },
)

async function packageAll(): Promise<void> {
  const { system, formats } = wanted(positionals)
  if (values.signed) requireKeys(system)
  if (!values.built) build({ force: true, onStart: () => console.error('Building Parlor …') })
  const out = resolve(values.out ?? 'dist')
  mkdirSync(out, { recursive: true })
  removeEarlier(out)
  const builder = (...args: string[]): Promise<void> =>
    electronBuilder([`--${system}`, ...args, ...common(out)], system)
  if (system === 'linux') await packLinux(formats, out, builder)
  else await builder(...formats)
  const packages = formats.filter((format) => format !== 'dir')
  if (packages.length > 0) await completeRelease(root, out, manifestOf(root).version)
  rmSync(join(out, 'builder-debug.yml'), { force: true })
  for (const name of readdirSync(out).toSorted()) console.log(join(out, name))
}

function wanted(names: readonly string[]): { readonly system: System; readonly formats: readonly string[] } {
  const here = { linux: 'linux', win32: 'win', darwin: 'mac' }[process.platform as string] as System | undefined
  const systems = (Object.keys(FORMATS) as System[]).filter((system) =>
    names.some((name) => (FORMATS[system] as readonly string[]).includes(name)),
  )
  const unknown = names.find((name) => name !== 'dir' && !Object.values(FORMATS).flat<string[][]>().includes(name))
  if (unknown !== undefined) throw new Error(`Unknown format "${unknown}". See --help.`)
  if (systems.length > 1) throw new Error('Formats of one system at a time, please.')
  const system = systems[0] ?? here
  if (system === undefined) throw new Error(`Parlor has no packages for ${process.platform}.`)
  return { system, formats: names.length > 0 ? names : FORMATS[system] }
}

/**
 * In three runs. electron-builder writes into the folder which kind of package it becomes part of (`package-type`, by
 * which the updater knows how Parlor was installed), and packs archives and AppImages at the same time: one of the same
 * run could contain the value of a deb.
 */
async function packLinux(
  formats: readonly string[],
  out: string,
  builder: (...args: string[]) => Promise<void>,
): Promise<void> {
  const archives = formats.filter((format) => format === 'tar.gz')
  const images = formats.filter((format) => format === 'AppImage')
  const installers = formats.filter((format) => format === 'deb' || format === 'rpm')
  await builder('dir', ...archives)
  const folder = join(out, (values.arch ?? process.arch) === 'x64' ? 'linux-unpacked' : 'linux-arm64-unpacked')
  if (images.length > 0) await builder(...images, '--prepackaged', folder)
  if (installers.length === 0) return
  const earlier = listsIn(out)
  await builder(...installers, '--prepackaged', folder)
  for (const name of earlier.keys()) joinLists(join(out, name), earlier.get(name) ?? '')
}

function common(out: string): string[] {
  const { arch, config, electron } = values
  const version = values['electron-version']
  return [
    '--publish',
    'never',
    `-c.directories.output=${out}`,
    ...(arch === undefined ? [] : [`--${arch}`]),
    ...(config === undefined ? [] : ['--config', resolve(config)]),
    ...(electron === undefined ? [] : [`-c.electronDist=${resolve(electron)}`]),
    ...(version === undefined ? [] : [`-c.electronVersion=${version}`]),
    ...(values.signed ? ['-c.forceCodeSigning=true'] : []),
  ]
}

/** Requirements for signing, checked before anything is built. */
function requireKeys(system: System): void {
  const has = (...names: string[]): boolean => names.some((name) => (process.env[name] ?? '') !== '')
  if (system === 'linux' && !has('PARLOR_SIGN_AS')) throw new Error('--signed needs PARLOR_SIGN_AS.')
  if (system === 'win' && !has('PARLOR_WINDOWS_SIGNER', 'WIN_CSC_LINK', 'CSC_LINK'))
    throw new Error('--signed needs PARLOR_WINDOWS_SIGNER or WIN_CSC_LINK.')
  if (system === 'mac' && !has('CSC_LINK', 'CSC_NAME')) throw new Error('--signed needs CSC_LINK or CSC_NAME.')
  if (system === 'mac' && !has('APPLE_API_KEY', 'APPLE_ID', 'APPLE_KEYCHAIN_PROFILE'))
    throw new Error('--signed needs APPLE_API_KEY, APPLE_ID or APPLE_KEYCHAIN_PROFILE.')
}

async function electronBuilder(args: readonly string[], system: System): Promise<void> {
  const publisher = process.env['PARLOR_WINDOWS_PUBLISHER']
  const names = system === 'win' && publisher ? [`-c.win.signtoolOptions.publisherName=${publisher}`] : []
  const { code } = await run('electron-builder', [...args, ...names], toolsOfTheSystem())
  if (code !== 0) throw new Error('electron-builder could not pack Parlor.')
}

/** Programs of this machine in place of those that electron-builder would download. */
function toolsOfTheSystem(): Record<string, string> {
  const tools: Record<string, string> = { PARLOR_UPDATE_URL: process.env['PARLOR_UPDATE_URL'] ?? '' }
  if (process.platform !== 'linux') return tools
  tools['CUSTOM_FPM_PATH'] = process.env['CUSTOM_FPM_PATH'] ?? join(import.meta.dirname, 'fpm.ts')
  const archiver = process.env['ELECTRON_BUILDER_7ZIP_PATH'] ?? found('7za') ?? found('7zz')
  if (archiver !== undefined) tools['ELECTRON_BUILDER_7ZIP_PATH'] = archiver
  return tools
}

function found(program: string): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  return folders.map((folder) => join(folder, program)).find((path) => existsSync(path))
}

try {
  await packageAll()
} catch (error) {
  console.error((error as Error).message)
  process.exitCode = 1
}
