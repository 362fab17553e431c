import { afterEach, expect, test } from 'vitest'
import { act, cleanup, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { UnreadExplained, UnreadPlace } from '#shared/domain/unread.ts'
import { asCid, asMessageId, asUserId } from '#shared/lib/brand.ts'
import { addLittleEngine, cairnMaps, createFakeBridge } from '../../../tests/kit/fake-bridge/index.ts'
import { renderInApp } from '../../../tests/kit/render-in-app.tsx'
import { CatchUpView } from './CatchUpView.tsx'
import { WhyUnreadDialog } from './WhyUnreadDialog.tsx'

afterEach(cleanup)

const place = (name: string, over: Partial<UnreadPlace> = {}): UnreadPlace => ({
  cid: asCid(`messaging:${name}`),
  unread: 2,
  mentions: 0,
  firstId: asMessageId(`${name}-1`),
  newestAt: 10,
  preview: [
    { messageId: asMessageId(`${name}-1`), userId: asUserId('jonas'), text: `News of ${name}`, createdAt: 5, files: 0 },
  ],
  ...over,
})

async function show(places: readonly UnreadPlace[]) {
  const bridge = addLittleEngine(createFakeBridge(cairnMaps()))
  bridge.on('channels.unreadPlaces', () => places)
  bridge.on('channels.markManyRead', () => 1)
  bridge.on('channels.undoRead', () => 1)
  const view = await renderInApp(<CatchUpView />, bridge)
  await act(() => Promise.resolve())
  return { bridge, ...view }
}

const rows = () => within(screen.getByRole('list', { name: 'Unread conversations' })).getAllByRole('listitem')
const heads = () => rows().map((row) => row.textContent)

test('places with mentions come first, with a preview of the first unread messages', async () => {
  await show([place('design-crit', { newestAt: 90 }), place('support-triage', { mentions: 1 })])
  expect(heads()[0]).toContain('support-triage')
  expect(heads()[0]).toContain('1 mention')
  expect(heads()[0]).toContain('Jonas Lindqvist News of support-triage')
  expect(heads()[0]).toContain('and 1 more')
})

test('viewing marks nothing; E marks read and moves on, U undoes it, Enter opens at the first unread message', async () => {
  const { bridge, store } = await show([place('design-crit', { newestAt: 90 }), place('field-trips')])
  act(() => screen.getAllByRole('button', { name: /design-crit/ })[0]?.focus())
  await userEvent.keyboard('j')
  expect(document.activeElement?.textContent).toContain('field-trips')
  await userEvent.keyboard('k')
  expect(bridge.inputsOf('channels.markManyRead')).toEqual([])
  await userEvent.keyboard('e')
  expect(bridge.inputsOf('channels.markManyRead')).toEqual([{ cids: ['messaging:design-crit'] }])
  expect(heads()[0]).toContain('marked as read')
  expect(document.activeElement?.textContent).toContain('field-trips')
  await userEvent.keyboard('u')
  expect(bridge.inputsOf('channels.undoRead')).toEqual([{ cids: ['messaging:design-crit'] }])
  expect(heads()[0]).toContain('2 new')
  await userEvent.keyboard('{Enter}')
  expect(store.getState().ui.route).toEqual({ view: 'channel', cid: 'messaging:field-trips' })
  expect(store.getState().ui.jump).toEqual({ cid: 'messaging:field-trips', nonce: 1 })
})

test('Space shows a place beside the list, and a thread in its panel', async () => {
  const parentId = asMessageId('m-1')
  const { store } = await show([place('design-crit', { newestAt: 90 }), place('release-4-2', { parentId })])
  act(() => screen.getAllByRole('button', { name: /design-crit/ })[0]?.focus())
  await userEvent.keyboard(' ')
  expect(store.getState().ui.panel).toMatchObject({ kind: 'context', messageId: 'design-crit-1' })
  await userEvent.keyboard('j ')
  expect(store.getState().ui.panel).toMatchObject({ kind: 'thread', parentId })
})

test('with nothing unread the empty state is shown', async () => {
  await show([])
  expect(screen.getByText('You’re all caught up')).toBeDefined()
})

const WHY: UnreadExplained = {
  unread: 3,
  mentions: 1,
  reasons: { mention: 1, message: 1 },
  notHeld: 1,
  leftOut: { own: 2 },
  lastReadAt: 1_000,
  firstUnreadId: asMessageId('m-4'),
  markedUnread: false,
  isLocalOnly: false,
  markWaits: false,
  basis: 'server',
  muted: false,
  hidden: false,
  readsOff: false,
  inBadge: 1,
  threads: [{ parentId: asMessageId('m-1'), unread: 2 }],
}

async function ask(why: UnreadExplained) {
  const cid = asCid('messaging:release-4-2')
  const bridge = addLittleEngine(createFakeBridge(cairnMaps()))
  bridge.on('channels.whyUnread', () => why)
  const view = await renderInApp(<WhyUnreadDialog cid={cid} />, bridge)
  await act(() => Promise.resolve())
  return { bridge, cid, ...view }
}

test('the dialog shows why a channel is unread: reasons, messages not loaded or left out, and the read position', async () => {
  const { bridge, cid } = await ask(WHY)
  const dialog = screen.getByRole('dialog', { name: 'Why “release-4-2” is unread' })
  for (const text of [
    '3 messages are unread here.',
    '1 message mentions you',
    '1 message from others',
    '1 message counted by the server that isn’t on this device yet',
    '2 of your own',
    'Counted by the server, with later changes.',
    'Thread with 2 new replies',
  ])
    expect(dialog.textContent).toContain(text)
  await userEvent.click(screen.getByRole('button', { name: 'Mark as read' }))
  expect(bridge.inputsOf('channels.markManyRead')).toEqual([{ cids: [cid] }])
})

test('the dialog jumps to the first unread message, and counts again; an error is shown in it', async () => {
  const { bridge, store } = await ask(WHY)
  bridge.on('channels.recount', () => {
    throw Object.assign(new Error('no line'), { code: 'network/offline' })
  })
  await userEvent.click(screen.getByRole('button', { name: 'Count again' }))
  expect(screen.getByRole('dialog').textContent).toContain('Couldn’t count again.')
  await userEvent.click(screen.getByRole('button', { name: 'Go to the first unread message' }))
  expect(store.getState().ui.jump).toEqual({ cid: 'messaging:release-4-2', nonce: 1 })
})
