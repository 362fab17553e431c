import { beforeAll, expect, test } from 'vitest'
import { build } from '../../.ci/build.ts'
import { shippedPackages, manifestOf, softwareBill } from '../../.ci/third-party.ts'
import { root } from './kit/root.ts'

type Bill = {
  readonly bomFormat: string
  readonly specVersion: string
  readonly serialNumber: string
  readonly metadata: { readonly component: { readonly name: string; readonly version: string; readonly type: string } }
  readonly components: readonly {
    readonly 'bom-ref': string
    readonly name: string
    readonly purl: string
    readonly licenses: readonly object[]
    readonly hashes: readonly { readonly alg: string; readonly content: string }[]
  }[]
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[]
}

let bill: Bill
beforeAll(() => {
  build()
  bill = JSON.parse(softwareBill(root, '9.9.9')) as Bill
}, 300_000)

test('the list of components is a CycloneDX document about this version of Parlor', () => {
  expect(bill).toMatchObject({ bomFormat: 'CycloneDX', specVersion: '1.5' })
  expect(bill.serialNumber).toMatch(/^urn:uuid:[0-9a-f-]{36}$/)
  expect(bill.metadata.component).toMatchObject({ name: 'parlor', version: '9.9.9', type: 'application' })
})

test('it lists every package in the bundles and next to them, and Electron, and no tool', () => {
  const refs = bill.components.map((component) => component['bom-ref'])
  for (const name of [...shippedPackages(root), 'electron']) {
    const { name: own, version } = manifestOf(`${root}node_modules/${name}`)
    expect(refs).toContain(`${own}@${version}`)
  }
  const names = bill.components.map(({ name }) => name)
  for (const name of ['react', 'better-sqlite3', '@reduxjs/toolkit', 'electron']) expect(names).toContain(name)
  for (const name of ['vitest', 'typescript', 'electron-builder', 'oxlint']) expect(names).not.toContain(name)
})

test('each component has an address, a license and the hash of the lockfile', () => {
  for (const { purl, licenses, hashes, name } of bill.components) {
    expect(purl, name).toMatch(/^pkg:npm\/.+@.+/)
    expect(licenses.length, name).toBeGreaterThan(0)
    expect(hashes, name).toEqual([{ alg: 'SHA-512', content: expect.stringMatching(/^[0-9a-f]{128}$/) as string }])
  }
})

test('dependencies are between components of the list', () => {
  const known = new Set(['parlor@9.9.9', ...bill.components.map((component) => component['bom-ref'])])
  expect(bill.dependencies.length).toEqual(known.size)
  expect(
    bill.dependencies.flatMap(({ ref, dependsOn }) => [ref, ...dependsOn]).filter((ref) => !known.has(ref)),
  ).toEqual([])
})
