import { expect, test } from 'vitest'
import { aMessage, aWindow, byId, changes } from '#kit/fake-bridge/index.ts'
import { changesApplied, replicaAttached, entitiesReducer, windowsReducer } from './entities.ts'

const messages = byId([aMessage({ id: 'm1' }), aMessage({ id: 'm2' })])
const window = aWindow('timeline:messaging:a', ['m1', 'm2'])
const opened = changesApplied(changes(1, { messages }, { windows: [window] }))

test('messages of a window that was closed are dropped, others stay', () => {
  const left = changesApplied(changes(2, {}, { del: { messages: ['m2'] }, closed: [window.key] }))
  const entities = [opened, left].reduce(entitiesReducer, undefined)
  const windows = [opened, left].reduce(windowsReducer, undefined)
  expect(Object.keys(entities?.messages ?? {})).toEqual(['m1'])
  expect(windows?.byKey).toEqual({})
})

test('attaching again drops all previous rows', () => {
  const entities = [opened, replicaAttached(changes(1, {}))].reduce(entitiesReducer, undefined)
  expect(entities?.messages).toEqual({})
})

test('a changed row leaves the others as they are', () => {
  const before = [opened].reduce(entitiesReducer, undefined)
  const after = entitiesReducer(
    before,
    changesApplied(changes(2, { messages: byId([aMessage({ id: 'm2', text: 'x' })]) })),
  )
  expect(after.messages['m1']).toBe(before?.messages['m1'])
  expect(after.messages['m2']?.text).toBe('x')
  expect(before?.messages['m2']?.text).not.toBe('x')
})

test('a change of another table keeps the identity of a table', () => {
  const before = [opened].reduce(entitiesReducer, undefined)
  const after = entitiesReducer(before, changesApplied(changes(2, {}, { del: { users: ['x'] } })))
  expect(after.messages).toBe(before?.messages)
})
