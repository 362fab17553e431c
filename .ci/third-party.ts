import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'vite'
import { execFileSync } from 'node:child_process'

/** Name of the file in out/ that is shipped with Parlor and shown under About. */
export const NOTICES_NAME = 'third-party-notices.txt'

type Lock = { readonly packages: Readonly<Record<string, { readonly dev?: boolean; readonly optional?: boolean }>> }
type Manifest = { readonly version: string; readonly license?: string; readonly homepage?: string }

/** Where the names of the bundled packages are stored between the bundler and the build. */
const listOf = (root: string, bundle: string): string =>
  join(root, `node_modules/.cache/parlor-packages-${bundle}.json`)
const BUNDLES = ['main', 'preload', 'renderer'] as const

/** Records the packages of the modules and files of a bundle. */
export const listPackages = (root: string, name: (typeof BUNDLES)[number]): Plugin => ({
  name: 'parlor-packages',
  apply: 'build',
  generateBundle(_options, bundle) {
    const ids = Object.values(bundle).flatMap((part) =>
      part.type === 'chunk' ? part.moduleIds : part.originalFileNames,
    )
    const names = ids.flatMap((id) => {
      const found = /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(id.replaceAll('\\', '/'))?.[1]
      return found === undefined ? [] : [found]
    })
    mkdirSync(join(root, 'node_modules/.cache'), { recursive: true })
    writeFileSync(listOf(root, name), JSON.stringify([...new Set(names)].toSorted()))
  },
})

/** Folders under node_modules of every package in Parlor, sorted; after {@link listPackages} of each bundle. */
export function shippedPackages(root: string): string[] {
  const bundled = BUNDLES.flatMap((name) => JSON.parse(readFileSync(listOf(root, name), 'utf8')) as string[])
  return [...new Set([...bundled, ...installedWith(root)])].toSorted()
}

/**
 * The packages installed beside the bundles: the dependencies and theirs. Node itself is not shipped: Electron has its
 * own.
 */
function installedWith(root: string): string[] {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as Lock
  return Object.entries(packages).flatMap(([path, { dev, optional }]) =>
    path === '' || dev === true || optional === true ? [] : [path.replace(/^node_modules\//, '')],
  )
}

/** Terms of data in resources/ that is by other authors. */
const DATA = ['resources/map/NOTICE.txt', 'resources/map/NAMES-NOTICE.txt']

/** Throws for a package without a license text or an SPDX name: nothing is shipped under unknown terms. */
export function noticesOf(root: string, packages: readonly string[]): string {
  const parts = packages.map((name) => {
    const folder = join(root, 'node_modules', name)
    const { version, license, homepage } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest
    const texts = readdirSync(folder)
      .filter((file) => /^(licen[cs]e|copying|notice)/i.test(file))
      .toSorted()
      .map((file) => readFileSync(join(folder, file), 'utf8').trim())
    if (texts.length === 0 && license === undefined) throw new Error(`${name} has no license.`)
    const head = [`${name} ${version}`, license, homepage].filter((line) => line !== undefined).join('\n')
    return [head, ...texts].join('\n\n')
  })
  const lead = 'Parlor includes the following software and data of other authors, under the terms given with each.'
  const data = DATA.map((file) => readFileSync(join(root, file), 'utf8').trim())
  return `${[lead, ...parts, ...data].join(`\n\n${'-'.repeat(80)}\n\n`)}\n`
}

type Component = { readonly 'bom-ref': string } & Readonly<Record<string, unknown>>
type Bom = {
  readonly components: readonly Component[]
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn?: readonly string[] }[]
  readonly metadata: { readonly component: Component } & Readonly<Record<string, unknown>>
} & Readonly<Record<string, unknown>>
type PackageManifest = {
  readonly name: string
  readonly version: string
  readonly license?: string
  /** Names that packages used before npm required SPDX. */
  readonly licenses?: readonly { readonly type: string }[]
}

/** Of Parlor itself, or of a package by its folder. */
export const manifestOf = (folder: string): PackageManifest =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as PackageManifest

/**
 * The components of Parlor, in CycloneDX: of all that npm reads from the lockfile, the packages in the bundles, those
 * installed beside them, and Electron; nothing that only builds or tests Parlor.
 */
export function softwareBill(root: string, version: string): string {
  const bom = JSON.parse(npmSbom(root)) as Bom
  const shipped = new Map(
    [...shippedPackages(root), 'electron'].map((name) => {
      const found = manifestOf(join(root, 'node_modules', name))
      return [`${found.name}@${found.version}`, found]
    }),
  )
  const components = bom.components.flatMap(({ properties: _properties, scope: _scope, ...component }) => {
    // For npm, bundled packages are development dependencies: those two fields say so.
    const manifest = shipped.get(component['bom-ref'])
    return manifest ? [{ licenses: licensesOf(manifest), ...component }] : []
  })
  if (components.length !== shipped.size) throw new Error('The lockfile is not that of what is installed.')
  const { properties: _properties, scope: _scope, ...self } = bom.metadata.component
  const { name } = manifestOf(root)
  const component = { ...self, 'bom-ref': `${name}@${version}`, name, version, type: 'application' }
  const dependencies = bom.dependencies
    .filter(({ ref }) => ref === self['bom-ref'] || shipped.has(ref))
    .map(({ ref, dependsOn = [] }) => ({
      ref: ref === self['bom-ref'] ? component['bom-ref'] : ref,
      dependsOn: dependsOn.filter((other) => shipped.has(other)),
    }))
  const metadata = { ...bom.metadata, component, lifecycles: [{ phase: 'build' }] }
  return `${JSON.stringify({ ...bom, metadata, components, dependencies }, null, 2)}\n`
}

const licensesOf = ({ license, licenses = [] }: PackageManifest): object[] =>
  [license, ...licenses.map(({ type }) => type)].flatMap((id) => (id === undefined ? [] : [{ license: { id } }]))

function npmSbom(root: string): string {
  return execFileSync('npm', ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 100_000_000,
    // npm prints warnings about a user's settings there.
    stdio: ['ignore', 'pipe', 'ignore'],
    shell: process.platform === 'win32',
  })
}
