import { Notification } from 'electron'
import { beforeEach, expect, test } from 'vitest'
import { answer, callsTo, forgetAll } from '#kit/electron-stub/record.ts'
import type { SystemNotice } from '../../host.ts'
import { electronNotifier } from './desktop.ts'

/** The kit's notifications: they record their options and emit events when a test says so. */
type Kit = Notification & { emit(event: string, ...args: unknown[]): boolean }
beforeEach(forgetAll)

const optionsShown = (): Record<string, unknown>[] =>
  callsTo('Notification.show').map(([options]) => options as Record<string, unknown>)

function aNotice(over: Partial<SystemNotice> = {}) {
  const done: string[] = []
  const notice: SystemNotice = {
    id: 'team:plans',
    title: 'Jonas',
    body: 'Ready?',
    silent: false,
    onClick: () => void done.push('click'),
    onShown: () => void done.push('shown'),
    onRefused: () => void done.push('refused'),
    actions: [
      { label: 'Mark read', run: () => void done.push('read') },
      { label: 'Remind', run: () => void done.push('remind') },
    ],
    reply: { placeholder: 'Reply', onReply: (text) => void done.push(`reply ${text}`) },
    ...over,
  }
  return { notice, done }
}

/** The notification that this shows, to press it. */
function held(notice: SystemNotice): Kit {
  electronNotifier('linux').show(notice)
  return (Notification as unknown as { latest: Kit }).latest
}

test('one is handed over with all a system may use of it, and what is done with it comes back', () => {
  const { notice, done } = aNotice({ group: { id: 'team:plans', title: 'plans' }, stays: true })
  const one = held(notice)
  expect(optionsShown()).toEqual([
    {
      id: 'team:plans',
      title: 'Jonas',
      body: 'Ready?',
      silent: false,
      groupId: 'team:plans',
      groupTitle: 'plans',
      timeoutType: 'never',
      urgency: 'critical',
      actions: [
        { type: 'button', text: 'Mark read' },
        { type: 'button', text: 'Remind' },
      ],
      hasReply: true,
      replyPlaceholder: 'Reply',
    },
  ])
  one.emit('action', { actionIndex: 1 })
  one.emit('reply', { reply: 'Since noon' })
  one.emit('click')
  expect(done).toEqual(['shown', 'remind', 'reply Since noon', 'click'])
})

test('markup in a message is escaped on Linux, which would parse it', () => {
  for (const os of ['linux', 'windows', 'macos'] as const) {
    electronNotifier(os).show(aNotice({ body: '<b>R&D</b>' }).notice)
  }
  expect(optionsShown().map(({ body }) => body)).toEqual(['&lt;b&gt;R&amp;D&lt;/b&gt;', '<b>R&D</b>', '<b>R&D</b>'])
})

test('the next notification of a channel replaces the previous one, and a withdrawn one is removed', () => {
  const notifier = electronNotifier('linux')
  notifier.show(aNotice().notice)
  notifier.show(aNotice({ body: 'And the map?' }).notice)
  notifier.withdraw('team:plans')
  notifier.withdraw('team:plans')
  expect(callsTo('Notification.close').map(([options]) => (options as { body: string }).body)).toEqual([
    'Ready?',
    'And the map?',
  ])
})

test('onRefused is called when the system does not show it, at once or later', () => {
  const late = aNotice()
  held(late.notice).emit('failed', {})
  answer('Notification.isSupported', false)
  const never = aNotice()
  electronNotifier('linux').show(never.notice)
  expect(late.done).toEqual(['shown', 'refused'])
  expect(never.done).toEqual(['refused'])
})

test('Windows reports a notification of an earlier run with its reply; one of this run is reported once', () => {
  const received: unknown[] = []
  const notifier = electronNotifier('windows')
  notifier.onForgotten?.((...what) => received.push(what))
  const activate = callsTo('Notification.handleActivation')[0]?.[0] as (details: object) => void
  notifier.show(aNotice().notice)
  activate({ type: 'click', arguments: 'tag=team:plans' })
  activate({ type: 'click', arguments: 'tag=team:old' })
  activate({ type: 'reply', arguments: 'tag=team:old', reply: 'Yes' })
  expect(received).toEqual([
    ['tag=team:old', undefined],
    ['tag=team:old', 'Yes'],
  ])
})

test('those in the notification center of macOS work again after a start', async () => {
  const earlier = new Notification({ id: 'team:old' }) as Kit
  answer('Notification.getHistory', [earlier])
  const received: unknown[] = []
  electronNotifier('macos').onForgotten?.((...what) => received.push(what))
  await Promise.resolve()
  earlier.emit('reply', { reply: 'Yes' })
  earlier.emit('click')
  expect(received).toEqual([['team:old', 'Yes'], ['team:old']])
  expect(Object.keys(electronNotifier('linux'))).not.toContain('onForgotten')
})
