import { cleanup, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import { asCid, asMessageId } from '#shared/lib/brand.ts'
import type { Draft } from '#shared/domain/draft.ts'
import type { OutboxItem } from '#shared/domain/outbox.ts'
import {
  aChannel,
  aConnection,
  aMessage,
  aSession,
  byCid,
  byId,
  createFakeBridge,
  someSettings,
} from '#kit/fake-bridge/index.ts'
import { renderInApp } from '#kit/render-in-app.tsx'
import { DraftsView } from './DraftsView.tsx'

const aDraft = (over: Partial<Draft>): Draft => ({
  key: 'messaging:map-data',
  cid: asCid('messaging:map-data'),
  text: 'Sprawdziłam wysokości',
  uploads: [],
  caret: 0,
  showInChannel: false,
  updatedAt: 2,
  ...over,
})

const inThread = aDraft({
  key: 'messaging:map-data/p1',
  parentId: asMessageId('p1'),
  text: 'two lines',
  updatedAt: 1,
})

async function show(drafts: readonly Draft[], outbox: Record<string, OutboxItem> = {}) {
  const bridge = createFakeBridge({
    rows: {
      channels: byCid([aChannel({ cid: 'messaging:map-data', name: 'map-data' })]),
      messages: byId([aMessage({ id: 'p1', cid: 'messaging:map-data', text: 'RC2 is on both test tracks' })]),
      session: { self: aSession() },
      settings: { self: someSettings() },
      connection: { self: aConnection() },
      outbox,
      drafts: Object.fromEntries(drafts.map((draft) => [draft.key, draft])),
    },
  })
  bridge.on('drafts.discard', ({ key }: { key: string }) => bridge.change({}, [], { drafts: [key] }))
  const { store } = await renderInApp(<DraftsView />, bridge)
  return { bridge, store }
}

afterEach(cleanup)

test('drafts are listed with place and text, the most recently changed first', async () => {
  await show([inThread, aDraft({})])
  expect(screen.getAllByRole('listitem').map((row) => row.textContent)).toEqual([
    expect.stringMatching(/^map-data.*Sprawdziłam wysokości/),
    expect.stringMatching(/^map-data.*in thread “RC2 is on both test tracks”.*two lines/),
  ])
})

test('a click continues the draft in its channel, or in its thread', async () => {
  const { store } = await show([inThread])
  await userEvent.click(screen.getByRole('button', { name: 'Continue writing in map-data' }))
  const { route, panel } = store.getState().ui
  expect(route).toEqual({ view: 'channel', cid: 'messaging:map-data' })
  expect(panel).toEqual({ kind: 'thread', cid: 'messaging:map-data', parentId: 'p1' })
  expect(store.getState().composers['messaging:map-data/p1']?.focusRequest).toBe(1)
})

test('a discarded draft can be brought back as it was', async () => {
  const { bridge } = await show([aDraft({ caret: 3 })])
  await userEvent.click(screen.getByRole('button', { name: 'Discard draft in map-data' }))
  expect(bridge.inputsOf('drafts.discard')).toEqual([{ key: 'messaging:map-data' }])
  await userEvent.click(await screen.findByRole('button', { name: 'Undo' }))
  expect(bridge.inputsOf('drafts.save')).toEqual([
    expect.objectContaining({ cid: 'messaging:map-data', text: 'Sprawdziłam wysokości', caret: 3 }),
  ])
})

test('empty drafts are not listed', async () => {
  await show([aDraft({ text: '  ' })])
  expect(screen.getByRole('heading', { name: 'No drafts' })).toBeTruthy()
})

const planned: OutboxItem = {
  id: 's1',
  kind: 'send-message',
  cid: asCid('messaging:map-data'),
  state: 'scheduled',
  summary: 'Good morning',
  fileCount: 0,
  retryable: true,
  createdAt: 1,
  sendAt: new Date('2999-02-03T09:00').getTime(),
}

test('scheduled messages are above the drafts, and can be sent now or edited', async () => {
  const { bridge } = await show([aDraft({})], { s1: planned })
  bridge.on('outbox.takeBack', () => ({ text: 'Good morning', cid: 'messaging:map-data' }))
  expect(screen.getByRole('heading', { name: 'Scheduled' })).toBeTruthy()
  const row = screen.getByRole('button', { name: /Good morning.*Will be sent/ })
  await userEvent.click(row)
  await userEvent.click(screen.getByRole('menuitem', { name: 'Send now' }))
  expect(bridge.inputsOf('outbox.schedule')).toEqual([{ id: 's1' }])
  await userEvent.click(row)
  await userEvent.click(screen.getByRole('menuitem', { name: 'Edit draft' }))
  expect(bridge.inputsOf('outbox.takeBack')).toEqual([{ id: 's1' }])
})
