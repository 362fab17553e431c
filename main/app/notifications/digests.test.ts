import { beforeEach, expect, test } from 'vitest'
import { ManualClock } from '#kit/manual-clock.ts'
import type { Digest, NotificationChoices } from '#shared/domain/notification.ts'
import { DEFAULT_NOTIFICATIONS } from '#shared/domain/settings.ts'
import { sidebarKey } from '#shared/rules/channels/sidebar.ts'
import { type Account, sessionOf } from '../accounts/account.ts'
import type { Delivery, NotificationContent } from './delivery.ts'
import { DigestNotifier } from './digests.ts'

const CID = 'team:support'
const HOUR_MS = 3_600_000

let clock: ManualClock
let sent: NotificationContent[]
let choices: NotificationChoices
let times: Map<string, number>
let items: number
let unread: number
let isMuted: boolean
let isLeft: boolean
let isBroken: boolean
let gathering: Promise<void> | undefined
let withdrawn: string[]
let digests: DigestNotifier
let counted: number[]
let asked: { since: number; cid?: string }[]

const account = {
  key: 'demo-1',
  ref: { kind: 'demo', userId: 'me' },
  baseUrl: () => '',
  engine: {
    digestPlace: () => (isLeft ? undefined : { name: 'support', unread, muted: false }),
    digestedAt: (cid: string) => times.get(cid),
    digested: (cid: string, at: number) => void times.set(cid, at),
    keepDigests: (cids: readonly string[]) => {
      for (const cid of times.keys()) if (!cids.includes(cid)) times.delete(cid)
    },
    countInterruption: () => void counted.push(sent.length),
    handlers: {
      channels: {
        catchUp: async (question: { since: number; cid?: string }) => {
          asked.push(question)
          await gathering
          if (isBroken) throw new Error('disk I/O error')
          return { items: Array.from({ length: items }, () => ({})) }
        },
      },
    },
  },
} as unknown as Account

const minuteNow = (): number => new Date(clock.now()).getHours() * 60 + new Date(clock.now()).getMinutes()
/** A digest `hours` from now, every day. */
const dueIn = (hours: number, over: Partial<Digest> = {}): void => {
  const digest: Digest = { minute: (minuteNow() + hours * 60) % 1_440, days: 'daily', mentionsNow: true, ...over }
  choices = { ...choices, digests: { [sidebarKey(sessionOf(account.ref, ''))]: { [CID]: digest } } }
}

beforeEach(() => {
  clock = new ManualClock()
  sent = []
  asked = []
  times = new Map()
  choices = DEFAULT_NOTIFICATIONS
  items = 2
  unread = 5
  isMuted = false
  isLeft = false
  isBroken = false
  gathering = undefined
  withdrawn = []
  counted = []
  const delivery: Delivery = {
    notify: (_account, content) => {
      sent.push(content)
      return 'shown'
    },
    withdraw: (_account, tag) => void withdrawn.push(tag),
  }
  const translate = (_area: string, key: string, params = {}): string => [key, ...Object.values(params)].join(' ')
  digests = new DigestNotifier({ choices: () => choices, clock, delivery, translate, muted: () => isMuted })
  digests.opened(account)
})

test('a digest comes once at its time, and opens what matters since the one before', async () => {
  dueIn(2)
  await clock.advance(HOUR_MS)
  expect(sent).toEqual([])
  const begun = times.get(CID)
  await clock.advance(HOUR_MS + 60_000)
  expect(sent).toMatchObject([
    { title: 'system.digest.title support', opens: { type: 'catch-up', cid: CID, since: begun } },
  ])
  await clock.advance(3 * HOUR_MS)
  expect(sent).toHaveLength(1)
  const first = times.get(CID)
  await clock.advance(21 * HOUR_MS)
  expect(sent).toHaveLength(2)
  expect(sent[1]?.opens).toMatchObject({ since: first })
})

test('a digest that became due while the device slept comes when it wakes, once', async () => {
  dueIn(2)
  times.set(CID, clock.now() - 3 * 24 * HOUR_MS)
  await clock.advance(60_000)
  expect(sent).toHaveLength(1)
  expect(asked).toMatchObject([{ cid: CID }])
})

test('during quiet hours a digest waits for their end', async () => {
  dueIn(1)
  times.set(CID, clock.now())
  choices = { ...choices, pausedUntil: clock.now() + 3 * HOUR_MS }
  await clock.advance(2 * HOUR_MS)
  expect(sent).toEqual([])
  await clock.advance(HOUR_MS + 60_000)
  expect(sent).toHaveLength(1)
})

test('without anything unread, and in a muted workspace, there is no digest', async () => {
  dueIn(1)
  times.set(CID, clock.now())
  items = 0
  unread = 0
  await clock.advance(2 * HOUR_MS)
  isMuted = true
  unread = 5
  await clock.advance(24 * HOUR_MS)
  expect(sent).toEqual([])
})

test('a hidden preview names no channel', async () => {
  dueIn(1)
  times.set(CID, clock.now())
  choices = { ...choices, preview: 'nothing' }
  await clock.advance(2 * HOUR_MS)
  expect(sent).toMatchObject([{ title: 'system.digest.hidden' }])
})

test('a channel that is no longer listed has none, and is not counted', async () => {
  dueIn(1)
  times.set(CID, clock.now())
  isLeft = true
  await clock.advance(2 * HOUR_MS)
  expect(sent).toEqual([])
  expect(counted).toEqual([])
})

test('a digest that is chosen again begins anew, without what came while there was none', async () => {
  dueIn(1)
  times.set(CID, clock.now())
  await clock.advance(2 * HOUR_MS)
  expect(sent).toHaveLength(1)
  const chosen = choices
  choices = DEFAULT_NOTIFICATIONS
  await clock.advance(3 * 24 * HOUR_MS)
  choices = chosen
  await clock.advance(HOUR_MS)
  expect(sent).toHaveLength(1)
  await clock.advance(24 * HOUR_MS)
  expect(sent).toHaveLength(2)
})

test('a clock that was ahead for a while does not hold digests back', async () => {
  dueIn(1)
  times.set(CID, clock.now() + 365 * 24 * HOUR_MS)
  await clock.advance(2 * HOUR_MS)
  expect(sent).toHaveLength(1)
})

test('a digest that could not be gathered is tried again a minute later, and then is counted once', async () => {
  dueIn(1)
  times.set(CID, clock.now())
  isBroken = true
  await clock.advance(HOUR_MS + 120_000)
  expect(sent).toEqual([])
  expect(asked.length).toBeGreaterThan(1)
  isBroken = false
  await clock.advance(60_000)
  expect(sent).toHaveLength(1)
  expect(counted).toEqual([1])
})

test('an account that closes while its digest is gathered gets none', async () => {
  dueIn(1)
  times.set(CID, clock.now())
  let goOn = (): void => {}
  gathering = new Promise((resolve) => void (goOn = resolve))
  await clock.advance(HOUR_MS + 60_000)
  expect(asked).toHaveLength(1)
  digests.closing(account)
  goOn()
  await clock.advance(24 * HOUR_MS)
  expect(sent).toEqual([])
  expect(counted).toEqual([])
})

test('when Parlor is locked, digests that the system still shows are withdrawn', async () => {
  dueIn(1)
  times.set(CID, clock.now())
  await clock.advance(2 * HOUR_MS)
  digests.hide()
  digests.hide()
  expect(withdrawn).toEqual([`demo-1 digest ${CID}`])
})
