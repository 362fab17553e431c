import { expect, test } from 'vitest'
import { readGroup } from './feature.ts'

test('what is no group counts as absent', () => {
  const read = [
    undefined,
    null,
    5,
    'x',
    [],
    [[]],
    {},
    { id: 5 },
    { id: '' },
    { id: {} },
    { members: 5 },
    { push_provider: {} },
  ].map(readGroup)
  expect(read.every((group) => group === undefined)).toBe(true)
})

test('a group with unusable parts has the others', () => {
  const members = [5, { user_id: 'ola', is_admin: 'yes' }, { user_id: '' }]
  expect(readGroup({ id: 'g', name: 5, description: [], members })).toEqual({
    id: 'g',
    name: 'g',
    members: [{ userId: 'ola', admin: false }],
  })
})
