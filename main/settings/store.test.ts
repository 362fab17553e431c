import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import * as v from 'valibot'
import { settingsSchema } from '#shared/bridge/calls/settings.ts'
import type { LogSink } from '#main/lib/logger.ts'
import { DEFAULT_SETTINGS } from '#shared/domain/settings.ts'
import { SIGNED_OUT_PROFILE } from './profile.ts'
import { confFile } from '#main/hosts/node/settings-file.ts'
import { openSettings } from './store.ts'

let folder: string
let events: string[]
const sink: LogSink = (_level, _area, event) => events.push(event)
const file = () => join(folder, 'settings.json')
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'parlor-settings-'))
  events = []
})
afterEach(() => rmSync(folder, { recursive: true }))

test('a new profile has the defaults, and they match the schema', () => {
  expect(openSettings(folder, sink, confFile).settings()).toEqual(DEFAULT_SETTINGS)
  expect(v.parse(settingsSchema, DEFAULT_SETTINGS)).toEqual(DEFAULT_SETTINGS)
})

test('a change is on disk at once and present at the next start', () => {
  openSettings(folder, sink, confFile).update({ theme: 'dark', lastChannels: { 'demo-1': 'messaging:general' } })
  const again = openSettings(folder, sink, confFile)
  expect(again.settings()).toEqual({
    ...DEFAULT_SETTINGS,
    theme: 'dark',
    lastChannels: { 'demo-1': 'messaging:general' },
  })
  expect(statSync(file()).mode & 0o777).toBe(0o600)
})

test('an undefined setting does not remove it', () => {
  const store = openSettings(folder, sink, confFile)
  store.update({ theme: 'dark' })
  expect(store.update({ theme: undefined }).theme).toBe('dark')
})

test.each(['', '{"settings":', '[]', 'null', '\u0000\u0000'])('a damaged file is renamed, not lost: %j', (text) => {
  writeFileSync(file(), text)
  const store = openSettings(folder, sink, confFile)
  expect(store.settings()).toEqual(DEFAULT_SETTINGS)
  expect(events).toEqual(['damaged'])
  expect(readFileSync(join(folder, 'settings.json.damaged-1'), 'utf8')).toBe(text)
  store.update({ theme: 'light' })
  writeFileSync(file(), 'again')
  openSettings(folder, sink, confFile)
  expect(readdirSync(folder).filter((name) => name.includes('damaged')).length).toBe(2)
})

test('an invalid value does not affect the others', () => {
  const settings = { theme: 'pink', textScale: 120, sidebarWidth: 9_999, unknown: 1 }
  writeFileSync(file(), JSON.stringify({ settings, profile: { account: { kind: 'odd' } } }))
  const store = openSettings(folder, sink, confFile)
  expect(store.settings()).toEqual({ ...DEFAULT_SETTINGS, textScale: 120 })
  expect(store.profile().account).toBeUndefined()
  expect(events).toEqual(['field-refused', 'field-refused', 'profile-refused'])
})

test('the account is stored, and removed when it is set to undefined', () => {
  const store = openSettings(folder, sink, confFile)
  store.saveProfile({ account: { kind: 'demo', userId: 'ola' }, ports: { demo: 4_000 } })
  expect(openSettings(folder, sink, confFile).profile()).toMatchObject({ account: { kind: 'demo', userId: 'ola' } })
  openSettings(folder, sink, confFile).saveProfile({ account: undefined })
  expect(openSettings(folder, sink, confFile).profile()).toEqual({
    ...SIGNED_OUT_PROFILE,
    ports: { demo: 4_000 },
  })
})

test.each([
  ['ENOSPC', 'disk/full'],
  ['EROFS', 'disk/read-only'],
  ['EACCES', 'store/unwritable'],
  ['EIO', 'disk/failing'],
])('a write that fails with %s is refused as %s and changes nothing, in memory or on disk', (code, wanted) => {
  let isFailing = false
  const store = openSettings(folder, sink, (options) => {
    const file = confFile(options)
    return {
      get: (section) => file.get(section),
      set(sections) {
        if (isFailing) throw Object.assign(new Error(code), { code })
        file.set(sections)
      },
    }
  })
  store.update({ theme: 'dark' })
  store.saveProfile({ ports: { demo: 4_000 } })
  isFailing = true
  const refused = expect.objectContaining({ code: wanted }) as Error
  expect(() => store.update({ theme: 'light' })).toThrow(refused)
  expect(() => store.saveProfile({ ports: { demo: 5_000 } })).toThrow(refused)
  expect(store.settings().theme).toBe('dark')
  expect(store.profile().ports).toEqual({ demo: 4_000 })
  expect(openSettings(folder, sink, confFile).settings().theme).toBe('dark')
  isFailing = false
  expect(store.update({ theme: 'light' }).theme).toBe('light')
  expect(openSettings(folder, sink, confFile).settings().theme).toBe('light')
})
