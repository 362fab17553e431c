import {
  chmodSync,
  copyFileSync,
  cpSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const sources = fileURLToPath(new URL('.', import.meta.url))

/** `nobody` and `nogroup`: the account of tests that were started by root. */
export const ORDINARY_USER = 65_534
export const isRoot = process.getuid?.() === 0

/** The built app and the distribution, where any account can read them: a clone of root's may be in a closed folder. */
export type Installation = {
  readonly folder: string
  /** Runs Electron with the given arguments, as an ordinary user. */
  readonly program: string
  /** The same as the user who runs the tests. */
  readonly programAsIs: string
  /** The app's own folder, which Electron finds by its place. */
  readonly app: string
}

/** @param main the app's first module, `bridge.mjs` or one that imports it */
export function install(distribution: string, main = 'bridge.mjs'): Installation {
  const folder = mkdtempSync(join(tmpdir(), 'parlor-electron-'))
  chmodSync(folder, 0o755)
  linkAll(join(distribution, 'electron'), join(folder, 'electron'))
  const app = join(folder, 'electron/resources/app')
  linkAll(join(root, 'out'), join(app, 'out'), (name) => !name.endsWith('.map'))
  linkAll(join(root, 'resources'), join(app, 'resources'))
  for (const name of productionPackages()) linkAll(join(root, name), join(app, name), (file) => file !== 'prebuilds')
  linkAll(join(distribution, 'better-sqlite3'), join(app, 'node_modules/better-sqlite3/prebuilds'))
  for (const name of ['bridge.mjs', 'server-bridge.mjs']) cpSync(join(sources, name), join(app, name))
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as object
  writeFileSync(join(app, 'package.json'), JSON.stringify({ ...manifest, main }))
  const programAsIs = join(folder, 'electron/electron')
  const program = join(folder, 'run')
  const asUser = isRoot ? `setpriv --reuid=${ORDINARY_USER} --regid=${ORDINARY_USER} --clear-groups -- ` : ''
  writeFileSync(program, `#!/bin/sh\nexec ${asUser}"${programAsIs}" "$@"\n`, { mode: 0o755 })
  return { folder, program, programAsIs, app }
}

export const uninstall = ({ folder }: Installation): void => rmSync(folder, { recursive: true, force: true })

/** Folders of what is installed with Parlor, by the lockfile. */
function productionPackages(): string[] {
  type Lock = { readonly packages: Readonly<Record<string, { readonly dev?: boolean; readonly optional?: boolean }>> }
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as Lock
  return Object.entries(packages).flatMap(([path, { dev, optional }]) =>
    path === '' || dev === true || optional === true ? [] : [path],
  )
}

/** Hard links where the temporary folder is on the same disk, copies elsewhere. */
function linkAll(from: string, to: string, wanted: (name: string) => boolean = () => true): void {
  mkdirSync(to, { recursive: true })
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    if (!wanted(entry.name)) continue
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    if (entry.isDirectory()) linkAll(source, target, wanted)
    else linkOrCopy(source, target)
  }
}

function linkOrCopy(source: string, target: string): void {
  try {
    linkSync(source, target)
  } catch {
    mkdirSync(dirname(target), { recursive: true })
    copyFileSync(source, target)
  }
}
