import { expect, test } from 'vitest'
import { DEFAULT_SETTINGS, type Settings } from '#shared/domain/settings.ts'
import { carriedSettings, type CarriedSettings, changeTimes, mergeSettings } from './carried-settings.ts'

const ME = 'hosted https://chat.example ola'
const OTHER = 'hosted https://chat.example jonas'
const withSettings = (changes: Partial<Settings>): Settings => ({ ...DEFAULT_SETTINGS, ...changes })
const plan = (name: string) => ({
  ...DEFAULT_SETTINGS.sidebars,
  folders: [{ id: name, name }],
  placed: {},
  order: {},
  sort: {},
  unreadOnly: false,
})

test('a file has what differs from a new profile, of this account only, and nothing of the device', () => {
  const settings = withSettings({
    theme: 'dark',
    proxyUrl: 'http://proxy',
    lastChannels: { a: 'team:b' },
    sidebars: { [ME]: plan('mine'), [OTHER]: plan('theirs') },
    places: { saved: [], device: 'Laptop' },
  })
  const { parts } = carriedSettings(settings, {}, ME)
  expect(parts).toEqual({ theme: 'dark', sidebar: plan('mine') })
})

test('the time of a change is stored for what changed, by account where it is stored by account', () => {
  const after = withSettings({ theme: 'dark', sidebars: { [ME]: plan('mine') }, sidebarWidth: 300 })
  expect(changeTimes({ theme: 1, clock: 2 }, DEFAULT_SETTINGS, after, 9)).toEqual({
    theme: 9,
    clock: 2,
    [`sidebar ${ME}`]: 9,
  })
})

test('a change of the device only stores no time', () => {
  const times = { theme: 1 }
  expect(changeTimes(times, DEFAULT_SETTINGS, withSettings({ sidebarWidth: 300 }), 9)).toBe(times)
})

test.each([
  { here: 5, file: 6, wins: 'light' },
  { here: 6, file: 5, wins: 'dark' },
  { here: 5, file: 5, wins: 'dark' },
])('of a setting changed here at $here and in the file at $file, $wins wins', ({ here, file, wins }) => {
  const theirs = { parts: { theme: 'light' as const }, changed: { theme: file } }
  const { changes } = mergeSettings(withSettings({ theme: 'dark' }), { theme: here }, theirs, { account: ME, now: 10 })
  expect(changes.theme ?? 'dark').toBe(wins)
})

test('a time in the future counts as now: a later change wins again', () => {
  const theirs = { parts: { theme: 'light' as const }, changed: { theme: 1e12 } }
  const { times } = mergeSettings(withSettings({ theme: 'dark' }), { theme: 5 }, theirs, { account: ME, now: 10 })
  expect(times).toEqual({ theme: 10 })
})

test('what belongs to another account and to the device is unchanged', () => {
  const here = withSettings({ sidebars: { [OTHER]: plan('theirs') }, proxyUrl: 'http://proxy' })
  const theirs = { parts: { sidebar: plan('mine') }, changed: { sidebar: 3 } }
  const { changes } = mergeSettings(here, {}, theirs, { account: ME, now: 10 })
  expect(changes).toEqual({ sidebars: { [OTHER]: plan('theirs'), [ME]: plan('mine') } })
})

test('a custom sound is played only where its file is, and a pause stays where it was set', () => {
  const { levels: _levels, pausedUntil: _until, ...notifications } = DEFAULT_SETTINGS.notifications
  const sounds = { ...notifications.sounds, message: 'file' as const, reminder: 'bell' as const, file: 'theirs.ogg' }
  const here = withSettings({ notifications: { ...DEFAULT_SETTINGS.notifications, pausedUntil: 99 } })
  const theirs = { parts: { notifications: { ...notifications, sounds } }, changed: { notifications: 3 } }
  const { changes } = mergeSettings(here, {}, theirs as unknown as CarriedSettings, { account: ME, now: 10 })
  expect(changes.notifications).toMatchObject({
    pausedUntil: 99,
    sounds: { message: 'system', reminder: 'bell', file: '' },
  })
})
