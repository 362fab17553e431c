import { expect, test } from 'vitest'
import { findViolations, RULES } from './layers.ts'
import { isTest, readModule, sourceFiles } from './modules.ts'

const files = sourceFiles()
const modules = files.map((path) => readModule(path))

test('every module imports only what its layer allows', () => {
  expect(findViolations(modules)).toEqual([])
})

test('every rule is about a folder that exists', () => {
  const product = files.filter((path) => !isTest(path))
  expect(RULES.map(({ room }) => room).filter((room) => !product.some((path) => path.startsWith(room)))).toEqual([])
})

test('the check covers the whole repository', () => {
  const product = files.filter((path) => !isTest(path))
  const rooms = ['shared', 'main', 'preload', 'renderer'].filter((room) =>
    product.some((path) => path.startsWith(`${room}/`)),
  )
  expect(rooms).toEqual(['shared', 'main', 'preload', 'renderer'])
  expect(product.length).toBeGreaterThan(300)
})

test.each([
  ['shared/rules/planted.ts', `import { readFileSync } from 'node:fs'`],
  ['shared/domain/planted.ts', `import { sendMessage } from '#shared/wire/messages.ts'`],
  ['renderer/features/channels/planted.tsx', `import type { Engine } from '#main/engine/engine.ts'`],
  ['renderer/features/channels/planted.tsx', `import { Row } from '../messages/MessageRow.tsx'`],
  ['renderer/features/channels/planted.tsx', `import { pollsFeature } from '../polls/feature.ts'`],
  ['renderer/registry/planted.ts', `import { pollsFeature } from '../features/polls/feature.ts'`],
  ['renderer/ui/planted.tsx', `import { store } from '../store/store.ts'`],
  ['main/server/planted.ts', `import { createEngine } from '#main/engine/engine.ts'`],
  ['main/engine/engine.ts', `import { pollsFeature } from './features/polls/feature.ts'`],
  ['main/engine/planted.ts', `import Database from 'better-sqlite3'`],
  ['main/engine/planted.ts', `const electron = await import('electron')`],
  ['main/attic/planted.ts', `export const nothing = 1`],
  ['main/cache/planted.ts', `export { fake } from '#kit/world.ts'`],
])('a planted violation in %s is caught: %s', (path, source) => {
  expect(findViolations([readModule(path, source)])).toHaveLength(1)
})
