import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { aFolder } from '#kit/stores.ts'
import { memorySecrets } from '#main/hosts/node/secrets-file.ts'
import { silentSink } from '#main/lib/logger.ts'
import type { AccountRef } from '#main/settings/profile.ts'
import { confFile } from '#main/hosts/node/settings-file.ts'
import { openSettings } from '#main/settings/store.ts'
import { accountFolder, accountKey } from './account.ts'
import { credentialName, finishAllLeaving, noteLeaving } from './accounts.ts'

const ANN: AccountRef = { kind: 'hosted', url: 'https://chat.example', apiKey: 'K', userId: 'ann' }

/** A signed-in user, with messages and a token on this device. */
async function person() {
  const data = aFolder()
  const key = accountKey(ANN)
  const folder = accountFolder(data, key)
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'cache.db'), 'words')
  const secrets = memorySecrets()
  await secrets.set(credentialName(key), 'T')
  const store = openSettings(data, silentSink, confFile)
  store.saveProfile({ account: ANN })
  const host = { paths: { data, renderer: data, resources: data, notices: '' }, secrets }
  return {
    data,
    key,
    folder,
    store,
    start: () => finishAllLeaving(host, store),
    token: () => secrets.get(credentialName(key)),
  }
}

test('an interrupted sign-out with wiping is completed by the next start', async () => {
  const { data, key, folder, store, start, token } = await person()
  await noteLeaving(data, key, true)
  await start()
  expect(existsSync(folder)).toBe(false)
  expect(await token()).toBeUndefined()
  expect(store.profile().account).toBeUndefined()
  expect(readdirSync(join(data, 'accounts'))).toEqual([])
})

test('an interrupted sign-out deletes the token and keeps the messages', async () => {
  const { data, key, folder, store, start, token } = await person()
  await noteLeaving(data, key, false)
  await start()
  expect(existsSync(folder)).toBe(true)
  expect(await token()).toBeUndefined()
  expect(store.profile().account).toBeUndefined()
})

test('a truncated note starts nothing', async () => {
  const { folder, store, start, token } = await person()
  writeFileSync(`${folder}.leaving`, '')
  await start()
  expect(existsSync(folder)).toBe(true)
  expect(await token()).toBe('T')
  expect(store.profile().account).toEqual(ANN)
})

test('another account stays signed in', async () => {
  const { data, key, store, start } = await person()
  const ben: AccountRef = { ...ANN, userId: 'ben' }
  store.saveProfile({ account: ben })
  await noteLeaving(data, key, true)
  await start()
  expect(store.profile().account).toEqual(ben)
})
