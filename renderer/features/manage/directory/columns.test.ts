import { beforeEach, expect, test } from 'vitest'
import { aDirectoryPerson } from '../../../../tests/kit/fake-bridge/index.ts'
import { columnsOf, DEFAULT_COLUMNS, moved, storeColumns, storedColumns } from './columns.tsx'

beforeEach(() => localStorage.clear())

test('the columns of a workspace are remembered, without those that are none', () => {
  expect(storedColumns(localStorage, 'home')).toEqual(DEFAULT_COLUMNS)
  storeColumns(localStorage, 'home', ['field:region', 'role'])
  expect(storedColumns(localStorage, 'home')).toEqual(['field:region', 'role'])
  expect(storedColumns(localStorage, 'other')).toEqual(DEFAULT_COLUMNS)
  localStorage.setItem('parlor.directory.columns.home', '["role","role","field:__proto__",7,"x"]')
  expect(storedColumns(localStorage, 'home')).toEqual(['role'])
  localStorage.setItem('parlor.directory.columns.home', '{')
  expect(storedColumns(localStorage, 'home')).toEqual(DEFAULT_COLUMNS)
})

test('the custom fields of the people who are loaded can be columns', () => {
  const people = [aDirectoryPerson({ fields: { region: 'x' } }), aDirectoryPerson({ fields: { beta: true } })]
  expect(columnsOf(people, ['teams']).filter((id) => id.startsWith('field:'))).toEqual(['field:beta', 'field:region'])
  expect(columnsOf([], ['teams'])[0]).toBe('teams')
})

test('a column moves by one place, and not over the edge', () => {
  expect(moved(['role', 'teams', 'status'], 'status', -1)).toEqual(['role', 'status', 'teams'])
  expect(moved(['role', 'teams'], 'role', -1)).toEqual(['role', 'teams'])
})
