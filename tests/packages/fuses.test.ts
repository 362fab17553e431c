import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getCurrentFuseWire } from '@electron/fuses'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { setFuses } from '../../.ci/packaging/hooks.ts'
import { electronBuilderConfig } from './kit/config.ts'

/** The header before the fuses in a binary: this text, a version, the number of fuses. */
const SENTINEL = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX'

let folder: string
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'parlor-fuses-'))))
afterEach(() => rmSync(folder, { recursive: true }))

/** The relevant part of Electron's binary, as delivered with a number of fuses. */
function binaryWith(fuses: number): string {
  const path = join(folder, 'electron')
  const wire = Buffer.concat([Buffer.from(SENTINEL), Buffer.from([1, fuses]), Buffer.from('1'.repeat(fuses))])
  writeFileSync(path, Buffer.concat([Buffer.alloc(5_000), wire, Buffer.alloc(5_000)]))
  return path
}

async function statesOf(binary: string): Promise<string> {
  const { version: _version, ...states } = await getCurrentFuseWire(binary)
  return String.fromCharCode(...(Object.values(states) as unknown as number[]))
}

test('all nine fuses of the shipped Electron are set', async () => {
  const binary = binaryWith(9)
  await setFuses(binary, (await electronBuilderConfig()).electronFuses)
  // Run as Node, encrypt cookies, NODE_OPTIONS, --inspect, asar integrity, only from the asar, browser snapshot,
  // privileges of file:, trap handlers of WebAssembly.
  expect(await statesOf(binary)).toBe('010011001')
})

test('an older Electron, like that of the tests, has eight', async () => {
  const binary = binaryWith(8)
  await setFuses(binary, (await electronBuilderConfig()).electronFuses)
  expect(await statesOf(binary)).toBe('01001100')
})

test('an Electron with a fuse that has no decision is not packed', async () => {
  const { electronFuses } = await electronBuilderConfig()
  await expect(setFuses(binaryWith(10), electronFuses)).rejects.toThrow('strictlyRequireAllFuses')
})

test('nor is one when a fuse is missing in the list, or has another name', async () => {
  const { runAsNode: _runAsNode, ...rest } = (await electronBuilderConfig()).electronFuses
  await expect(setFuses(binaryWith(9), rest)).rejects.toThrow('strictlyRequireAllFuses')
  await expect(setFuses(binaryWith(9), { ...rest, runAsNodes: false })).rejects.toThrow('runAsNodes')
})
