import { beforeEach, describe, expect, test } from 'vitest'
import { ManualClock } from '#kit/manual-clock.ts'
import type { Effect } from '#shared/domain/changes.ts'
import type { Message } from '#shared/domain/message.ts'
import type { NotificationChoices } from '#shared/domain/notification.ts'
import { DEFAULT_NOTIFICATIONS, DEFAULT_SOUNDS } from '#shared/domain/settings.ts'
import { AppError } from '#shared/lib/app-error.ts'
import { asCid, asMessageId } from '#shared/lib/brand.ts'
import type { Commit } from '#main/engine/context.ts'
import type { Focus } from '#main/engine/engine.ts'
import type { AboutArrival } from '#main/engine/features/notifications/about.ts'
import type { SystemNotice } from '#main/hosts/host.ts'
import type { Account } from '../accounts/account.ts'
import { Arrivals } from './arrivals.ts'
import { createDelivery, type Delivery, notificationCalls } from './delivery.ts'

let clock: ManualClock
let drawn: string[]
let counted: string[]
let shown: SystemNotice[]
let withdrawn: string[]
let opened: Effect[]
let pushed: Effect[]
let focuses: Focus[]
let handled: [string, unknown][]
let content: unknown[]
let choices: NotificationChoices
let held: Map<string, AboutArrival>
let commit: (arrived: readonly string[]) => void
let refusesSends: boolean
let isMuted: boolean
let arrivals: Arrivals
let delivery: Delivery
/** A window that plays sounds, and the sounds it played. */
let hasWindow: boolean
let played: string[]

const DIRECT = 'messaging:!members-1'

/** A direct message that has just arrived. */
const aMessage = (id: string, over: Partial<AboutArrival> = {}, message: Partial<AboutArrival['message']> = {}) => {
  const about: AboutArrival = {
    cid: asCid(DIRECT),
    parentId: undefined,
    authorMuted: false,
    author: 'Jonas Lindqvist',
    placeName: '',
    attachments: [],
    place: { cid: DIRECT, direct: true, muted: false, lastReadAt: 0 },
    message: {
      userId: 'jonas',
      type: 'regular',
      text: 'The banner wraps',
      silent: false,
      shadowed: false,
      mentionsViewer: false,
      onlyInThread: false,
      followed: false,
      createdAt: clock.now(),
      ...message,
    },
    ...over,
  }
  held.set(id, about)
  return id
}

const accept =
  (name: string) =>
  (input: unknown): void =>
    void handled.push([name, input])

const account = {
  key: 'demo-1',
  ref: { kind: 'demo', userId: 'me' },
  baseUrl: () => '',
  engine: {
    onCommitted: (listener: (commit: Commit) => void) => {
      commit = (ids) => {
        const arrived = ids.map((id) => ({ id: asMessageId(id) }) as Message)
        listener({
          changes: new Map(),
          arrived,
          invited: [],
          remindersChanged: false,
          badge: { unread: 0, mentions: 0 },
        })
      }
      return () => {}
    },
    aboutArrival: (id: string) => held.get(id),
    countInterruption: (cid: string) => void counted.push(cid),
    focuses: () => focuses,
    serverNow: () => clock.now(),
    notify: (notice: unknown) => void content.push(notice),
    handlers: {
      messages: {
        send(input: unknown) {
          if (refusesSends) throw new AppError('outbox/full')
          handled.push(['send', input])
        },
      },
      drafts: { add: accept('draft') },
      channels: { markRead: accept('read') },
      threads: { markRead: accept('read-thread') },
      reminders: { set: accept('remind') },
    },
  },
} as unknown as Account

const translate = (_area: string, key: string, params = {}): string =>
  `${key} ${Object.values(params).join(' ')}`.trim()

