import { expect, test } from 'vitest'
import { asCid, asUserId } from '#shared/lib/brand.ts'
import { aUser } from '#kit/fake-bridge/index.ts'
import { matching, type SwitcherItem } from './use-items.ts'

const withEwa: SwitcherItem = {
  kind: 'channel',
  id: 'channel-messaging:ewa',
  name: 'Ewa',
  cid: asCid('messaging:ewa'),
  person: 'ewa',
}
const aPerson = (id: string): SwitcherItem => ({
  kind: 'person',
  id: `person-${id}`,
  name: `Ewa ${id}`,
  userId: asUserId(id),
  user: aUser({ id }),
})

test('a person with a direct conversation is listed once, even if the cache finds them by name', () => {
  const found = matching([withEwa], [aPerson('ewa'), aPerson('ewa-2')], undefined, 'ewa')
  expect(found.map(({ id }) => id)).toEqual(['channel-messaging:ewa', 'person-ewa-2'])
})
