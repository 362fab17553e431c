import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { shippedPackages } from '../third-party.ts'

type Component = { readonly 'bom-ref': string } & Readonly<Record<string, unknown>>
type Bom = {
  readonly components: readonly Component[]
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn?: readonly string[] }[]
  readonly metadata: { readonly component: Component } & Readonly<Record<string, unknown>>
} & Readonly<Record<string, unknown>>
type Manifest = {
  readonly name: string
  readonly version: string
  readonly license?: string
  /** Names that packages used before npm required SPDX. */
  readonly licenses?: readonly { readonly type: string }[]
}

/** Of Parlor itself, or of a package by its folder. */
export const manifestOf = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest

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

const licensesOf = ({ license, licenses = [] }: Manifest): object[] =>
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