function start({ hasNotifier = true } = {}): void {
  const notifier = {
    isAvailable: () => true,
    show: (notice: SystemNotice) => void shown.push(notice),
    withdraw: (id: string) => void withdrawn.push(id),
  }
  delivery = createDelivery({
    host: hasNotifier ? { notifier } : {},
    play: (_account, name) => hasWindow && played.push(name) > 0,
    show: (_account, effect) => void opened.push(effect),
    push: (_account, effect) => void pushed.push(effect),
    titled: (_account, title) => title,
  })
  arrivals = new Arrivals({
    delivery,
    translate,
    choices: () => choices,
    clock,
    muted: () => isMuted,
    draw: (how) => void drawn.push(how),
  })
  arrivals.watch(account)
}

beforeEach(() => {
  counted = []
  clock = new ManualClock()
  ;[shown, withdrawn, opened, pushed, focuses, handled, content] = [[], [], [], [], [], [], []]
  choices = DEFAULT_NOTIFICATIONS
  held = new Map()
  refusesSends = false
  hasWindow = true
  played = []
  isMuted = false
  drawn = []
})

describe('a new message', () => {
  test('is shown with its author and text, and a click opens it', () => {
    start()
    commit([aMessage('m1')])
    expect(shown).toMatchObject([{ title: 'Jonas Lindqvist', body: 'The banner wraps', silent: false }])
    shown[0]?.onClick()
    expect(opened).toEqual([{ type: 'focus', cid: DIRECT, messageId: 'm1' }])
    expect(counted).toEqual([DIRECT])
  })

  test('plays the chosen sound in a window, and then the system is silent', () => {
    choices = { ...DEFAULT_NOTIFICATIONS, sounds: { ...DEFAULT_SOUNDS, meant: 'knock' } }
    start()
    commit([aMessage('m1')])
    expect(played).toEqual(['knock'])
    expect(shown[0]?.silent).toBe(true)
  })

  test('plays the system sound if there is no window', () => {
    hasWindow = false
    choices = { ...DEFAULT_NOTIFICATIONS, sounds: { ...DEFAULT_SOUNDS, meant: 'knock' } }
    start()
    commit([aMessage('m1')])
    expect(played).toEqual([])
    expect(shown[0]?.silent).toBe(false)
  })

  test('makes no sound if none was chosen', () => {
    choices = { ...DEFAULT_NOTIFICATIONS, sounds: { ...DEFAULT_SOUNDS, meant: 'none' } }
    start()
    commit([aMessage('m1')])
    expect(played).toEqual([])
    expect(shown[0]?.silent).toBe(true)
  })

  test('by an invented person of the demo is not shown by the system', () => {
    commit([aMessage('invented-1')])
    expect(shown).toEqual([])
    commit([aMessage('m2')])
    expect(shown).toHaveLength(1)
  })

  test('is shown once, however often it is received', () => {
    start()
    commit([aMessage('m1'), 'm1'])
    commit(['m1'])
    expect(shown).toHaveLength(1)
  })

  test('names the channel, and a picture without text', () => {
    start()
    commit([aMessage('m1', { placeName: 'design', attachments: ['image', 'image'] }, { text: '' })])
    expect(shown).toMatchObject([
      { title: 'system.inPlace Jonas Lindqvist design', body: 'system.attachments.image 2' },
    ])
  })

  test.each([
    [{ preview: 'sender' } as const, 'Jonas Lindqvist'],
    [{ preview: 'nothing' } as const, 'system.hiddenTitle'],
    [{ presenting: true } as const, 'system.hiddenTitle'],
  ])('shows no words with %o', (chosen, title) => {
    choices = { ...DEFAULT_NOTIFICATIONS, ...chosen }
    start()
    commit([aMessage('m1')])
    expect(shown).toMatchObject([{ title, body: 'system.hiddenBody' }])
  })

  test('shows no names and plays no sound on a shared screen, in a burst too', () => {
    choices = { ...DEFAULT_NOTIFICATIONS, presenting: true }
    start()
    commit(Array.from({ length: 6 }, (_each, index) => aMessage(`m${index}`)))
    expect(JSON.stringify(shown)).not.toContain('Jonas')
    expect(new Set(shown.map(({ silent }) => silent))).toEqual(new Set([true]))
    expect(shown.at(-1)?.title).toBe('system.everything 6')
  })

  test('cannot reverse its text direction, hide, or exceed its length', () => {
    start()
    commit([aMessage('m1', { author: 'J'.repeat(200) }, { text: `Open \u202Efdp.exe\u2066 ${'y'.repeat(500)}` })])
    expect(shown[0]?.title.length).toBe(64)
    expect(shown[0]?.body.length).toBe(138)
    expect(shown[0]?.body).toMatch(/^Open fdp\.exe y+…$/)
  })

  test('replaces the previous one of its channel', () => {
    start()
    commit([aMessage('m1'), aMessage('m2')])
    expect(new Set(shown.map(({ id }) => id)).size).toBe(1)
  })

  test('is not shown while its channel is in view, and the history has the reason', () => {
    focuses = [{ focused: true, cid: asCid(DIRECT) }]
    start()
    commit([aMessage('m1')])
    expect(shown).toEqual([])
    expect(arrivals.history(account).all()).toMatchObject([{ messageId: 'm1', outcome: 'not-shown' }])
    expect(arrivals.history(account).of('m1')?.steps.at(-1)).toEqual({ rule: 'watching', stops: true })
  })

  test('is shown in windows if the system cannot show it, or refuses', () => {
    start({ hasNotifier: false })
    commit([aMessage('m1')])
    expect(pushed).toMatchObject([{ type: 'notify', title: 'Jonas Lindqvist' }])
    start()
    commit([aMessage('m2')])
    shown[0]?.onRefused()
    expect(pushed).toHaveLength(2)
    expect(arrivals.history(account).of('m2')?.outcome).toBe('refused')
  })
})

