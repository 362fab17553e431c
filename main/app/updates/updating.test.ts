import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Host, SystemQuestion, UpdateCapability } from '#main/hosts/host.ts'
import { SIGNED_OUT_PROFILE } from '#main/settings/profile.ts'
import { DEFAULT_SETTINGS } from '#shared/domain/settings.ts'
import type { UpdateMode } from '#shared/domain/desktop/policies.ts'
import type { UpdateState } from '#shared/domain/desktop/desktop.ts'
import { AppError } from '#shared/lib/app-error.ts'
import { NO_UPDATE_MEMORY, ANNOUNCE_INTERVAL_MS, type UpdateMemory } from '#shared/rules/desktop/updates.ts'
import { ManualClock } from '#kit/manual-clock.ts'
import { createTranslate } from '../texts.ts'
import { linkUpdates, Updates } from './updating.ts'

const resources = join(import.meta.dirname, '../../../resources')

/** What the system asks the user at the second start of 1.1.0, which has opened no window since it replaced 1.0.0. */
function askedAtStart(language: 'en' | 'pl' | 'ru', commandBack: string | undefined): SystemQuestion[] {
  const asked: SystemQuestion[] = []
  let profile = {
    ...SIGNED_OUT_PROFILE,
    updates: {
      quietUntil: 0,
      refused: [],
      tried: { version: '1.1.0', times: 1, ran: true, from: '1.0.0', starts: 1 },
    },
  }
  const updates: UpdateCapability = {
    check: () => Promise.resolve(undefined),
    download: () => Promise.resolve(),
    verify: () => Promise.resolve(),
    tidy: () => Promise.resolve(),
    install: () => undefined,
    commandBack: () => commandBack,
  }
  const ending = { ask: (question: SystemQuestion) => (asked.push(question), Promise.resolve(0)) }
  const host = { updates, ending, info: { version: '1.1.0' }, ports: { clock: new ManualClock() }, log: () => {} }
  const updating = linkUpdates({
    host: host as unknown as Host,
    store: {
      settings: () => DEFAULT_SETTINGS,
      profile: () => profile,
      saveProfile: (changes) => (profile = { ...profile, ...changes } as typeof profile),
    },
    translate: createTranslate(resources, () => ({ language })),
    notifyAll: () => undefined,
  })
  updating.start()
  updating.stop()
  return asked
}

test.each([
  ['en', 'Parlor 1.1.0 didn’t open after the update'],
  ['pl', 'Parlor 1.1.0 nie otworzył się po aktualizacji'],
  ['ru', 'Parlor 1.1.0 не открылся после обновления'],
] as const)('a version that opened no window says so to the user in %s, with the command back', (language, message) => {
  const command = 'sudo dpkg --install parlor_1.0.0_amd64.deb'
  const [question, ...others] = askedAtStart(language, command)
  expect(others).toEqual([])
  expect(question).toMatchObject({ message, buttons: [expect.stringMatching(/^(OK|ОК)$/)], cancel: 0 })
  expect(question?.detail).toContain('1.0.0')
  expect(question?.detail.split('\n').at(-1)).toBe(command)
})

test('where the newer version must be removed first, there is no command', () => {
  const [question] = askedAtStart('en', undefined)
  expect(question?.detail).toBe(
    'If it doesn’t open now either, remove Parlor and install version 1.0.0 again. Your messages and settings stay.',
  )
})

const DAY_MS = ANNOUNCE_INTERVAL_MS

type Outside = {
  newest: string | undefined
  mode: UpdateMode
  /** The error of the feed. */
  fails: string | undefined
  /** The user has uploads in progress and stays. */
  stays: boolean
  /** The downloaded file is no longer there. */
  gone: boolean
  /** The file of the feed is not the listed one. */
  damaged: boolean
  /** The system replaces the program before it ends, or the user does not give the password. */
  outcome: 'placed' | 'declined' | undefined
  /** The checksum of the listed file. */
  file: string
  memory: UpdateMemory
}

/** Parlor 1.0.0 with a fake feed; `again` is its next start. */
function aProgram(over: Partial<Outside> = {}, version = '1.0.0') {
  const outside: Outside = {
    newest: '1.1.0',
    mode: 'auto',
    fails: undefined,
    stays: false,
    gone: false,
    damaged: false,
    outcome: undefined,
    file: 'a',
    memory: NO_UPDATE_MEMORY,
    ...over,
  }
  const seen = { looks: 0, fetched: 0, installed: 0, tidied: 0, helped: [] as string[], notified: [] as UpdateState[] }
  const clock = new ManualClock()
  const answer = async <Value>(value: Value): Promise<Value> => {
    if (outside.fails !== undefined) throw new AppError(outside.fails)
    return value
  }
  const updates = new Updates({
    updates: {
      check() {
        seen.looks += 1
        const { newest, file } = outside
        return answer(newest === undefined ? undefined : { version: newest, file })
      },
      async download(onShare) {
        seen.fetched += 1
        onShare(0.5)
        if (outside.damaged) throw new AppError('update/untrusted')
        await answer(undefined)
      },
      async verify() {
        if (outside.gone) throw new AppError('update/gone')
      },
      async tidy() {
        seen.tidied += 1
      },
      install({ onPlaced, onDeclined }) {
        seen.installed += 1
        if (outside.outcome === 'placed') onPlaced()
        if (outside.outcome === 'declined') onDeclined()
      },
    },
    unable: undefined,
    version,
    clock,
    log: () => {},
    mode: () => outside.mode,
    memory: { read: () => outside.memory, write: (memory) => void (outside.memory = memory) },
    notify: (state) => void seen.notified.push(state),
    help: (before) => void seen.helped.push(before),
    leave: async (work) => {
      if (outside.stays) return false
      work()
      return true
    },
  })
  updates.start()
  return { updates, outside, seen, clock, again: (as: string) => aProgram(outside, as) }
}

