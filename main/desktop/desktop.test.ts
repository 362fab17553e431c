import { beforeEach, expect, test } from 'vitest'
import { DEFAULT_DESKTOP, type DesktopChoices } from '#shared/domain/desktop/desktop.ts'
import { asCid } from '#shared/lib/brand.ts'
import { withSpellingIn, type Closing } from '#shared/rules/desktop/desktop.ts'
import type { Host, Jumps, SystemMenuItem, TrayPicture } from '#main/hosts/host.ts'
import { ManualClock } from '#kit/manual-clock.ts'
import { Desktop } from './desktop.ts'
import type { AccountPlace, Place } from './tray-picture.ts'

type Facts = {
  os: 'windows' | 'macos' | 'linux'
  hasPlace: boolean
  taken: boolean
  refusesStartup: boolean
  badge: { unread: number; mentions: number }
  offline: boolean
  paused: boolean
  /** Milliseconds for which a location is still shared live. */
  sharedFor: number | undefined
  presenting: boolean
  accounts: readonly AccountPlace[]
  sending: { files: number; share: number; texts: number }
  unread: readonly Place[]
  recent: readonly Place[]
}

type Line = { readonly label: string; readonly checked?: boolean; readonly run: () => void }

/** Entries of a menu including submenus, without separators. */
const linesOf = (items: readonly SystemMenuItem[] = []): Line[] =>
  items.flatMap((item) => ('gap' in item ? [] : 'items' in item ? linesOf(item.items) : [item]))

/** A desktop with a fake system: what it shows, and what it was passed. */
function aDesktop(over: Partial<Facts> = {}, chosen: Partial<DesktopChoices> = {}) {
  const facts: Facts = {
    os: 'windows',
    hasPlace: true,
    taken: false,
    refusesStartup: false,
    badge: { unread: 0, mentions: 0 },
    offline: false,
    paused: false,
    presenting: false,
    sharedFor: undefined,
    accounts: [],
    sending: { files: 0, share: 0, texts: 0 },
    unread: [],
    recent: [],
    ...over,
  }
  const seen = {
    trays: [] as (TrayPicture | undefined)[],
    jumps: [] as Jumps[],
    bar: [] as Line[],
    keys: [] as (string | undefined)[],
    spelling: undefined as readonly string[] | undefined,
    startups: [] as unknown[],
    toggles: [] as string[],
    saving: [] as boolean[],
    into: '',
    protected: false,
    commands: [] as string[],
    pauses: [] as string[],
    progress: [] as (number | undefined)[],
  }
  const system = {
    closing: (): Closing => 'quit',
    answer: (_answer: 'tray' | 'quit') => {},
    battery: (_on: boolean) => {},
  }
  const pressed = new Map<string, () => void>()
  let choices: DesktopChoices = { ...DEFAULT_DESKTOP, ...chosen }
  const clock = new ManualClock()
  const desktop = new Desktop({
    host: {
      info: { os: facts.os } as Host['info'],
      log: () => {},
      windows: { focus: () => {}, toggle: (awayIs) => void seen.toggles.push(awayIs) },
      tray: { hasPlace: () => Promise.resolve(facts.hasPlace), show: (picture) => void seen.trays.push(picture) },
      jumps: { set: (jumps) => void seen.jumps.push(jumps) },
      menuBar: { set: (accounts) => void (seen.bar = linesOf(accounts)) },
      closing: {
        set(decide, onChosen) {
          system.closing = decide
          system.answer = onChosen
        },
      },
      startup: {
        set: (choice) => {
          if (facts.refusesStartup) return Promise.reject(new Error('the system said no'))
          seen.startups.push(choice)
          return Promise.resolve()
        },
        startedBySystem: () => false,
      },
      shortcut: {
        register(what, accelerator, run) {
          pressed.set(what, run)
          if (what === 'shortcut') seen.keys.push(accelerator)
          if (accelerator === undefined) return 'none'
          return facts.taken ? 'taken' : 'held'
        },
      },
      progress: { show: (share) => void seen.progress.push(share) },
      downloads: {
        into: (folder) => void (seen.into = folder),
        list: () => [],
        pathOf: () => undefined,
        retry: () => {},
        cancel: () => {},
        clear: () => {},
      },
      protection: { set: (on) => void (seen.protected = on) },
      spelling: { languages: () => ['en-GB', 'pl'], setLanguages: (languages) => void (seen.spelling = languages) },
      power: {
        onSuspend: () => {},
        onResume: () => {},
        onLock: () => {},
        onUnlock: () => {},
        onBattery: (fn) => void (system.battery = fn),
      },
    },
    clock,
    translate: (_area, key, params) => (params === undefined ? key : `${key} ${Object.values(params).join(' ')}`),
    choices: () => choices,
    choose: (changes) => {
      choices = { ...choices, ...changes }
      desktop.changed()
    },
    badge: () => facts.badge,
    places: () => ({ unread: facts.unread, recent: facts.recent }),
    sending: () => facts.sending,
    isOffline: () => facts.offline,
    isQuiet: () => facts.paused,
    isPaused: () => facts.paused,
    pause: (how) => {
      seen.pauses.push(how)
      facts.paused = how !== 'off'
    },
    isPresenting: () => facts.presenting,
    present: (on) => void (facts.presenting = on),
    sharedFor: () => facts.sharedFor,
    stopSharing: () => (facts.sharedFor = undefined),
    accounts: () => facts.accounts,
    command: (action) => void seen.commands.push(action),
    onSaving: (on) => void seen.saving.push(on),
  })
  const change = async (changes: Partial<DesktopChoices>): Promise<void> => {
    await desktop.accept({ ...choices, ...changes })
    choices = { ...choices, ...changes }
    desktop.changed()
    await Promise.resolve()
    await clock.settle()
  }
  return {
    desktop,
    facts,
    seen,
    system,
    clock,
    change,
    chosen: () => choices,
    press: (what = 'shortcut') => pressed.get(what)?.(),
  }
}

