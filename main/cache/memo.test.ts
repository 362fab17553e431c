import { expect, test } from 'vitest'
import { asUserId } from '#shared/lib/brand.ts'
import { openTestStores } from '#kit/stores.ts'
import type { UserRow } from './rows.ts'
import * as meta from './meta.ts'
import * as users from './people/users.ts'

const aUser = (fields: Partial<UserRow>): UserRow => ({
  id: asUserId('ana'),
  name: 'Ana',
  imageUrl: undefined,
  role: 'user',
  online: true,
  lastActiveAt: undefined,
  banned: false,
  language: undefined,
  statusText: undefined,
  bot: false,
  createdAt: undefined,
  updatedAt: 1,
  deletedAt: undefined,
  custom: {},
  asOf: 1,
  ...fields,
})

test('writes of a rolled-back transaction are not remembered', () => {
  const { cache } = openTestStores()
  cache.transaction((tx) => users.put(tx, aUser({})))
  const failing = () =>
    cache.transaction((tx) => {
      users.put(tx, aUser({ name: 'Another', updatedAt: 2, asOf: 2 }))
      meta.set(tx, 'a', '1')
      throw new Error('undone')
    })
  expect(failing).toThrow('undone')
  expect(users.byId(cache.reader, asUserId('ana'))?.name).toBe('Ana')
  expect(meta.get(cache.reader, 'a')).toBeUndefined()
})

test('writes of a rolled-back inner transaction are not remembered by later steps', () => {
  const { cache } = openTestStores()
  const seen = cache.transaction((tx) => {
    users.put(tx, aUser({}))
    try {
      cache.transaction((inner) => {
        users.put(inner, aUser({ name: 'Another', updatedAt: 2 }))
        throw new Error('undone')
      })
    } catch {
      return users.byId(tx, asUserId('ana'))?.name
    }
  })
  expect(seen).toBe('Ana')
})

test('an author seen again within a minute is updated in memory and written later', () => {
  const { cache } = openTestStores()
  const written = () =>
    cache.reader.db.get<{ as_of: number }>('SELECT as_of FROM users WHERE id = ?', 'ana')?.as_of ?? 0
  cache.transaction((tx) => users.put(tx, aUser({ asOf: 60_000 })))
  cache.transaction((tx) => users.put(tx, aUser({ asOf: 61_000 })))
  expect(users.byId(cache.reader, asUserId('ana'))?.asOf).toBe(61_000)
  expect(written()).toBe(60_000)
  cache.transaction((tx) => users.put(tx, aUser({ asOf: 120_000 })))
  expect(written()).toBe(120_000)
})
