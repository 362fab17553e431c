import { beforeEach, expect, test } from 'vitest'
import { aFolder } from '#kit/stores.ts'
import { silentSink } from '#main/lib/logger.ts'
import type { AccountRef } from '#main/settings/profile.ts'
import { confFile } from '#main/hosts/node/settings-file.ts'
import { openSettings, type SettingsStore } from '#main/settings/store.ts'
import { accountKey } from './account.ts'
import { AccountRepository } from './account-repository.ts'

const OLA: AccountRef = { kind: 'demo', userId: 'ola' }
const ANN: AccountRef = { kind: 'hosted', url: 'https://chat.example', apiKey: 'K', userId: 'ann' }
const EVA: AccountRef = { kind: 'own', name: 'Home', userId: 'eva' }

let folder: string
let store: SettingsStore
let repository: AccountRepository
const again = (): AccountRepository => new AccountRepository(openSettings(folder, silentSink, confFile))
const who = (from = repository) => from.all().map(({ ref }) => ref.userId)

beforeEach(() => {
  folder = aFolder()
  store = openSettings(folder, silentSink, confFile)
  repository = new AccountRepository(store)
  for (const ref of [OLA, ANN, EVA]) repository.add(ref)
  repository.show(ANN)
})

test('accounts are in the order they were added, once each, and restored at the next start', () => {
  repository.add(ANN)
  expect(who()).toEqual(['ola', 'ann', 'eva'])
  expect(who(again())).toEqual(['ola', 'ann', 'eva'])
  expect(again().shown).toEqual(ANN)
})

test('a profile from before several accounts keeps its only account', () => {
  store.saveProfile({ accounts: [], account: OLA })
  expect(who(again())).toEqual(['ola'])
  expect(again().shown).toEqual(OLA)
})

test('they are arranged as given; unnamed ones follow', () => {
  repository.arrange([EVA, OLA].map(accountKey))
  expect(who(again())).toEqual(['eva', 'ola', 'ann'])
})

test('name, color and mute are stored; an empty name restores the workspace’s', () => {
  const key = accountKey(ANN)
  repository.change(key, { name: 'Work', hue: 3 })
  repository.change(key, { muted: true })
  expect(again().find(key)).toEqual({ ref: ANN, name: 'Work', hue: 3, muted: true })
  repository.change(key, { name: '' })
  expect(again().find(key)).toEqual({ ref: ANN, hue: 3, muted: true })
})

test('what a server says of its workspace is stored; a name from an invitation stays while the server has none', () => {
  const key = accountKey(ANN)
  const invited: AccountRef = { ...ANN, userId: 'marek' }
  repository.add(invited, 'Studio')
  expect(repository.describeServer(accountKey(invited), { serverName: undefined, serverIcon: undefined })).toBe(false)
  expect(again().find(accountKey(invited))?.serverName).toBe('Studio')
  expect(repository.describeServer(key, { serverName: 'Team', serverIcon: undefined })).toBe(true)
  expect(again().find(key)?.serverName).toBe('Team')
})

test('signing out of the shown account shows the next one; after the last one the next start asks for a sign-in', () => {
  repository.remove(accountKey(ANN))
  expect(who()).toEqual(['ola', 'eva'])
  expect(repository.shown).toEqual(EVA)
  repository.remove(accountKey(EVA))
  expect(repository.shown).toEqual(OLA)
  repository.remove(accountKey(OLA))
  expect(who(again())).toEqual([])
  expect(again().shown).toBeUndefined()
  expect(store.profile().account).toBeUndefined()
})

test('signing out of another account does not switch', () => {
  repository.remove(accountKey(OLA))
  expect(repository.shown).toEqual(ANN)
})

test('a start for one account by name does not open the others, and stores nothing', () => {
  const guest: AccountRef = { kind: 'demo', userId: 'hana' }
  const other = new AccountRepository(store, guest)
  expect(who(other)).toEqual(['hana'])
  expect(other.shown).toEqual(guest)
  other.add({ ...ANN, userId: 'ben' })
  other.show({ ...ANN, userId: 'ben' })
  expect(who(other)).toEqual(['hana', 'ben'])
  other.remove(accountKey(guest))
  expect(who(other)).toEqual(['ben'])
  expect(who(again())).toEqual(['ola', 'ann', 'eva', 'ben'])
})
