import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Host, SystemQuestion, UpdateCapability } from '#main/hosts/host.ts'
import { SIGNED_OUT_PROFILE } from '#main/settings/profile.ts'
import { DEFAULT_SETTINGS } from '#shared/domain/settings.ts'
import { ManualClock } from '#kit/manual-clock.ts'
import { createTranslate } from '../texts.ts'
import { linkUpdates } from './updating.ts'

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