const mark = ({ seen }: ReturnType<typeof aDesktop>) => seen.trays.at(-1)?.mark
const place = (name: string, unread: number): Place => ({
  name,
  unread,
  link: `parlor://open/demo/channel/${name}`,
  open: () => {},
})

let it: ReturnType<typeof aDesktop>
beforeEach(() => void (it = aDesktop()))

test('the icon shows unread, mentions, quiet and offline after a short delay', async () => {
  await it.desktop.start()
  const after = async (change: () => void) => {
    change()
    it.desktop.touched()
    await it.clock.advance(1_000)
    return mark(it)
  }
  expect(mark(it)).toBe('plain')
  expect(await after(() => (it.facts.badge = { unread: 3, mentions: 0 }))).toBe('unread')
  expect(await after(() => (it.facts.paused = true))).toBe('quiet')
  expect(await after(() => (it.facts.badge = { unread: 3, mentions: 1 }))).toBe('mention')
  expect(await after(() => (it.facts.offline = true))).toBe('offline')
})

test('a hundred commits update the tray once, and not if nothing changed', async () => {
  await it.desktop.start()
  const before = it.seen.trays.length
  it.facts.badge = { unread: 1, mentions: 0 }
  for (let n = 0; n < 100; n += 1) it.desktop.touched()
  await it.clock.advance(1_000)
  it.desktop.touched()
  await it.clock.advance(1_000)
  expect(it.seen.trays.length - before).toBe(1)
})

const lines = ({ seen }: ReturnType<typeof aDesktop>) => linesOf(seen.trays.at(-1)?.items)
const pressed = (given: ReturnType<typeof aDesktop>, wanted: string): void => {
  const line = lines(given).find(({ label }) => label === wanted)
  expect(line).toBeDefined()
  line?.run()
}

test('the menu lists unread channels, and its entries work', async () => {
  it = aDesktop({ unread: [place('design', 2)] })
  await it.desktop.start()
  expect(lines(it).map(({ label }) => label)).toEqual([
    'tray.open',
    'tray.newMessage',
    'tray.place design 2',
    'tray.pauses.half-hour',
    'tray.pauses.hour',
    'tray.pauses.tomorrow',
    'page.presenting',
    'tray.settings',
    'tray.quit',
  ])
  pressed(it, 'tray.newMessage')
  expect(it.seen.commands).toEqual(['newMessage'])
})

test('the menu pauses notifications and ends the pause', async () => {
  await it.desktop.start()
  pressed(it, 'tray.pauses.hour')
  expect(mark(it)).toBe('quiet')
  pressed(it, 'tray.pauses.off')
  expect(mark(it)).toBe('plain')
  expect(it.seen.pauses).toEqual(['hour', 'off'])
})

