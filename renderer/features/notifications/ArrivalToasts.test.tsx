import { act, cleanup, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import type { Effect } from '#shared/domain/changes.ts'
import type { HostInfo } from '#shared/bridge/transport.ts'
import { aConnection, aSession, createFakeBridge, someSettings } from '#kit/fake-bridge/index.ts'
import { renderInApp } from '#kit/render-in-app.tsx'
import { createEffectRunner } from '../../bridge/effects.ts'
import { ArrivalToasts } from './index.ts'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const CID = 'messaging:!members-1'

async function show(host: Partial<HostInfo['capabilities']> = {}) {
  const bridge = createFakeBridge({
    rows: { session: { self: aSession() }, settings: { self: someSettings() }, connection: { self: aConnection() } },
    windows: [],
  })
  const { store } = await renderInApp(<ArrivalToasts />, bridge)
  const capabilities = { ...bridge.host.capabilities, ...host }
  const run = createEffectRunner(store, { ...bridge.host, capabilities })
  const notify = (title: string, tag = CID): void =>
    act(() =>
      run({
        type: 'notify',
        title,
        body: 'The banner wraps',
        tag,
        sound: 'none',
        opens: { type: 'focus', cid: CID, messageId: 'm1' },
      }),
    )
  return { store, run, notify, user: userEvent.setup() }
}

test('a message in another channel shows a toast in the window, and a click opens it', async () => {
  const { store, notify, user } = await show()
  notify('Jonas Lindqvist')
  expect(screen.getByRole('group').textContent).toContain('The banner wraps')
  await user.click(screen.getByRole('button', { name: 'Open' }))
  expect(screen.queryByRole('group')).toBeNull()
  expect(store.getState().ui.route).toMatchObject({ view: 'channel', cid: CID })
})

test('the next message of a channel replaces its toast', async () => {
  const { notify } = await show()
  notify('Jonas Lindqvist')
  notify('Ola Nowak')
  expect(screen.getAllByRole('group').map(({ textContent }) => textContent)).toEqual([
    expect.stringContaining('Ola Nowak'),
  ])
})

test('a reminder, which the window shows itself, has no second toast, unless it is of another account', async () => {
  const { run } = await show()
  const remind = (opens: Extract<Effect, { type: 'notify' }>['opens']): void =>
    act(() =>
      run({
        type: 'notify',
        title: 'Reminder',
        body: 'The banner wraps',
        tag: 'r1',
        sound: 'none',
        reminds: true,
        opens,
      }),
    )
  const place = { type: 'focus', cid: CID, messageId: 'm1' } as const
  remind(place)
  expect(screen.queryByRole('group')).toBeNull()
  remind({ type: 'account', key: 'other', place })
  expect(screen.getByRole('group').textContent).toContain('Reminder')
})

test('the toast of a message read elsewhere is removed', async () => {
  const { run, notify } = await show()
  notify('Jonas Lindqvist')
  act(() => run({ type: 'withdraw', tag: CID }))
  expect(screen.queryByRole('group')).toBeNull()
})

test.each([
  ['is shown by a browser that may', { nativeNotifications: false }, { toasts: 0, shown: 1 }],
  [
    'that the system has refused is shown in the window, although the page may notify',
    { nativeNotifications: true },
    { toasts: 1, shown: 0 },
  ],
])('a message %s', async (_name, host, expected) => {
  const shown: string[] = []
  class Granted extends EventTarget {
    static permission = 'granted'
    constructor(title: string) {
      super()
      shown.push(title)
    }
  }
  vi.stubGlobal('Notification', Granted)
  const { notify } = await show(host)
  notify('Jonas Lindqvist')
  expect({ toasts: screen.queryAllByRole('group').length, shown: shown.length }).toEqual(expected)
})