const LONG_MS = 7 * 60 * 60_000

test('a newer version is downloaded in the background and announced once; nothing restarts automatically', async () => {
  const { updates, seen, clock } = aProgram()
  await clock.advance(LONG_MS)
  expect(updates.state).toMatchObject({ stage: 'ready', version: '1.1.0', announced: true })
  expect(seen.notified.map(({ stage }) => stage)).toEqual([
    'rest',
    'looking',
    'found',
    'fetching',
    'fetching',
    'ready',
    'ready',
  ])
  expect(seen.fetched).toBe(1)
  expect(seen.installed).toBe(0)
  await updates.install()
  expect(seen.installed).toBe(1)
})

test('a postponed version is announced a day later and not before, also after a restart', async () => {
  const { updates, clock, seen, again } = aProgram()
  await clock.advance(LONG_MS)
  updates.later()
  const before = seen.notified.length
  await clock.advance(DAY_MS - 1)
  expect(seen.notified.length).toBe(before)
  await clock.advance(LONG_MS)
  expect(updates.state.announced).toBe(true)
  const next = again('1.0.0')
  await next.clock.advance(LONG_MS)
  expect(next.updates.state).toMatchObject({ stage: 'ready', announced: false })
})

test('a skipped version is offered again only by a manual check; a newer one is offered', async () => {
  const { updates, outside, clock } = aProgram()
  await clock.advance(LONG_MS)
  updates.skip()
  await clock.advance(LONG_MS)
  expect(updates.state).toMatchObject({ stage: 'rest', announced: false })
  outside.newest = '1.2.0'
  await clock.advance(LONG_MS)
  expect(updates.state).toMatchObject({ stage: 'ready', version: '1.2.0' })
  updates.skip()
  await updates.check()
  expect(updates.state).toMatchObject({ stage: 'ready', version: '1.2.0' })
})

test('in the mode “notify” a version is announced, and downloaded on request', async () => {
  const { updates, clock, seen } = aProgram({ mode: 'notify' })
  await clock.advance(LONG_MS)
  expect(updates.state.stage).toBe('found')
  expect(updates.state.announced).toBe(true)
  expect(seen.fetched).toBe(0)
  await updates.download()
  expect(updates.state.stage).toBe('ready')
})

test('in the mode “off” nothing is checked, except on request', async () => {
  const { updates, clock, seen } = aProgram({ mode: 'off' })
  await clock.advance(3 * DAY_MS)
  expect(seen.looks).toBe(0)
  await updates.check()
  expect(updates.state.stage).toBe('found')
})

test('an unreachable feed or an untrusted version is reported to a manual check and retried later', async () => {
  const { updates, outside, clock } = aProgram({ fails: 'update/untrusted' })
  await expect(updates.check()).rejects.toMatchObject({ code: 'update/untrusted' })
  expect(updates.state).toMatchObject({ stage: 'rest', failure: 'update/untrusted' })
  outside.fails = undefined
  await clock.advance(LONG_MS)
  expect(updates.state.stage).toBe('ready')
})

test('a version that cannot be installed is offered twice and not a third time', async () => {
  let program = aProgram()
  for (let start = 0; start < 2; start += 1) {
    await program.updates.check()
    await program.updates.install()
    program = program.again('1.0.0')
  }
  await program.updates.check()
  expect(program.updates.state).toMatchObject({ stage: 'rest', refused: '1.1.0' })
  program.outside.newest = '1.1.1'
  await program.updates.check()
  expect(program.updates.state).toMatchObject({ stage: 'ready', version: '1.1.1' })
})

test('a version that never opened a window is not offered again after a rollback', async () => {
  const first = aProgram()
  await first.updates.check()
  await first.updates.install()
  const broken = first.again('1.1.0')
  const back = broken.again('1.0.0')
  await back.updates.check()
  expect(back.updates.state).toMatchObject({ stage: 'rest', refused: '1.1.0' })
})

test('a version that opened a window works, and a later rollback is not its failure', async () => {
  const first = aProgram()
  await first.updates.check()
  await first.updates.install()
  const next = first.again('1.1.0')
  next.updates.cameUp()
  const back = next.again('1.0.0')
  await back.updates.check()
  expect(back.updates.state).toMatchObject({ stage: 'ready', version: '1.1.0' })
})