test('presentation mode is shown and ended in the menu', async () => {
  await it.desktop.start()
  const isChecked = () => lines(it).find(({ label }) => label === 'page.presenting')?.checked
  expect(isChecked()).toBe(false)
  pressed(it, 'page.presenting')
  expect(it.facts.presenting).toBe(true)
  expect(isChecked()).toBe(true)
})

test('the menu lists several accounts with their problems, and opens them', async () => {
  const opened: string[] = []
  const account = (name: string, over: Partial<AccountPlace> = {}): AccountPlace => ({
    name,
    unread: 0,
    state: 'well',
    open: () => void opened.push(name),
    ...over,
  })
  it = aDesktop({ accounts: [account('Cairn', { unread: 3 }), account('Home', { state: 'offline' })] })
  await it.desktop.start()
  expect(lines(it).map(({ label }) => label)).toEqual(
    expect.arrayContaining(['tray.place Cairn 3', 'tray.accountOffline Home']),
  )
  pressed(it, 'tray.accountOffline Home')
  const elsewhere = [it.seen.bar, it.seen.jumps.at(-1)?.accounts ?? []]
  for (const menu of elsewhere) menu[0]?.run()
  expect(opened).toEqual(['Home', 'Cairn', 'Cairn'])
  expect(mark(it)).toBe('plain')
})

test('an account that needs a sign-in has the highest priority, even if it is the only one', async () => {
  it = aDesktop({ accounts: [{ name: 'Cairn', unread: 0, state: 'sign-in', open: () => {} }], offline: true })
  await it.desktop.start()
  expect(mark(it)).toBe('attention')
  expect(it.seen.trays.at(-1)?.tooltip).toBe('tray.signIn')
  expect(lines(it).map(({ label }) => label)).toContain('tray.accountSignIn Cairn')
})

test('on Windows closing asks once; the answer is stored', async () => {
  await it.desktop.start()
  expect(it.system.closing()).toBe('ask')
  it.system.answer('tray')
  expect(it.chosen().closing).toBe('tray')
  expect(it.system.closing()).toBe('tray')
})

test('on a Linux without a tray nothing is hidden, whatever the setting, and no icon is shown', async () => {
  it = aDesktop({ os: 'linux', hasPlace: false }, { tray: 'on', closing: 'tray' })
  await it.desktop.start()
  expect(it.system.closing()).toBe('quit')
  expect(it.desktop.canHide).toBe(false)
  expect(it.seen.trays.at(-1)).toBeUndefined()
  expect(await it.desktop.state()).toMatchObject({ can: { tray: true }, trayHasPlace: false })
})

test('shortcuts are registered at the start, changed before they are stored, and released at the end', async () => {
  it = aDesktop({}, { shortcut: 'Mod+Shift+P' })
  await it.desktop.start()
  await it.change({ shortcut: 'Mod+F9' })
  it.press()
  it.desktop.stop()
  expect(it.seen.keys).toEqual(['CommandOrControl+Shift+P', 'CommandOrControl+F9', undefined])
  expect(it.seen.toggles).toEqual(['hide'])
})

test('another shortcut pauses notifications until tomorrow, and ends the pause', async () => {
  it = aDesktop({}, { quietShortcut: 'Mod+Shift+D' })
  await it.desktop.start()
  it.press('quietShortcut')
  expect(mark(it)).toBe('quiet')
  it.press('quietShortcut')
  expect(it.seen.pauses).toEqual(['tomorrow', 'off'])
  expect(it.seen.toggles).toEqual([])
})

test('a shortcut of another program is refused with a code, and the previous one is registered again', async () => {
  it = aDesktop({}, { shortcut: 'Mod+Shift+P' })
  await it.desktop.start()
  it.facts.taken = true
  const refused = it.change({ shortcut: 'Mod+Shift+K' })
  it.facts.taken = false
  await expect(refused).rejects.toMatchObject({ code: 'desktop/shortcut-taken' })
  expect(it.seen.keys.at(-1)).toBe('CommandOrControl+Shift+P')
  await expect(it.change({ shortcut: 'Mod+C' })).rejects.toMatchObject({ code: 'desktop/shortcut-refused' })
})

test('a shortcut that is taken at a start is reported, and everything else works', async () => {
  it = aDesktop({ taken: true }, { shortcut: 'Mod+Shift+P' })
  await it.desktop.start()
  expect(await it.desktop.state()).toMatchObject({ keysTaken: ['shortcut'] })
})

