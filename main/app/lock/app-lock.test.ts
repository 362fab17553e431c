import { expect, test } from 'vitest'
import { memorySecrets } from '#main/hosts/node/secrets-file.ts'
import { ManualClock } from '#kit/manual-clock.ts'
import { AppLock, SAVING_MS, mayWhileLocked, waitAfter } from './app-lock.ts'
import { contract } from '#shared/bridge/index.ts'

const MINUTE = 60_000

async function begin(over: { idle?: () => number; minutes?: number } = {}) {
  const clock = new ManualClock()
  const secrets = memorySecrets()
  const notified: string[] = []
  const of = { screenLocked: (): void => {} }
  const power = {
    onSuspend: () => {},
    onResume: () => {},
    onLock: (fn: () => void) => void (of.screenLocked = fn),
    onUnlock: () => {},
    ...(over.idle ? { idleMs: over.idle } : {}),
  }
  const open = async (): Promise<AppLock> => {
    const lock = await AppLock.open({ secrets, clock, power, minutes: () => over.minutes ?? 5 })
    lock.listen({
      locking: () => notified.push('saving'),
      changed: (turned) => void (turned && notified.push(lock.locked ? 'locked' : 'open')),
    })
    return lock
  }
  return { clock, secrets, notified, of, open, lock: await open() }
}

const codeOf = (work: Promise<void>): Promise<string> =>
  work.then(
    () => 'ok',
    (error: { code: string }) => error.code,
  )

test('without a PIN nothing is ever locked', async () => {
  const { lock, clock, of } = await begin()
  of.screenLocked()
  await clock.advance(60 * MINUTE)
  expect(lock.state()).toEqual({ on: false, locked: false })
  expect(await codeOf(Promise.resolve().then(() => lock.now()))).toBe('lock/none')
  lock.stop()
})

test('the PIN itself is not stored, and each start asks for it', async () => {
  const { lock, secrets, open } = await begin()
  await lock.set('2468')
  expect(await secrets.get('app-lock')).not.toContain('2468')
  const next = await open()
  expect(next.state()).toEqual({ on: true, locked: true })
  expect(await codeOf(next.unlock('1357'))).toBe('lock/wrong')
  expect(await codeOf(next.unlock('2468'))).toBe('ok')
  expect(next.locked).toBe(false)
  for (const each of [lock, next]) each.stop()
})

test('by command it waits until windows have saved, and then accepts only the PIN', async () => {
  const { lock, clock, notified } = await begin()
  await lock.set('2468')
  lock.now()
  lock.check('messages.send')
  await clock.advance(SAVING_MS)
  expect(notified).toEqual(['saving', 'locked'])
  for (const call of ['messages.send', 'settings.update', 'session.show', 'lock.set', 'data.saveLog']) {
    expect(() => lock.check(call)).toThrow('lock/locked')
  }
  lock.check('app.attach')
  lock.check('lock.unlock')
  lock.stop()
})

test('after the chosen minutes without input, by the system’s idle time if available', async () => {
  const touched = await begin()
  await touched.lock.set('2468')
  for (let minute = 0; minute < 6; minute += 1) {
    await touched.clock.advance(MINUTE)
    touched.lock.touched()
  }
  expect(touched.lock.locked).toBe(false)
  await touched.clock.advance(6 * MINUTE)
  expect(touched.lock.locked).toBe(true)
  const notified = await begin({ idle: () => 4 * MINUTE })
  await notified.lock.set('2468')
  await notified.clock.advance(30 * MINUTE)
  expect(notified.lock.locked).toBe(false)
  for (const { lock } of [touched, notified]) lock.stop()
})

test('locks with the screen, unless it locks only manually', async () => {
  for (const [minutes, locked] of [
    [5, true],
    [0, false],
  ] as const) {
    const { lock, clock, of } = await begin({ minutes })
    await lock.set('2468')
    of.screenLocked()
    await clock.advance(60 * MINUTE * minutes + SAVING_MS)
    expect(lock.locked).toBe(locked)
    lock.stop()
  }
})

test('wrong PINs cost growing waits, across restarts and concurrent attempts; the right one resets them', async () => {
  const { lock, clock, open } = await begin()
  await lock.set('2468')
  lock.now()
  await clock.advance(SAVING_MS)
  const crowd = await Promise.all(['1', '2', '3', '4', '5'].map((typed) => codeOf(lock.unlock(typed))))
  expect(crowd).toEqual(['lock/wrong', 'lock/wrong', 'lock/wrong', 'lock/wait', 'lock/wait'])
  expect(lock.state().waitUntil).toBe(clock.now() + 10_000)
  const next = await open()
  expect(await codeOf(next.unlock('2468'))).toBe('lock/wait')
  await clock.advance(10_000)
  expect(await codeOf(next.unlock('6'))).toBe('lock/wrong')
  await clock.advance(30_000)
  expect(await codeOf(next.unlock('2468'))).toBe('ok')
  expect(next.state()).toEqual({ on: true, locked: false })
  for (const each of [lock, next]) each.stop()
})

test('changing or removing the PIN requires the current one', async () => {
  const { lock } = await begin()
  await lock.set('2468')
  expect(await codeOf(lock.set('1111', '0000'))).toBe('lock/wrong')
  expect(await codeOf(lock.set('1111', '2468'))).toBe('ok')
  expect(await codeOf(lock.remove('2468'))).toBe('lock/wrong')
  expect(await codeOf(lock.remove('1111'))).toBe('ok')
  expect(lock.state().on).toBe(false)
  lock.stop()
})

test('a forgotten PIN is removed only after the data it protected', async () => {
  const { lock, open } = await begin()
  await lock.set('2468')
  const refused = codeOf(lock.forget(() => Promise.reject(Object.assign(new Error('no'), { code: 'disk' }))))
  expect(await refused).toBe('disk')
  expect((await open()).locked).toBe(true)
  await lock.forget(() => Promise.resolve())
  expect(lock.state()).toEqual({ on: false, locked: false })
  expect((await open()).locked).toBe(false)
  lock.stop()
})

test('three wrong PINs cause no delay, each further one a longer delay, up to an hour', () => {
  const seconds = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 100].map((wrong) => waitAfter(wrong) / 1_000)
  expect(seconds).toEqual([0, 0, 0, 10, 30, 60, 300, 900, 3_600, 3_600, 3_600])
})

test('a locked Parlor only accepts calls that unlock it, quit it or report a failure', () => {
  const calls = Object.entries(contract).flatMap(([area, names]) => Object.keys(names).map((name) => `${area}.${name}`))
  expect(calls.filter(mayWhileLocked).toSorted()).toEqual([
    'app.attach',
    'app.logFailure',
    'app.reportFocus',
    'desktop.quit',
    'desktop.safePage',
    'lock.forget',
    'lock.unlock',
  ])
})
