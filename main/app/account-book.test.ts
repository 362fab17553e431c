import { beforeEach, expect, test } from 'vitest'
import { aFolder } from '#kit/stores.ts'
import { silentSink } from '#main/lib/logger.ts'
import type { AccountRef } from '#main/settings/profile.ts'
import { openSettings, type SettingsStore } from '#main/settings/store.ts'
import { accountKey } from './account.ts'
import { AccountBook } from './account-book.ts'

const OLA: AccountRef = { kind: 'demo', userId: 'ola' }
const ANN: AccountRef = { kind: 'hosted', url: 'https://chat.example', apiKey: 'K', userId: 'ann' }
const EVA: AccountRef = { kind: 'own', name: 'Home', userId: 'eva' }

let folder: string
let store: SettingsStore
let book: AccountBook
const again = (): AccountBook => new AccountBook(openSettings(folder, silentSink))
const who = (from = book) => from.all().map(({ ref }) => ref.userId)

beforeEach(() => {
  folder = aFolder()
  store = openSettings(folder, silentSink)
  book = new AccountBook(store)
  for (const ref of [OLA, ANN, EVA]) book.add(ref)
  book.show(ANN)
})

test('accounts stand in the order they were added, once each, and are there at the next start', () => {
  book.add(ANN)
  expect(who()).toEqual(['ola', 'ann', 'eva'])
  expect([who(again()), again().shown]).toEqual([['ola', 'ann', 'eva'], ANN])
})

test('a profile of before there could be several keeps its one', () => {
  store.saveProfile({ accounts: [], account: OLA })
  expect([who(again()), again().shown]).toEqual([['ola'], OLA])
})

test('they stand as they were arranged; whoever is not named stays behind', () => {
  book.arrange([EVA, OLA].map(accountKey))
  expect(who(again())).toEqual(['eva', 'ola', 'ann'])
})

test('a name, a colour and quiet are kept; an empty name is the workspace’s own again', () => {
  const key = accountKey(ANN)
  book.change(key, { name: 'Work', hue: 3 })
  book.change(key, { muted: true })
  expect(again().find(key)).toEqual({ ref: ANN, name: 'Work', hue: 3, muted: true })
  book.change(key, { name: '' })
  expect(again().find(key)).toEqual({ ref: ANN, hue: 3, muted: true })
})

test('who signs out of what is shown sees its neighbour, and with the last one out the next start asks', () => {
  book.remove(accountKey(ANN))
  expect([who(), book.shown]).toEqual([['ola', 'eva'], EVA])
  book.remove(accountKey(EVA))
  expect([book.shown, store.profile().signedOut]).toEqual([OLA, false])
  book.remove(accountKey(OLA))
  expect([who(again()), again().shown, store.profile().signedOut]).toEqual([[], undefined, true])
})

test('who signs out of another account stays where they are', () => {
  book.remove(accountKey(OLA))
  expect(book.shown).toEqual(ANN)
})

test('a start for one account by name leaves the others alone, and writes nothing of it down', () => {
  const guest: AccountRef = { kind: 'demo', userId: 'hana' }
  const other = new AccountBook(store, guest)
  expect([who(other), other.shown]).toEqual([['hana'], guest])
  other.add({ ...ANN, userId: 'ben' })
  other.show({ ...ANN, userId: 'ben' })
  expect(who(other)).toEqual(['hana', 'ben'])
  other.remove(accountKey(guest))
  expect([who(other), who(again())]).toEqual([['ben'], ['ola', 'ann', 'eva', 'ben']])
})
