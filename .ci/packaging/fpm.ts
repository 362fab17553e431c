#!/usr/bin/env node
/**
 * Packs a folder as a deb or an rpm, from the arguments that electron-builder gives to fpm: `CUSTOM_FPM_PATH` names this
 * file, so that packaging needs the system's own `dpkg-deb` or `rpmbuild` and downloads nothing.
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join, relative, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

/**
 * The request: the options by their names without dashes, each with all its values, and which files are packed where.
 */
type Request = {
  readonly options: ReadonlyMap<string, readonly string[]>
  readonly contents: readonly { readonly from: string; readonly to: string }[]
}

const SHORT: Readonly<Record<string, string>> = { '-s': 'source', '-t': 'type', '-d': 'depends' }
const SWITCHES = new Set(['force', 'debug'])
const TAKEN = new Set(
  `source type depends architecture after-install after-remove description version package name maintainer vendor url
  category deb-priority deb-recommends deb-compression rpm-summary rpm-os rpm-compression rpm-rpmbuild-define license
  iteration log`.split(/\s+/),
)

/** Throws for an option that is not supported: a package must not silently lack something. */
export function readRequest(args: readonly string[]): Request {
  const options = new Map<string, string[]>()
  const contents: { from: string; to: string }[] = []
  const rest = [...args]
  for (let arg = rest.shift(); arg !== undefined; arg = rest.shift()) {
    if (!arg.startsWith('-')) {
      const at = arg.lastIndexOf('=')
      if (at === -1) throw new Error(`${arg} does not say where it is installed.`)
      contents.push({ from: arg.slice(0, at), to: arg.slice(at + 1) })
      continue
    }
    const [long = '', joined] = arg.startsWith('--') ? arg.slice(2).split(/=(.*)/s) : [SHORT[arg] ?? arg]
    if (SWITCHES.has(long)) continue
    if (!TAKEN.has(long)) throw new Error(`${arg} is not supported.`)
    const value = joined ?? rest.shift()
    if (value === undefined) throw new Error(`${arg} needs a value.`)
    options.set(long, [...(options.get(long) ?? []), value])
  }
  return { options, contents }
}

/** Packages of tests are compressed for speed, not for size. */
const isFast = process.env['PARLOR_FAST_PACKAGES'] === '1'

function pack(request: Request): void {
  const type = one(request, 'type')
  const working = mkdtempSync(join(tmpdir(), 'parlor-pack-'))
  try {
    const tree = join(working, 'tree')
    for (const { from, to } of request.contents) place(from, join(tree, to))
    normalizeModes(tree)
    if (type === 'deb') packDeb(request, tree)
    else if (type === 'rpm') packRpm(request, tree, working)
    else throw new Error(`${type} is none of deb and rpm.`)
  } finally {
    rmSync(working, { recursive: true, force: true })
  }
}

function one({ options }: Request, name: string): string {
  const value = options.get(name)?.at(-1)
  if (value === undefined) throw new Error(`--${name} is missing.`)
  return value
}

function place(from: string, to: string): void {
  // As in fpm: with a slash at its end, the contents of the folder.
  if (from.endsWith('/')) return cpSync(from, to, { recursive: true, verbatimSymlinks: true })
  mkdirSync(dirname(to), { recursive: true })
  copyFileSync(from, to)
}

/** The contents of a package do not depend on the umask of its builder. */
function normalizeModes(path: string): void {
  const status = lstatSync(path)
  if (status.isSymbolicLink()) return
  if (!status.isDirectory()) return chmodSync(path, status.mode & 0o111 ? 0o755 : 0o644)
  chmodSync(path, 0o755)
  for (const name of readdirSync(path)) normalizeModes(join(path, name))
}

function filesUnder(tree: string): string[] {
  return readdirSync(tree, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => relative(tree, join(entry.parentPath, entry.name)))
    .toSorted()
}

