import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { scriptFlags } from './script.ts'
import { noticesOf, NOTICES_NAME, shippedPackages } from './third-party.ts'
import { MANIFEST_NAME } from '#main/hosts/node/renderer-files.ts'

/** Skips the work when no input has changed since, so that `npm start` is quick. */
const HELP = `Builds main, preload and renderer into out/, if anything has changed. Types are checked by npm run check.

  npm run build -- [flags]

  --force   build even if nothing has changed
  --quiet   print nothing if nothing has changed
  --help    show this`

const root = fileURLToPath(new URL('..', import.meta.url))
const out = join(root, 'out')
const STAMP = join(out, '.stamp')
const LOCK = join(root, 'node_modules/.cache/parlor-build.lock')
const SOURCES = [
  '.ci/page-files.ts',
  '.ci/third-party.ts',
  'main',
  'preload',
  'renderer',
  'shared',
  'resources',
  'electron.vite.config.ts',
  'package-lock.json',
]

/** Returns whether anything was built. Throws with the output of the builder when it fails. */
export function build(options: { force?: boolean; onStart?: () => void } = {}): boolean {
  if (!options.force && readStamp() === stampOfSources()) return false
  options.onStart?.()
  const unlock = waitForTurn()
  try {
    return buildNow(options.force ?? false)
  } finally {
    unlock()
  }
}

function buildNow(force: boolean): boolean {
  const stamp = stampOfSources()
  if (!force && readStamp() === stamp) return false
  rmSync(out, { recursive: true, force: true })
  const result = spawnSync(process.execPath, [electronVite(), 'build', '--logLevel', 'warn'], {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, NODE_ENV: 'production' },
  })
  if (result.status !== 0) throw new Error(`The build failed.\n${result.stdout}${result.stderr}`)
  writeManifest(join(out, 'renderer'))
  writeFileSync(join(out, NOTICES_NAME), noticesOf(root, shippedPackages(root)))
  mkdirSync(out, { recursive: true })
  writeFileSync(STAMP, stamp)
  return true
}

const electronVite = (): string => join(root, 'node_modules/electron-vite/bin/electron-vite.js')

/** Two starts at once build once: the second waits for the first. A lock of a process that has ended is taken over. */
function waitForTurn(): () => void {
  mkdirSync(dirname(LOCK), { recursive: true })
  for (;;) {
    try {
      writeFileSync(LOCK, String(process.pid), { flag: 'wx' })
      return () => rmSync(LOCK, { force: true })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
      if (isAbandoned()) rmSync(LOCK, { force: true })
      else Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100)
    }
  }
}

function isAbandoned(): boolean {
  try {
    process.kill(Number(readFileSync(LOCK, 'utf8')), 0)
    return false
  } catch (error) {
    // No such process, or the file no longer exists; another user's process (EPERM) is still building.
    return (error as NodeJS.ErrnoException).code === 'ESRCH'
  }
}

/** Every file of the browser part, without source maps: the hosts serve these and no others. */
function writeManifest(folder: string): void {
  const paths = filesUnder(folder)
    .map((path) => `/${relative(folder, path).split('\\').join('/')}`)
    .filter((path) => !path.endsWith('.map'))
    .toSorted()
  writeFileSync(join(out, MANIFEST_NAME), JSON.stringify(paths))
}

function stampOfSources(): string {
  const hash = createHash('sha256')
  for (const source of SOURCES) {
    for (const path of filesUnder(join(root, source))) {
      if (/\.test\.tsx?$/.test(path)) continue
      const { size, mtimeMs } = statSync(path)
      hash.update(`${relative(root, path)} ${size} ${mtimeMs}\n`)
    }
  }
  return hash.digest('hex')
}

function readStamp(): string | undefined {
  return existsSync(STAMP) ? readFileSync(STAMP, 'utf8') : undefined
}

function filesUnder(path: string): string[] {
  if (!statSync(path).isDirectory()) return [path]
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted()
}

if (import.meta.main) {
  try {
    const { values } = scriptFlags(HELP, { force: { type: 'boolean' }, quiet: { type: 'boolean' } })
    const startedAt = performance.now()
    const onStart = (): void => console.error('Building Parlor; this happens once after a change …')
    const built = build({ force: values.force, onStart })
    const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1)
    if (built) console.error(`Built in ${seconds} s.`)
    else if (!values.quiet) console.error('Nothing has changed.')
  } catch (error) {
    console.error((error as Error).message)
    process.exit(1)
  }
}
