import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { registry } from '#main/engine/features/index.ts'
import { root } from './modules.ts'

const { appliers, ignored } = registry

const source = readFileSync(join(root, 'shared/wire/events.ts'), 'utf8')
const union = source.slice(source.indexOf('export type WireEvent ='), source.indexOf('export type WireEventType'))
const types = [...union.matchAll(/On<\s*'([^']+)'/g)].map((match) => match[1] ?? '')

test('the union was read', () => {
  expect(types.length).toBeGreaterThan(35)
  expect(new Set(types).size).toBe(types.length)
})

test('every event type has an applier or a reason to be ignored, never both', () => {
  const handled = types.filter((type) => Object.hasOwn(appliers, type) !== Object.hasOwn(ignored, type))
  expect(handled).toEqual(types)
})

test('every applier and every reason has an event type', () => {
  const named = [...Object.keys(appliers), ...Object.keys(ignored)]
  expect(named.filter((type) => !types.includes(type))).toEqual([])
})