function packDeb(request: Request, tree: string): void {
  const { options } = request
  const files = filesUnder(tree)
  const bytes = files.reduce((sum, file) => sum + lstatSync(join(tree, file)).size, 0)
  const list = (name: string): string | undefined => options.get(name)?.join(', ')
  const [summary = '', ...description] = one(request, 'description').trim().split('\n')
  const iteration = options.get('iteration')?.at(-1)
  const fields: readonly (readonly [string, string | undefined])[] = [
    ['Package', one(request, 'name')],
    ['Version', one(request, 'version') + (iteration === undefined ? '' : `-${iteration}`)],
    ['License', list('license')],
    ['Vendor', list('vendor')],
    ['Architecture', one(request, 'architecture')],
    ['Maintainer', one(request, 'maintainer')],
    ['Installed-Size', String(Math.ceil(bytes / 1024))],
    ['Depends', list('depends')],
    ['Recommends', list('deb-recommends')],
    ['Section', list('category') ?? 'default'],
    ['Priority', list('deb-priority') ?? 'optional'],
    ['Homepage', list('url')],
    ['Description', [summary, ...description.map((line) => ` ${line.trim() || '.'}`)].join('\n')],
  ]
  const control = join(tree, 'DEBIAN')
  // Computed before the folder of the control files exists.
  const sums = files.map((file) => `${md5Of(join(tree, file))}  ${file}\n`).join('')
  mkdirSync(control, { mode: 0o755 })
  writeFileSync(join(control, 'md5sums'), sums)
  writeFileSync(
    join(control, 'control'),
    fields.flatMap(([name, value]) => (value === undefined ? [] : [`${name}: ${value}\n`])).join(''),
  )
  for (const [option, name] of [
    ['after-install', 'postinst'],
    ['after-remove', 'postrm'],
  ] as const) {
    const script = options.get(option)?.at(-1)
    if (script !== undefined) writeFileSync(join(control, name), readFileSync(script), { mode: 0o755 })
  }
  const compression = isFast ? ['-Zgzip', '-z1'] : [`-Z${one(request, 'deb-compression')}`]
  run('dpkg-deb', ['--root-owner-group', ...compression, '--build', tree, resolve(one(request, 'package'))])
}

const md5Of = (file: string): string => createHash('md5').update(readFileSync(file)).digest('hex')

/** How rpm names what fpm names; `xzmt` uses every core. */
const PAYLOADS: Readonly<Record<string, string>> = {
  none: 'w0.gzdio',
  gzip: 'w9.gzdio',
  bzip2: 'w9.bzdio',
  xz: 'w7.xzdio',
  xzmt: 'w7T0.xzdio',
  zstd: 'w19T0.zstdio',
}

