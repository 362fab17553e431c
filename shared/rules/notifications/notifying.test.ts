import { describe, expect, test } from 'vitest'
import type { NotificationChoices, NotifyDecision } from '#shared/domain/notification.ts'
import {
  lastDigestTime,
  burstForm,
  withNotification,
  type RecentNotifications,
  type Arrival,
  type ArrivalPlace,
  decideNotification,
  isWithin,
  keywordIn,
  type Situation,
} from './notifying.ts'
import { DEFAULT_NOTIFICATIONS } from '#shared/domain/settings.ts'

const NOW = Date.UTC(2026, 10, 22, 12, 0)

const aMessage = (over: Partial<Arrival> = {}): Arrival => ({
  userId: 'ania',
  type: 'regular',
  text: 'The banner wraps',
  silent: false,
  shadowed: false,
  mentionsViewer: false,
  onlyInThread: false,
  followed: false,
  createdAt: NOW,
  ...over,
})

type Case = {
  readonly message?: Partial<Arrival>
  readonly place?: Partial<ArrivalPlace>
  readonly choices?: Partial<NotificationChoices>
  readonly situation?: Partial<Situation>
}

const decide = ({ message, place, choices, situation }: Case): NotifyDecision =>
  decideNotification(
    aMessage(message),
    { cid: 'team:plans', direct: false, muted: false, lastReadAt: NOW - 1_000, ...place },
    { ...DEFAULT_NOTIFICATIONS, ...choices },
    {
      viewerId: 'me',
      authorMuted: false,
      accountMuted: false,
      watching: false,
      now: NOW,
      local: { at: NOW, weekday: 7, minute: 720 },
      account: 'local',
      ...situation,
    },
  )

/** The deciding rule. */
const stoppedBy = (decision: NotifyDecision): string =>
  decision.notifies ? 'notified' : (decision.steps.at(-1)?.rule ?? '')

const everything = { level: 'all' } as const

describe('in a channel with a digest', () => {
  const digest = (mentionsNow: boolean) => ({
    level: 'all' as const,
    digests: { local: { 'team:plans': { minute: 1_020, days: 'daily' as const, mentionsNow } } },
  })

  test('a message waits for the digest, and a mention does not unless that is chosen', () => {
    const mention = { mentionsViewer: true }
    expect(stoppedBy(decide({ choices: digest(true) }))).toBe('digest')
    expect(stoppedBy(decide({ choices: digest(true), message: mention }))).toBe('notified')
    expect(stoppedBy(decide({ choices: digest(false), message: mention }))).toBe('digest')
    expect(stoppedBy(decide({ choices: digest(true), place: { cid: 'team:other' } }))).toBe('notified')
  })

  test('its last time is today or before, and on workdays never on a weekend', () => {
    const saturday = new Date(2026, 10, 28, 12).getTime()
    const time = (days: 'daily' | 'workdays', hour: number) =>
      new Date(lastDigestTime({ minute: hour * 60, days, mentionsNow: true }, saturday)).toString()
    expect(time('daily', 9)).toBe(new Date(2026, 10, 28, 9).toString())
    expect(time('daily', 17)).toBe(new Date(2026, 10, 27, 17).toString())
    expect(time('workdays', 9)).toBe(new Date(2026, 10, 27, 9).toString())
  })
})

describe('a message notifies', () => {
  test.each<[string, Case, string]>([
    ['in a direct conversation', { place: { direct: true } }, 'direct'],
    ['that mentions the viewer', { message: { mentionsViewer: true } }, 'mention'],
    ['with a keyword', { choices: { keywords: ['Banner'] } }, 'keyword'],
    ['in a thread the viewer follows', { message: { followed: true, onlyInThread: true } }, 'thread'],
    ['in a channel set to all messages', { choices: { levels: { local: { 'team:plans': 'all' } } } }, 'channel'],
    ['where all messages notify', { choices: everything }, 'channel'],
  ])('%s', (_name, given, cause) => {
    expect(decide(given)).toMatchObject({ notifies: true, cause })
  })

  test('from an allowed person during quiet hours', () => {
    const given = { place: { direct: true }, choices: { pausedUntil: NOW + 1, allowed: ['ania'] } }
    expect(decide(given).steps.at(-1)).toEqual({ rule: 'quiet', stops: false, by: 'pause', allowed: true })
  })
})

