import { expect, test } from 'vitest'
import { personId } from './people.ts'

const ids = { uuid: () => '12ab34cd-0000' }

test('an id is made from the letters of a name that an id may have', () => {
  expect(personId('Łucja  Żak', ids)).toBe('lucja-zak-12ab')
  expect(personId('  José-María (HR) ', ids)).toBe('jose-maria-hr-12ab')
})

test('a name in another script gets a neutral id', () => {
  expect(personId('Тимур Ахметов', ids)).toBe('person-12ab')
})