describe('the icon', () => {
  test('requests attention for the first of a burst, and not for held-back messages', () => {
    start()
    commit(Array.from({ length: 6 }, (_each, index) => aMessage(`m${index}`)))
    expect(drawn).toEqual(Array.from({ length: 5 }, () => 'once'))
    choices = { ...DEFAULT_NOTIFICATIONS, pausedUntil: clock.now() + 60_000 }
    commit([aMessage('m9')])
    expect(drawn).toHaveLength(5)
  })

  test.each([
    ['never', []],
    ['until-opened', ['until-opened']],
  ] as const)('moves as was chosen: %s', (flash, expected) => {
    choices = { ...DEFAULT_NOTIFICATIONS, flash }
    start()
    commit([aMessage('m1')])
    expect(drawn).toEqual(expected)
  })
})

describe('a burst', () => {
  test('of one channel is a count, and silent', () => {
    start()
    commit(Array.from({ length: 6 }, (_each, index) => aMessage(`m${index}`)))
    expect(shown.at(-1)).toMatchObject({ title: 'system.channel 6 Jonas Lindqvist', silent: true })
  })

  test('of many channels is one summary that opens the inbox', () => {
    start()
    const ids = Array.from({ length: 21 }, (_each, index) =>
      aMessage(`m${index}`, { cid: asCid(`messaging:${index}`) }),
    )
    commit(ids)
    expect(shown.at(-1)?.title).toContain('system.everything 21')
    shown.at(-1)?.onClick()
    expect(opened).toEqual([{ type: 'command', action: 'catchUp' }])
  })
})

describe('a notification is withdrawn', () => {
  test.each([
    [
      'was read',
      (about: AboutArrival) => ({ ...about, place: { ...about.place, lastReadAt: about.message.createdAt } }),
    ],
    ['was deleted', (about: AboutArrival) => ({ ...about, message: { ...about.message, type: 'deleted' as const } })],
  ])('when its message %s', (_name, change) => {
    start()
    commit([aMessage('m1')])
    const about = held.get('m1')
    if (about) held.set('m1', change(about))
    commit([])
    expect(withdrawn).toEqual([shown[0]?.id])
    expect(arrivals.history(account).of('m1')?.outcome).toBe('withdrawn')
  })

  test('when the mention was removed by an edit, or its channel was muted; not for being in view, late or quiet', async () => {
    const inChannel = { cid: asCid('team:plans'), direct: false, muted: false, lastReadAt: 0 }
    start()
    commit([aMessage('m1', { cid: inChannel.cid, place: inChannel }, { mentionsViewer: true })])
    focuses = [{ focused: true, cid: inChannel.cid }]
    choices = { ...choices, pausedUntil: clock.now() + 3_600_000 }
    await clock.advance(600_000)
    commit([])
    expect(withdrawn).toEqual([])
    const about = held.get('m1')
    if (about) held.set('m1', { ...about, message: { ...about.message, mentionsViewer: false } })
    commit([])
    commit([aMessage('m2', { cid: inChannel.cid, place: inChannel })])
    expect(withdrawn).toEqual(['demo-1 team:plans'])
  })

  test('but not while another of its messages is unread', () => {
    start()
    commit([aMessage('m1'), aMessage('m2')])
    held.delete('m1')
    commit([])
    expect(withdrawn).toEqual([])
  })
})