describe('a message does not notify', () => {
  const direct = { direct: true }
  test.each<[string, Case, string]>([
    ['by the viewer', { message: { userId: 'me' }, place: direct }, 'own'],
    ['of the system', { message: { type: 'system' }, choices: everything }, 'kind'],
    ['sent silently', { message: { silent: true }, place: direct }, 'kind'],
    ['in a muted workspace', { place: direct, situation: { accountMuted: true } }, 'account-muted'],
    ['by a muted person', { place: direct, situation: { authorMuted: true } }, 'person-muted'],
    [
      'in a muted channel, mention or not',
      { message: { mentionsViewer: true }, place: { muted: true } },
      'channel-muted',
    ],
    ['that does not concern the viewer', {}, 'level'],
    ['in a thread that is not followed', { message: { onlyInThread: true }, choices: everything }, 'cause'],
    [
      'in a channel set to nothing',
      { place: direct, choices: { levels: { local: { 'team:plans': 'none' } } } },
      'level',
    ],
    ['that was read on another device', { place: { direct: true, lastReadAt: NOW } }, 'read'],
    ['in the channel that is on screen', { place: direct, situation: { watching: true } }, 'watching'],
    ['of more than five minutes ago', { place: direct, situation: { now: NOW + 300_001 } }, 'late'],
    ['while paused', { place: direct, choices: { pausedUntil: NOW + 1 } }, 'quiet'],
  ])('%s', (_name, given, rule) => {
    expect(stoppedBy(decide(given))).toBe(rule)
  })

  test('but is saved for the summary if only quiet hours stopped it', () => {
    expect(decide({ place: direct, choices: { pausedUntil: NOW + 1 } }).deferred).toBe(true)
    expect(decide({ place: { direct: true, muted: true } }).deferred).toBe(false)
  })

  test('if only another account has a level for that channel', () => {
    const choices = { levels: { other: { 'team:plans': 'all' } } } as const
    expect(stoppedBy(decide({ choices }))).toBe('level')
  })
})

test('the trail lists every rule up to the one that decided', () => {
  expect(decide({}).steps.map(({ rule, stops }) => `${rule} ${stops}`)).toEqual([
    'own false',
    'kind false',
    'account-muted false',
    'person-muted false',
    'channel-muted false',
    'cause false',
    'level true',
  ])
})

describe('a keyword', () => {
  test.each([
    ['Wdrożenie dziś', 'wdrozenie'],
    ['мой отчёт готов', 'отчет'],
    ['see release 4.2, please', 'release 4.2'],
    ['明日は東京都へ', '東京'],
  ])('matches "%s" by %s, ignoring case and accents', (text, keyword) => {
    expect(keywordIn(text, ['nothing', keyword])).toBe(keyword)
  })

  test('is a whole word', () => {
    expect(keywordIn('the banners wrap', ['banner'])).toBeUndefined()
  })
})

describe('quiet hours', () => {
  const night = { weekdays: [5], from: 22 * 60, to: 7 * 60 }
  test.each([
    [{ weekday: 5, minute: 22 * 60 }, true],
    [{ weekday: 6, minute: 6 * 60 + 59 }, true],
    [{ weekday: 6, minute: 7 * 60 }, false],
    [{ weekday: 5, minute: 3 * 60 }, false],
    [{ weekday: 6, minute: 23 * 60 }, false],
  ])('over midnight from Friday: %o is %s', (local, expected) => {
    expect(isWithin(night, local)).toBe(expected)
  })

  test('from Sunday extend into Monday', () => {
    expect(isWithin({ weekdays: [7], from: 1_320, to: 420 }, { weekday: 1, minute: 60 })).toBe(true)
  })

  test('with equal start and end are the whole day', () => {
    expect(isWithin({ weekdays: [2], from: 0, to: 0 }, { weekday: 2, minute: 700 })).toBe(true)
  })
})

describe('a burst', () => {
  const after = (cids: readonly string[]): RecentNotifications =>
    cids.reduce<RecentNotifications>((shown, cid, index) => withNotification(shown, cid, 1_000 + index), [])

  test('of six in a channel is a count from the sixth on', () => {
    expect(burstForm(after(Array.from({ length: 5 }, () => 'a')))).toEqual({ form: 'one' })
    expect(burstForm(after(Array.from({ length: 6 }, () => 'a')))).toEqual({ form: 'channel', count: 6 })
  })

  test('of twenty-one in total is one summary', () => {
    const cids = Array.from({ length: 21 }, (_each, index) => `channel-${index}`)
    expect(burstForm(after(cids))).toEqual({ form: 'everything', count: 21 })
  })

  test('ends after ten seconds', () => {
    const shown = after(Array.from({ length: 6 }, () => 'a'))
    expect(burstForm(withNotification(shown, 'a', 11_005))).toEqual({ form: 'one' })
  })
})
