import { beforeEach, expect, test } from 'vitest'
import type { InviteArrival } from '#shared/domain/channel.ts'
import { DEFAULT_NOTIFICATIONS } from '#shared/domain/settings.ts'
import type { NotificationChoices } from '#shared/domain/notification.ts'
import { asCid, asUserId, type Cid } from '#shared/lib/brand.ts'
import type { Commit } from '#main/engine/context.ts'
import type { Focus } from '#main/engine/engine.ts'
import type { SystemNotice } from '#main/hosts/host.ts'
import { ManualClock } from '#kit/manual-clock.ts'
import type { Account } from '../accounts/account.ts'
import { createDelivery } from './delivery.ts'
import { watchInvitations } from './arrivals.ts'

const cid = asCid('team:plans')
const invite: InviteArrival = { cid, name: 'plans', memberCount: 3, by: 'Ola', byId: asUserId('ola'), byMuted: false }

let shown: SystemNotice[]
let withdrawn: string[]
let calls: unknown[]
let opened: unknown[]
let focuses: Focus[]
let waiting: Cid[]
let choices: NotificationChoices
let commit: (...invited: InviteArrival[]) => void

const account = {
  key: 'demo-1',
  engine: {
    onCommitted: (listener: (commit: Commit) => void) => {
      commit = (...invited) =>
        listener({
          changes: new Map(),
          arrived: [],
          invited,
          remindersChanged: false,
          badge: { unread: 0, mentions: 0 },
        })
      return () => {}
    },
    focuses: () => focuses,
    invites: () => waiting.map((one) => ({ ...invite, cid: one })),
    handlers: { channels: { answerInvite: (input: unknown) => void calls.push(input) } },
  },
} as unknown as Account

beforeEach(() => {
  ;[shown, withdrawn, calls, opened, focuses, waiting] = [[], [], [], [], [], [cid]]
  choices = DEFAULT_NOTIFICATIONS
  const translate = (_area: string, key: string, params = {}): string =>
    `${key} ${Object.values(params).join(' ')}`.trim()
  const delivery = createDelivery({
    host: {
      notifier: {
        isAvailable: () => true,
        show: (notice) => void shown.push(notice),
        withdraw: (id) => void withdrawn.push(id),
      },
    },
    play: () => false,
    show: (_account, place) => void opened.push(place),
    push: () => {},
    titled: (_account, title) => title,
  })
  const common = {
    translate,
    choices: () => choices,
    clock: new ManualClock(),
    muted: () => false,
    draw: () => {},
  }
  watchInvitations(account, { delivery, ...common })
})

test('an invitation shows inviter and channel, opens the list of invitations, and can be answered directly', async () => {
  commit(invite)
  expect(shown.map(({ title, body }) => [title, body])).toEqual([['system.invited Ola', 'system.invitedTo plans']])
  shown[0]?.onClick()
  expect(opened).toEqual([{ type: 'command', action: 'browse' }])
  shown[0]?.actions?.[0]?.run()
  shown[0]?.actions?.[1]?.run()
  await Promise.resolve()
  expect(calls).toEqual([
    { cid, accept: true },
    { cid, accept: false },
  ])
})

test('answered anywhere, it is withdrawn', () => {
  commit(invite)
  commit()
  expect(withdrawn).toEqual([])
  waiting = []
  commit()
  expect(withdrawn).toEqual(['demo-1 invitation team:plans'])
})

test('no name is shown on a shared screen', () => {
  choices = { ...DEFAULT_NOTIFICATIONS, presenting: true }
  commit(invite)
  expect(shown.map(({ title, body }) => [title, body])).toEqual([['system.invitation', 'system.invitationHidden']])
})

test('it is not shown in a focused window, from a muted user, in quiet hours, or with notifications off', () => {
  focuses = [{ focused: true }]
  commit(invite)
  focuses = []
  commit({ ...invite, byMuted: true })
  choices = { ...DEFAULT_NOTIFICATIONS, pausedUntil: Number.MAX_SAFE_INTEGER }
  commit(invite)
  choices = { ...DEFAULT_NOTIFICATIONS, level: 'none' }
  commit(invite)
  expect(shown).toEqual([])
  choices = { ...DEFAULT_NOTIFICATIONS, pausedUntil: Number.MAX_SAFE_INTEGER, allowed: ['ola'] }
  commit(invite)
  expect(shown).toHaveLength(1)
})
