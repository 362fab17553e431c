import { expect, test } from 'vitest'
import { readDevice, readPerson } from './people.ts'

const JUNK = [
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
]

test('what is no person and no device counts as absent', () => {
  expect(JUNK.map((value) => readPerson(value, 1)).every((person) => person === undefined)).toBe(true)
  expect(JUNK.map(readDevice).every((device) => device === undefined)).toBe(true)
})

test('a person with unusable parts has the others', () => {
  const person = readPerson(
    { id: 'ola', name: {}, teams: [5, 'QA'], role: 7, deactivated_at: 'x', region: 'x', away: true },
    1,
  )
  expect(person).toMatchObject({ id: 'ola', name: 'ola', teams: ['QA'], role: 'user', fields: { region: 'x' } })
})

test('the address of a device stays in main', () => {
  const device = readDevice({ id: 'secret-address', push_provider: 'apn', disabled: true })
  expect(device).toEqual({ provider: 'apn', disabled: { reason: '' } })
})
