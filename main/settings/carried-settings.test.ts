import * as v from 'valibot'
import { expect, test } from 'vitest'
import { settingsSchema } from '#shared/bridge/calls/settings.ts'
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
  const { parts } = carriedSettings(settings, {}, { account: ME, knows: () => true })
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

const digest = { minute: 540, days: 'daily', mentionsNow: true } as const
const withNotifications = (changes: Partial<Settings['notifications']>): Settings =>
  withSettings({ notifications: { ...DEFAULT_SETTINGS.notifications, ...changes } })

test('of what is stored for all accounts together only the account’s own part is in its file', () => {
  const settings = {
    ...withNotifications({
      digests: { [ME]: { 'team:mine': digest }, [OTHER]: { 'team:theirs': digest } },
      levels: { [ME]: { 'team:mine': 'all' }, [OTHER]: { 'team:theirs': 'none' } },
      allowed: ['hana', 'stranger'],
    }),
    sidebars: { [ME]: plan('mine'), [OTHER]: plan('theirs') },
    closedSections: ['archived', 'folder:mine', 'folder:theirs'],
    linkPreviews: { mode: 'ask', blocked: [], channels: { [OTHER]: { 'team:theirs': true } } },
  } satisfies Settings
  const { parts } = carriedSettings(settings, {}, { account: ME, knows: (id) => id === 'hana' })
  expect(parts).toEqual({
    levels: { 'team:mine': 'all' },
    digests: { 'team:mine': digest },
    allowed: ['hana'],
    sidebar: plan('mine'),
    closedSections: ['archived', 'folder:mine'],
  })
})

test('what is stored for all accounts together keeps the parts of the others when a file is opened', () => {
  const here = {
    ...withNotifications({
      digests: { [ME]: { 'team:here': digest }, [OTHER]: { 'team:theirs': digest } },
      allowed: ['friend of another account'],
    }),
    sidebars: { [OTHER]: plan('theirs') },
    closedSections: ['folder:theirs', 'direct'],
  }
  const parts = {
    digests: { 'team:file': digest },
    allowed: ['hana'],
    sidebar: plan('mine'),
    closedSections: ['folder:mine'],
  }
  const changed = { digests: 5, allowed: 5, sidebar: 5, closedSections: 5 }
  const { changes } = mergeSettings(here, {}, { parts, changed }, { account: ME, now: 10 })
  expect(changes.notifications).toEqual({
    ...here.notifications,
    digests: { [ME]: { 'team:here': digest, 'team:file': digest }, [OTHER]: { 'team:theirs': digest } },
    allowed: ['friend of another account', 'hana'],
  })
  expect(changes.closedSections).toEqual(['folder:theirs', 'folder:mine'])
})

test('presentation mode stays as it is where the file is opened, and switching it makes no setting newer', () => {
  const here = withNotifications({ presenting: true })
  const theirs = carriedSettings(
    withNotifications({ sound: false }),
    { notifications: 5 },
    { account: ME, knows: () => true },
  )
  expect(mergeSettings(here, {}, theirs, { account: ME, now: 10 }).changes.notifications).toMatchObject({
    presenting: true,
    sound: false,
  })
  expect(changeTimes({}, DEFAULT_SETTINGS, here, 9)).toEqual({})
})

test('a full list loses nothing to the list of a file, of which only what has room is added', () => {
  const named = (who: string, count: number) =>
    Array.from({ length: count }, (_none, at) => ({ name: `${who}${at}`, text: who }))
  const here = withSettings({ snippets: named('here', 98) })
  const theirs = {
    parts: { snippets: [{ name: 'here0', text: 'newer' }, ...named('file', 50)] },
    changed: { snippets: 5 },
  }
  const { changes } = mergeSettings(here, {}, theirs, { account: ME, now: 10 })
  const names = changes.snippets?.map(({ name }) => name) ?? []
  expect(names).toHaveLength(100)
  expect(names).toEqual(expect.arrayContaining([...named('here', 98), ...named('file', 2)].map(({ name }) => name)))
  expect(changes.snippets?.find(({ name }) => name === 'here0')?.text).toBe('newer')
})

test('a set that is united with one of a file stays as small as the settings file takes it', () => {
  const cids = (who: string) => Array.from({ length: 9_000 }, (_none, at) => `team:${who}${at}`)
  const levels = Object.fromEntries(cids('here').map((cid) => [cid, 'none' as const]))
  const here = { ...withNotifications({ levels: { [ME]: levels } }), quietTyping: { [ME]: cids('here') } }
  const parts = {
    quietTyping: cids('file'),
    levels: Object.fromEntries(cids('file').map((cid) => [cid, 'all' as const])),
  }
  const { changes } = mergeSettings(here, {}, { parts, changed: { levels: 5 } }, { account: ME, now: 10 })
  const accepted = v.safeParse(v.partial(settingsSchema), changes)
  expect(accepted.success).toBe(true)
  const kept = new Set(changes.quietTyping?.[ME])
  expect(cids('here').filter((cid) => !kept.has(cid))).toEqual([])
  const chosen = changes.notifications?.levels[ME] ?? {}
  expect(cids('here').filter((cid) => chosen[cid] !== 'none')).toEqual([])
})

test('settings count as newer here only where preferring those of the file would change something', () => {
  const here = withSettings({
    theme: 'dark',
    hiddenMedia: { [ME]: ['team:a', 'team:b'] },
    snippets: [{ name: 'same', text: 'here' }],
  })
  const times = { theme: 9, [`hiddenMedia ${ME}`]: 9, snippets: 9 }
  const snippets = [
    { name: 'same', text: 'file' },
    { name: 'new', text: 'file' },
  ]
  const parts = { theme: 'light' as const, hiddenMedia: ['team:a'], snippets }
  const theirs = { parts, changed: { theme: 1, hiddenMedia: 1, snippets: 1 } }
  expect(mergeSettings(here, times, theirs, { account: ME, now: 10 }).newerHere).toBe(2)
  expect(mergeSettings(here, times, theirs, { account: ME, now: 10, prefersFile: true }).newerHere).toBe(0)
})
