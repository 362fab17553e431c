import { act, cleanup, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import { aConnection, aSession, createFakeBridge, someSettings } from '#kit/fake-bridge/index.ts'
import { renderInApp } from '#kit/render-in-app.tsx'
import { createEffectRunner } from '../../bridge/effects.ts'
import { ArrivalToasts } from './index.ts'

afterEach(cleanup)

const CID = 'messaging:!members-1'

async function show() {
  const bridge = createFakeBridge({
    rows: { session: { self: aSession() }, settings: { self: someSettings() }, connection: { self: aConnection() } },
    windows: [],
  })
  const { store } = await renderInApp(<ArrivalToasts />, bridge)
  const run = createEffectRunner(store)
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
  expect(screen.getByRole('status').textContent).toContain('The banner wraps')
  await user.click(screen.getByRole('button', { name: 'Open' }))
  expect(screen.queryByRole('status')).toBeNull()
  expect(store.getState().ui.route).toMatchObject({ view: 'channel', cid: CID })
})

test('the next message of a channel replaces its toast', async () => {
  const { notify } = await show()
  notify('Jonas Lindqvist')
  notify('Ola Nowak')
  expect(screen.getAllByRole('status').map(({ textContent }) => textContent)).toEqual([
    expect.stringContaining('Ola Nowak'),
  ])
})

test('the toast of a message read elsewhere is removed', async () => {
  const { run, notify } = await show()
  notify('Jonas Lindqvist')
  act(() => run({ type: 'withdraw', tag: CID }))
  expect(screen.queryByRole('status')).toBeNull()
})