test('a version that was put in place and is gone at the next start was put back: it is not offered again', async () => {
  const first = aProgram({ outcome: 'placed' })
  await first.updates.check()
  await first.updates.install()
  const back = first.again('1.0.0')
  await back.updates.check()
  expect(back.updates.state).toMatchObject({ stage: 'rest', refused: '1.1.0' })
})

test('the start after a failed installation says so, until the next check', async () => {
  const first = aProgram()
  await first.updates.check()
  await first.updates.install()
  const next = first.again('1.0.0')
  expect(next.seen.notified).toEqual([{ stage: 'rest', announced: false, failure: 'update/not-installed' }])
  await next.updates.check()
  expect(next.updates.state).toMatchObject({ stage: 'ready', version: '1.1.0' })
  expect(next.updates.state.failure).toBeUndefined()
})

test('a version for which no password is given has not failed: it is offered again, and the next start says why', async () => {
  let program = aProgram({ outcome: 'declined' })
  for (let start = 0; start < 3; start += 1) {
    await program.updates.check()
    expect(program.updates.state).toMatchObject({ stage: 'ready', version: '1.1.0' })
    await program.updates.install()
    program = program.again('1.0.0')
    expect(program.seen.notified).toEqual([{ stage: 'rest', announced: false, failure: 'update/declined' }])
  }
})

test('a password that is not given does not make up for an installation that failed', async () => {
  let program = aProgram()
  for (const outcome of [undefined, 'declined', undefined] as const) {
    program.outside.outcome = outcome
    await program.updates.check()
    await program.updates.install()
    program = program.again('1.0.0')
  }
  await program.updates.check()
  expect(program.updates.state).toMatchObject({ stage: 'rest', refused: '1.1.0' })
})

test('a file that is not the listed one is downloaded twice, and then only on request, also after a restart', async () => {
  const first = aProgram({ damaged: true })
  await first.clock.advance(LONG_MS)
  expect(first.seen.fetched).toBe(2)
  await first.clock.advance(DAY_MS)
  expect(first.seen.fetched).toBe(2)
  expect(first.updates.state).toMatchObject({ stage: 'found', version: '1.1.0', failure: 'update/untrusted' })
  const next = first.again('1.0.0')
  await next.clock.advance(LONG_MS)
  expect(next.seen.fetched).toBe(0)
  await expect(next.updates.download()).rejects.toMatchObject({ code: 'update/untrusted' })
  await expect(next.updates.check()).rejects.toMatchObject({ code: 'update/untrusted' })
  expect(next.seen.fetched).toBe(2)
})

test('when the list names another file, that one is downloaded', async () => {
  const { updates, outside, clock, seen } = aProgram({ damaged: true })
  await clock.advance(DAY_MS)
  expect(seen.fetched).toBe(2)
  outside.file = 'b'
  outside.damaged = false
  await clock.advance(LONG_MS)
  expect(updates.state).toMatchObject({ stage: 'ready', version: '1.1.0' })
  expect(seen.fetched).toBe(3)
})

test('a file that could be downloaded on request is trusted again', async () => {
  const { updates, outside, clock, seen, again } = aProgram({ damaged: true })
  await clock.advance(DAY_MS)
  outside.damaged = false
  await updates.download()
  expect(seen.fetched).toBe(3)
  const next = again('1.0.0')
  await next.clock.advance(LONG_MS)
  expect(next.updates.state).toMatchObject({ stage: 'ready' })
})

test('a new version that opens no window explains at its second start how to leave it', async () => {
  const first = aProgram()
  await first.updates.check()
  await first.updates.install()
  const broken = first.again('1.1.0')
  expect(broken.seen.helped).toEqual([])
  const second = broken.again('1.1.0')
  expect(second.seen.helped).toEqual(['1.0.0'])
  second.updates.cameUp()
  expect(second.again('1.1.0').seen.helped).toEqual([])
})

test('the file of a version that works is deleted, once', async () => {
  const first = aProgram()
  await first.updates.check()
  await first.updates.install()
  const next = first.again('1.1.0')
  expect(next.seen.tidied).toBe(0)
  next.updates.cameUp()
  next.updates.cameUp()
  expect(next.seen.tidied).toBe(1)
})

test('a downloaded file that is gone is offered for download again, and Parlor does not end', async () => {
  const { updates, outside, seen } = aProgram({ gone: true })
  await updates.check()
  await expect(updates.install()).rejects.toMatchObject({ code: 'update/gone' })
  expect(updates.state).toMatchObject({ stage: 'found', version: '1.1.0', failure: 'update/gone' })
  expect(seen.installed).toBe(0)
  outside.gone = false
  await updates.download()
  await updates.install()
  expect(seen.installed).toBe(1)
})

test('a user who stays for an upload has tried nothing', async () => {
  const { updates, outside, seen, clock } = aProgram({ stays: true })
  await clock.advance(LONG_MS)
  await updates.install()
  expect(updates.state.stage).toBe('ready')
  expect(seen.installed).toBe(0)
  expect(outside.memory.tried).toBeUndefined()
})

test('only a downloaded version is installed', async () => {
  const { updates } = aProgram()
  await expect(updates.install()).rejects.toMatchObject({ code: 'update/not-ready' })
})