describe('from a notification', () => {
  test('a channel is marked read, a reminder set, a reply sent', async () => {
    start()
    commit([aMessage('m1')])
    for (const { run } of shown[0]?.actions ?? []) run()
    shown[0]?.reply?.onReply('On it')
    await clock.settle()
    expect(handled).toMatchObject([
      ['read', { cid: DIRECT }],
      ['remind', { messageId: 'm1', remindAt: clock.now() + 3_600_000 }],
      ['send', { cid: DIRECT, text: 'On it' }],
    ])
  })

  test('a reply to a thread stays in it', async () => {
    start()
    const parentId = asMessageId('root')
    commit([aMessage('m1', { parentId }, { onlyInThread: true, followed: true })])
    shown[0]?.reply?.onReply('Agreed')
    await clock.settle()
    expect(handled).toMatchObject([['send', { cid: DIRECT, parentId: 'root', text: 'Agreed', keepsDraft: true }]])
  })

  test('a reply that cannot be sent is saved as a draft, and reported', async () => {
    refusesSends = true
    start()
    commit([aMessage('m1')])
    shown[0]?.reply?.onReply('On it')
    await clock.settle()
    expect(handled).toMatchObject([['draft', { cid: DIRECT, text: 'On it' }]])
    expect(content).toMatchObject([{ code: 'outbox/full', severity: 'error' }])
  })
})

describe('a notification sent as a test', () => {
  const prove = (hasNotifier = true) => {
    start({ hasNotifier })
    const calls = notificationCalls({
      delivery,
      translate,
      choices: () => choices,
      clock,
      arrivals,
      muted: () => isMuted,
      draw: (how) => void drawn.push(how),
    })
    return calls.prove(undefined, { account: () => account } as never)
  }

  test('reports how far it got, and what would hold a real one back', async () => {
    choices = { ...DEFAULT_NOTIFICATIONS, pausedUntil: clock.now() + 1 }
    const shownBySystem = prove()
    shown.at(-1)?.onShown?.()
    expect(await shownBySystem).toEqual({ outcome: 'shown', quiet: 'pause' })
    const refused = prove()
    shown.at(-1)?.onRefused()
    expect(await refused).toMatchObject({ outcome: 'refused' })
    expect(await prove(false)).toMatchObject({ outcome: 'in-app' })
  })

  test('names what holds real ones back at any time', async () => {
    choices = { ...DEFAULT_NOTIFICATIONS, level: 'none', pausedUntil: clock.now() + 1 }
    expect(await prove(false)).toMatchObject({ quiet: 'level' })
    isMuted = true
    expect(await prove(false)).toMatchObject({ quiet: 'account' })
  })

  test('reports when the system accepted it without a confirmation', async () => {
    const proof = prove()
    await clock.advance(3_000)
    expect(await proof).toEqual({ outcome: 'silence', quiet: 'nothing' })
  })
})

describe('after quiet hours', () => {
  test('missed messages are one summary, without those already read', async () => {
    choices = { ...DEFAULT_NOTIFICATIONS, pausedUntil: clock.now() + 90_000 }
    start()
    commit([aMessage('m1'), aMessage('m2'), aMessage('m3')])
    held.delete('m3')
    await clock.advance(60_000)
    expect(shown).toEqual([])
    await clock.advance(60_000)
    expect(shown).toMatchObject([{ title: 'system.summary 2' }])
  })
})
