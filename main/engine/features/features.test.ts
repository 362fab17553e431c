import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Core } from '../core.ts'
import { type Feature, createRegistry } from '../registry/feature.ts'
import { FEATURES } from './index.ts'

const features: readonly Feature[] = FEATURES
const folder = 'main/engine/features'

/** What a planted feature's functions get: they use nothing of it. */
const noCore = {} as Core

test('every folder with a feature file is in the list, and nothing else is', () => {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith('/feature.ts'),
  )
  const list = readFileSync(join(folder, 'index.ts'), 'utf8')
  const listed = [...list.matchAll(/from '\.\/([^']+)'/g)].map(([, path = '']) => path)
  expect(new Set(listed)).toEqual(new Set(files))
  expect(features.length).toBe(files.length)
})

test('every folder of a feature has a feature file', () => {
  const folders = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory())
  const without = folders.filter(({ name }) => !readdirSync(join(folder, name)).includes('feature.ts'))
  expect(folders.length).toBeGreaterThan(20)
  expect(without.map(({ name }) => name)).toEqual([])
})

test('the second owner of an event, of a reason and of a kind is refused', () => {
  expect(() => createRegistry([...features, { events: { 'poll.closed': () => {} } }])).toThrow('appliers')
  expect(() => createRegistry([...features, { ignored: { 'user.muted': 'a reason' } }])).toThrow('reasons')
  expect(() => createRegistry([...features, { kinds: { upload: { perform: async () => ({}) } } }])).toThrow('kinds')
})

test('the second owner of calls and of a method is refused when an engine is made', () => {
  const calls: Feature = {
    create: () => ({
      calls: { moderation: { ban: () => {}, unban: () => {}, bans: async () => ({ bans: [], more: false }) } },
    }),
  }
  expect(() => createRegistry([calls, calls]).create(noCore)).toThrow('areas')
  const offers: Feature = { create: () => ({ offers: { woke: () => {} } }) }
  expect(() => createRegistry([offers, offers]).create(noCore)).toThrow('offers')
})

test('steps run in the order of their numbers, whatever the order of the features', () => {
  const ran: string[] = []
  const step = (order: number, phase: 'before-queue' | 'last'): Feature => ({
    create: () => ({ start: [{ phase, order, run: () => ran.push(`${phase} ${order}`) }] }),
  })
  const parts = createRegistry([step(20, 'last'), step(20, 'before-queue'), step(10, 'before-queue')]).create(noCore)
  for (const phase of ['before-queue', 'before-connection', 'last'] as const) parts.start(phase).forEach((run) => run())
  expect(ran).toEqual(['before-queue 10', 'before-queue 20', 'last 20'])
})

test('two steps at one position are refused', () => {
  const step: Feature = { create: () => ({ stop: [{ phase: 'flush', order: 10, run: () => {} }] }) }
  expect(() => createRegistry([step, step]).create(noCore)).toThrow('stop flush')
  const effect: Feature = { create: () => ({ onCommit: [{ order: 10, run: () => {} }] }) }
  expect(() => createRegistry([effect, effect]).create(noCore)).toThrow('onCommit')
})

test('outside its folder, only the list of features and messages name polls, as the guide for a new feature says', () => {
  const files = readdirSync('main', { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !/^engine\/features\/polls\/|\.test\.ts$/.test(path))
    .map((path) => join('main', path))
  expect(files.length).toBeGreaterThan(300)
  const naming = files.filter((path) =>
    /from '[^']*features\/polls\//.test(readFileSync(path, 'utf8'))
      ? true
      : path.startsWith(folder) && /from '\.{1,2}\/polls\//.test(readFileSync(path, 'utf8')),
  )
  const guide = readFileSync('docs/adding-a-feature.md', 'utf8')
  const named = [...guide.matchAll(/`(main\/engine\/features\/[\w./-]+\.ts)`/g)].map(([, path = '']) => path)
  const outside = named.filter((path) => !path.startsWith(`${folder}/polls/`) && !path.endsWith('.test.ts'))
  expect(new Set(naming)).toEqual(new Set(outside))
  expect(naming).toContain(`${folder}/index.ts`)
})