function packRpm(request: Request, tree: string, working: string): void {
  const { options } = request
  const payload = isFast ? 'w1.gzdio' : PAYLOADS[options.get('rpm-compression')?.at(-1) ?? 'xzmt']
  if (payload === undefined) throw new Error(`rpm knows no compression of this name.`)
  const script = (section: string, option: string): string[] => {
    const path = options.get(option)?.at(-1)
    if (path === undefined) return []
    return [`%${section} -p /bin/bash\n${escapeMacros(readFileSync(path, 'utf8').replace(/^#!.*\n/, ''))}`]
  }
  const description = one(request, 'description').trim()
  const optional = (name: string, option: string): string[] => {
    const value = options.get(option)?.at(-1)
    return value === undefined ? [] : [`${name}: ${escapeMacros(value)}`]
  }
  const spec = [
    // The programs stay as they were built: nothing in them is stripped, rewritten or searched for dependencies. Links
    // by build id would be the same in two programs that are made with the same Electron, which would then conflict.
    '%global __os_install_post %{nil}',
    '%global debug_package %{nil}',
    '%define _build_id_links none',
    `%define _binary_payload ${payload}`,
    '%define _build_name_fmt package.rpm',
    ...(options.get('rpm-rpmbuild-define') ?? []).map((define) => `%define ${define}`),
    `Name: ${one(request, 'name')}`,
    `Version: ${one(request, 'version')}`,
    `Release: ${options.get('iteration')?.at(-1) ?? '1'}`,
    `Summary: ${escapeMacros(options.get('rpm-summary')?.at(-1) ?? description.split('\n')[0] ?? '')}`,
    'AutoReqProv: no',
    ...optional('License', 'license'),
    ...optional('Vendor', 'vendor'),
    ...optional('Packager', 'maintainer'),
    ...optional('URL', 'url'),
    ...optional('Group', 'category'),
    ...(options.get('depends') ?? []).map((name) => `Requires: ${name}`),
    `%description\n${escapeMacros(description)}`,
    `%install\ncp -a '${tree}/.' %{buildroot}`,
    ...script('post', 'after-install'),
    ...script('postun', 'after-remove'),
    `%files\n%defattr(-,root,root,-)`,
    ...ownFolders(tree).map((folder) => `%dir "/${escapeMacros(folder)}"`),
    ...filesUnder(tree).map((file) => `"/${escapeMacros(file)}"`),
  ]
  const specFile = join(working, 'package.spec')
  writeFileSync(specFile, `${spec.join('\n')}\n`)
  const built = join(working, 'built')
  const architecture = one(request, 'architecture')
  const target = RPM_ARCHITECTURES[architecture] ?? architecture
  const folders = ['--define', `_topdir ${working}/rpm`, '--define', `_rpmdir ${built}`]
  run('rpmbuild', ['-bb', '--quiet', '--target', target, ...folders, specFile])
  const packed = join(built, 'package.rpm')
  signRpm(packed)
  copyFileSync(packed, resolve(one(request, 'package')))
}

/**
 * The signature in the package itself, which rpm and repositories require: by the key that PARLOR_SIGN_AS names. It is
 * made here because a package signed later would no longer match the checksum in the list of versions.
 */
function signRpm(file: string): void {
  const key = process.env['PARLOR_SIGN_AS']
  if (!key) return
  const unlock = process.env['PARLOR_SIGN_UNLOCK']
  const passphrase = unlock ? ` --pinentry-mode loopback --passphrase-file ${unlock}` : ''
  const macros = [`_gpg_name ${key}`, `__gpg ${pathOf('gpg')}`, `_gpg_sign_cmd_extra_args --batch${passphrase}`]
  run('rpmsign', ['--addsign', ...macros.flatMap((macro) => ['--define', macro]), file])
}

const escapeMacros = (text: string): string => text.replaceAll('%', '%%')

/** electron-builder uses Debian's names. */
const RPM_ARCHITECTURES: Readonly<Record<string, string>> = { amd64: 'x86_64', arm64: 'aarch64' }

/** Folders that are created and removed with the package, also those of icon sizes that systems do not have. */
function ownFolders(tree: string): string[] {
  return readdirSync(tree, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => relative(tree, join(entry.parentPath, entry.name)))
    .filter((folder) => /^(?:opt\/.|usr\/share\/icons\/hicolor\/1024x1024)/.test(folder))
    .toSorted()
}

function pathOf(program: string): string {
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  const path = folders.map((folder) => join(folder, program)).find((candidate) => existsSync(candidate))
  if (path === undefined) throw new Error(`${program} is not installed.`)
  return path
}

function run(program: string, args: readonly string[]): void {
  try {
    execFileSync(program, args, { stdio: ['ignore', 'ignore', 'pipe'], encoding: 'utf8' })
  } catch (error) {
    const { code, stderr } = error as NodeJS.ErrnoException & { readonly stderr?: string }
    throw new Error(code === 'ENOENT' ? `${program} is not installed.` : `${program}: ${stderr?.trim() ?? code}`, {
      cause: error,
    })
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  try {
    pack(readRequest(process.argv.slice(2)))
  } catch (error) {
    console.error((error as Error).message)
    process.exit(1)
  }
}