test('start at login is set in the system when it is chosen, and never before', async () => {
  await it.desktop.start()
  await it.change({ startHidden: false })
  expect(it.seen.startups).toEqual([])
  await it.change({ startAtLogin: true })
  await it.change({ startHidden: true })
  await it.change({ startAtLogin: false })
  expect(it.seen.startups).toEqual([
    { on: true, hidden: false },
    { on: true, hidden: true },
    { on: false, hidden: true },
  ])
})

test('if the system refuses, the setting is not stored; at a start it is only logged', async () => {
  it = aDesktop({ refusesStartup: true }, { startAtLogin: true })
  await it.desktop.start()
  await expect(it.change({ startHidden: false })).rejects.toThrow('the system said no')
  expect(it.chosen().startHidden).toBe(true)
})

test('download folder, content protection and battery saving follow the settings at once', async () => {
  await it.desktop.start()
  await it.change({ downloadFolder: '/files', contentProtection: true })
  expect(it.seen.into).toBe('/files')
  expect(it.seen.protected).toBe(true)
  it.system.battery(true)
  await it.change({ saveOnBattery: false })
  expect(it.seen.saving).toEqual([true, false])
})

test('spelling is checked in the chosen languages, and in none before', async () => {
  await it.desktop.start()
  expect(it.seen.spelling).toEqual([])
  expect((await it.desktop.state()).spelling).toEqual({ languages: ['en-GB', 'pl'] })
  await it.change({ spelling: ['pl'] })
  expect(it.seen.spelling).toEqual(['pl'])
})

test('a channel may use only some of the languages while it is in front', async () => {
  await it.desktop.start()
  const place = { account: 'demo ola', cid: asCid('team:biuro') }
  it.desktop.writesIn(place)
  const spelling = ['en-GB', 'pl']
  await it.change({ spelling, spellingIn: withSpellingIn({ spelling, spellingIn: {} }, place, 'en-GB', false) })
  expect(it.seen.spelling).toEqual(['pl'])
  it.desktop.writesIn({ ...place, cid: asCid('team:office') })
  expect(it.seen.spelling).toEqual(spelling)
})

test('the icon’s own menu lists the recent conversations, with links that work after Parlor has quit', async () => {
  it = aDesktop({ recent: [place('design', 0)] })
  await it.desktop.start()
  const jumps = it.seen.jumps.at(-1)
  expect(jumps?.places.map(({ label, link }) => [label, link])).toEqual([
    ['design', 'parlor://open/demo/channel/design'],
  ])
  expect(jumps?.tasks.map(({ link }) => link)).toEqual(['parlor://new', undefined, 'parlor://settings/desktop'])
  const quiet = (): Jumps['tasks'][number] | undefined => it.seen.jumps.at(-1)?.tasks[1]
  quiet()?.run()
  expect(it.seen.pauses).toEqual(['tomorrow'])
  expect(quiet()?.label).toBe('tray.pauses.off')
})

test('uploads are shown as progress on the icon and in the tray tooltip until they are finished', async () => {
  it = aDesktop({}, { tray: 'on' })
  await it.desktop.start()
  it.facts.sending = { files: 2, share: 0.256, texts: 0 }
  it.desktop.touched()
  await it.clock.advance(1_000)
  expect(it.seen.progress).toEqual([0.256])
  expect(it.seen.trays.at(-1)?.tooltip).toBe('tray.sending 2 25')
  it.facts.sending = { files: 0, share: 0, texts: 0 }
  it.desktop.touched()
  await it.clock.advance(1_000)
  expect(it.seen.progress).toEqual([0.256, undefined])
  expect(it.seen.trays.at(-1)?.tooltip).toBe('tray.plain')
})

test('no timer is left after a stop', async () => {
  await it.desktop.start()
  it.desktop.touched()
  it.desktop.stop()
  expect(it.clock.pending).toBe(0)
})

test('a live location is shown in the tray with the minutes left, and ended by one click', async () => {
  it = aDesktop({ sharedFor: 42 * 60_000 + 800, offline: true })
  await it.desktop.start()
  expect(it.seen.trays.at(-1)?.tooltip).toBe('tray.sharing 42')
  pressed(it, 'tray.stopSharing 42')
  expect(it.facts.sharedFor).toBeUndefined()
  expect(it.seen.trays.at(-1)?.tooltip).toBe('tray.offline')
})
