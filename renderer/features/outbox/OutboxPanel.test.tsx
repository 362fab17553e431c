import { act, cleanup, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import { NO_CHANNEL, type OutboxItem } from '#shared/domain/intent.ts'
import {
  aChannel,
  aConnection,
  aSession,
  anOutboxItem,
  aWindow,
  byCid,
  byId,
  createFakeBridge,
  someSettings,
} from '#kit/fake-bridge/index.ts'
import { renderInApp } from '#kit/render-in-app.tsx'
import { selectOutboxCount } from '../../store/composers/unsent.ts'
import { OutboxPanel } from './OutboxPanel.tsx'

async function show(items: readonly OutboxItem[]) {
  const bridge = createFakeBridge({
    rows: {
      channels: byCid([aChannel({ cid: 'messaging:release', name: 'release' })]),
      session: { self: aSession() },
      settings: { self: someSettings() },
      connection: { self: aConnection({ state: 'unhealthy', offline: true }) },
      outbox: byId(items),
    },
    windows: [
      aWindow(
        'outbox',
        items.map(({ id }) => id),
      ),
    ],
  })
  bridge.on('outbox.takeBack', () => ({ text: 'And the dark variants.', cid: 'messaging:release' }))
  const { store } = await renderInApp(<OutboxPanel />, bridge)
  return { bridge, store }
}

afterEach(cleanup)

test('pending and parked items are in two groups, in the order of creation', async () => {
  await show([
    anOutboxItem({ id: 'a' }),
    anOutboxItem({ id: 'b', kind: 'send-reaction', summary: '❤️' }),
    anOutboxItem({ id: 'c', state: 'parked', summary: 'Full changelog', reason: { code: 'composer/too-long' } }),
  ])
  const waiting = screen.getByRole('region', { name: 'Waiting for the connection 2' })
  expect(
    within(waiting)
      .getAllByRole('listitem')
      .map((row) => row.textContent),
  ).toEqual([expect.stringContaining('And the dark variants.'), expect.stringContaining('❤️')])
  expect(within(screen.getByRole('region', { name: 'Needs your attention 1' })).getAllByRole('listitem')).toHaveLength(
    1,
  )
  expect(screen.getByText('3 waiting')).toBeTruthy()
})

test('Edit takes an unsent message back into its composer', async () => {
  const { bridge, store } = await show([anOutboxItem({ id: 'a' })])
  await userEvent.click(screen.getByRole('button', { name: 'Edit: And the dark variants.' }))
  expect(bridge.inputsOf('outbox.takeBack')).toEqual([{ id: 'a' }])
  expect(store.getState().composers['messaging:release']?.text).toBe('And the dark variants.')
  expect(store.getState().ui.route).toEqual({ view: 'channel', cid: 'messaging:release' })
})

test('only retryable items can be retried', async () => {
  const { bridge } = await show([
    anOutboxItem({ id: 'a', state: 'parked', retryable: true, summary: 'once more' }),
    anOutboxItem({ id: 'b', state: 'parked', retryable: false, summary: 'never' }),
  ])
  await userEvent.click(screen.getByRole('button', { name: 'Try again: once more' }))
  expect(screen.queryByRole('button', { name: 'Try again: never' })).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: 'Delete: never' }))
  expect(bridge.inputsOf('outbox.retry')).toEqual([{ id: 'a' }])
  expect(bridge.inputsOf('outbox.discard')).toEqual([{ id: 'b' }])
})

test('a refused block shows the person and no conversation', async () => {
  const reason = { code: 'server/not-found' }
  await show([anOutboxItem({ kind: 'block-person', cid: NO_CHANNEL, state: 'parked', summary: 'Bo', reason })])
  const row = screen.getByRole('listitem')
  expect(within(row).getByText('Bo')).not.toBe(null)
  expect(/Block, /.test(row.textContent ?? '')).toBe(true)
  expect(row.textContent).not.toContain('a conversation')
  expect(within(row).getByRole('button', { name: 'Try again: Bo' })).toBeDefined()
})

test('an upload can be paused while it runs; paused, it needs no attention and is resumed alone', async () => {
  const paused = { state: 'parked', reason: { code: 'upload/paused' } } as const
  const { bridge } = await show([
    anOutboxItem({ id: 'a', kind: 'upload', state: 'inflight', summary: 'a.zip' }),
    anOutboxItem({ id: 'b', kind: 'upload', summary: 'b.zip', ...paused }),
    anOutboxItem({ id: 'c', state: 'parked', retryable: true, summary: 'refused' }),
  ])
  await userEvent.click(screen.getByRole('button', { name: 'Pause: a.zip' }))
  expect(bridge.inputsOf('outbox.pause')).toEqual([{ id: 'a' }])
  const waiting = screen.getByRole('region', { name: 'Waiting for the connection 2' })
  expect(waiting.textContent).toContain('Paused. When you resume, it starts again from the beginning.')
  await userEvent.click(screen.getByRole('button', { name: 'Try again now' }))
  expect(bridge.inputsOf('outbox.retry')).toEqual([{ id: 'c' }])
  await userEvent.click(screen.getByRole('button', { name: 'Resume: b.zip' }))
  expect(bridge.inputsOf('outbox.retry')).toEqual([{ id: 'c' }, { id: 'b' }])
})

test('an item in flight has no actions', async () => {
  await show([anOutboxItem({ id: 'a', state: 'inflight' })])
  expect(within(screen.getByRole('listitem')).queryAllByRole('button')).toEqual([])
})

test('a message with files is withdrawn with its files and its quote', async () => {
  const { bridge, store } = await show([anOutboxItem({ id: 'a', fileCount: 2, summary: '' })])
  bridge.on('outbox.takeBack', () => ({
    text: '',
    cid: 'messaging:release',
    uploadIds: ['u1', 'u2'],
    quotedId: 'm1',
    showInChannel: false,
  }))
  await userEvent.click(screen.getByRole('button', { name: 'Edit: 2 files' }))
  expect(bridge.inputsOf('outbox.takeBack')).toEqual([{ id: 'a' }])
  expect(store.getState().composers['messaging:release']).toMatchObject({
    text: '',
    uploadIds: ['u1', 'u2'],
    quotedId: 'm1',
  })
})

test('an empty outbox shows a text and has the count 0', async () => {
  const { store } = await show([])
  expect(screen.getByText('Nothing is waiting to be sent')).toBeTruthy()
  expect(screen.queryByText('0 waiting')).toBeNull()
  expect(selectOutboxCount(store.getState())).toBe(0)
})

test('the engine window is open while the panel is mounted', async () => {
  const { bridge } = await show([])
  const opened = bridge.inputsOf('outbox.open').length
  expect(bridge.inputsOf('outbox.close')).toHaveLength(opened - 1)
  await act(async () => cleanup())
  expect(bridge.inputsOf('outbox.close')).toHaveLength(opened)
})
