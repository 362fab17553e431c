import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { ListedBan } from '#shared/domain/manage/review.ts'
import { asCid, asUserId } from '#shared/lib/brand.ts'
import { aChannel, aUser, byCid, byId, createFakeBridge, NOON } from '../../../../tests/kit/fake-bridge/index.ts'
import { renderInApp } from '../../../../tests/kit/render-in-app.tsx'
import { undoLast } from '../../../store/window/recent.ts'
import { BansPage } from './BansPage.tsx'

const cid = asCid('team:plans')
const [bob, ann] = [asUserId('bob'), asUserId('ann')]
const BANS: readonly ListedBan[] = [
  { userId: bob, byId: ann, reason: 'Links <b>to</b> a shop', since: NOON, shadow: true },
  { userId: asUserId('eve'), cid, channelName: 'Plans', since: NOON, until: NOON + 4 * 86_400_000, shadow: false },
]
const MANAGE = { rights: ['review', 'ban', 'ban-everywhere', 'people'], source: 'owner', changes: {} } as const

const width = window.innerWidth
beforeEach(() => void (window.innerWidth = 1440))
afterEach(() => {
  cleanup()
  window.innerWidth = width
})
const settled = () => act(() => new Promise((resolve) => void setTimeout(resolve, 0)))

async function opened(bans: readonly ListedBan[] = BANS, id?: string) {
  const users = [
    aUser({ id: 'bob', name: 'Bob' }),
    aUser({ id: 'ann', name: 'Ann' }),
    aUser({ id: 'eve', name: 'Eve' }),
  ]
  const bridge = createFakeBridge({
    rows: { manage: { self: MANAGE }, users: byId(users), channels: byCid([aChannel({ cid, name: 'Plans' })]) },
  })
  bridge.on('bans.list', () => ({ bans, more: false }))
  bridge.on('bans.mutes', () => ({ mutes: [{ userId: bob, byId: ann, since: NOON }], more: false }))
  bridge.on('bans.unban', () => ({ refused: [] }))
  const rendered = await renderInApp(<BansPage id={id} />, bridge)
  await settled()
  return { bridge, ...rendered }
}
const press = async (role: string, name: string | RegExp): Promise<void> => {
  fireEvent.click(screen.getByRole(role, { name }))
  await settled()
}

test('shows who is banned where, why, by whom and until when, as text', async () => {
  await opened()
  expect(screen.getByText('Links <b>to</b> a shop')).toBeTruthy()
  expect(screen.getByText('Everywhere')).toBeTruthy()
  expect(screen.getByText('Plans')).toBeTruthy()
  expect(screen.getByText('Shadow ban')).toBeTruthy()
  expect(screen.getByText('Never')).toBeTruthy()
})

test('a ban of 30 days that has just begun ends in 30 days, also if the clock of the page is a few seconds behind', async () => {
  const since = Date.now() + 20_000
  await opened([{ userId: bob, byId: ann, since, until: since + 30 * 86_400_000, shadow: false }])
  expect(screen.getByText(/\(30 days\)$/)).toBeTruthy()
})

test('is narrowed by person or reason, place, moderator and kind, by the server', async () => {
  const { bridge } = await opened()
  fireEvent.change(screen.getByRole('searchbox', { name: 'Find a person or reason' }), { target: { value: 'shop' } })
  await waitFor(() => expect(bridge.inputsOf('bans.list').at(-1)).toMatchObject({ query: 'shop' }))
  await press('button', 'Where')
  await press('menuitem', '#Plans')
  await press('button', 'Banned by')
  await press('menuitem', 'Ann')
  await press('button', 'Shadow bans')
  expect(bridge.inputsOf('bans.list').at(-1)).toMatchObject({ query: 'shop', cid, byId: 'ann', shadow: true })
  await press('button', 'Remove the filter Where')
  expect(bridge.inputsOf('bans.list').at(-1)).not.toHaveProperty('cid', cid)
})

test('one is unbanned, and Undo bans again as before', async () => {
  const { bridge, store } = await opened()
  await press('button', 'Unban Bob')
  expect(bridge.inputsOf('bans.unban')).toEqual([{ bans: [{ userId: 'bob' }] }])
  expect(store.getState().notices.local[0]).toMatchObject({ code: 'bans/unbanned-one', params: { name: 'Bob' } })
  await act(async () => store.dispatch(undoLast()))
  expect(bridge.inputsOf('moderation.ban')).toMatchObject([
    { userId: 'bob', reason: 'Links <b>to</b> a shop', shadow: true },
  ])
})

test('of two bans of one person the one that was refused is not called unbanned, and the other is', async () => {
  const { bridge, store } = await opened([
    { userId: bob, cid, channelName: 'Plans', since: NOON, shadow: false },
    { userId: bob, byId: ann, since: NOON, shadow: false },
  ])
  bridge.on('bans.unban', () => ({ refused: [{ userId: bob, cid, code: 'server/not-allowed' }] }))
  fireEvent.click(screen.getByRole('checkbox', { name: 'Select all' }))
  await settled()
  await press('button', 'Unban')
  await act(async () => store.dispatch(undoLast()))
  expect(bridge.inputsOf('moderation.ban')).toHaveLength(1)
  expect(bridge.inputsOf('moderation.ban')[0]).not.toHaveProperty('cid', cid)
})

test('several are unbanned, muted and changed together', async () => {
  const { bridge } = await opened()
  fireEvent.click(screen.getByRole('checkbox', { name: 'Select all' }))
  await settled()
  await press('button', 'Mute for me')
  expect(bridge.inputsOf('people.mute')).toEqual([
    { userId: 'bob', muted: true },
    { userId: 'eve', muted: true },
  ])
  fireEvent.click(screen.getByRole('checkbox', { name: 'Select all' }))
  await settled()
  await press('button', 'Change end date…')
  await screen.findByRole('button', { name: 'Change' })
  await press('button', 'Change')
  expect(bridge.inputsOf('moderation.ban')).toMatchObject([
    { userId: 'bob', shadow: true, reason: 'Links <b>to</b> a shop' },
    { userId: 'eve', cid, shadow: false },
  ])
  fireEvent.click(screen.getByRole('checkbox', { name: 'Select all' }))
  await settled()
  await press('button', 'Unban')
  expect(bridge.inputsOf('bans.unban')).toEqual([{ bans: [{ userId: 'bob' }, { userId: 'eve', cid }] }])
})

test('the mutes say who muted whom, and end together', async () => {
  const { bridge } = await opened()
  await press('radio', 'Mutes')
  expect(screen.getByText('Ann')).toBeTruthy()
  await press('checkbox', 'Select Bob')
  await press('button', 'Unmute')
  expect(bridge.inputsOf('bans.unmute')).toEqual([{ userId: 'bob', byId: 'ann' }])
})

test('nobody banned is said, and someone can be banned', async () => {
  const { store } = await opened([])
  expect(screen.getByText('No one is banned')).toBeTruthy()
  await press('button', 'Ban someone…')
  expect(store.getState().ui.dialog).toEqual({ kind: 'ban' })
})

test('a page of people without mutes is not the end of the list', async () => {
  const { bridge } = await opened()
  bridge.on('bans.mutes', ({ offset }: { offset: number }) =>
    offset === 0 ? { mutes: [], more: true } : { mutes: [{ userId: bob, byId: ann, since: NOON }], more: false },
  )
  await press('radio', 'Mutes')
  await settled()
  expect(screen.queryByText('No one is muted')).toBeNull()
  expect(screen.getByText('Ann')).toBeTruthy()
})

test('a refused unban, and an Undo that fails, are shown', async () => {
  const { bridge, store } = await opened()
  const shown = (): readonly string[] => store.getState().notices.local.map(({ code }) => code)
  bridge.on('bans.unban', () => ({ refused: [{ userId: bob, code: 'server/not-allowed' }] }))
  await press('button', 'Unban Bob')
  expect(shown()).toEqual(['server/not-allowed'])
  bridge.on('bans.unban', () => ({ refused: [] }))
  bridge.on('moderation.ban', () => {
    throw { code: 'network/offline' } as unknown as Error
  })
  await press('button', 'Unban Bob')
  await act(async () => store.dispatch(undoLast()))
  expect(store.getState().notices.local.at(-1)).toMatchObject({
    code: 'undo/refused',
    params: { reason: 'network/offline' },
  })
})

test('in a single column a shadow ban has its place on the second line', async () => {
  window.innerWidth = 500
  await opened()
  const [row] = screen.getAllByRole('row').slice(1)
  expect(screen.getByText('Everywhere').closest('[class*=second]')?.textContent).toContain('Shadow ban')
  expect(row?.querySelectorAll('[class*=second]')).toHaveLength(1)
})

test('while one types, the server is asked once', async () => {
  const { bridge } = await opened()
  const before = bridge.inputsOf('bans.list').length
  for (const value of ['s', 'sh', 'sho', 'shop']) {
    fireEvent.change(screen.getByRole('searchbox'), { target: { value } })
    await settled()
  }
  await waitFor(() => expect(bridge.inputsOf('bans.list').at(-1)).toMatchObject({ query: 'shop' }))
  const asked = bridge.inputsOf('bans.list').slice(before) as { readonly query?: string }[]
  expect(new Set(asked.map(({ query }) => query))).toEqual(new Set(['shop']))
})

test('ended bans say when and by whom they ended, and there is nothing to unban', async () => {
  const { bridge } = await opened()
  bridge.on('bans.list', ({ ended }: { ended: boolean }) => ({
    bans: ended
      ? [
          { userId: bob, byId: ann, since: NOON, shadow: false, endedAt: NOON + 1_000, endedById: ann },
          { userId: bob, byId: ann, since: NOON - 5_000, shadow: false, until: NOON - 1_000, endedAt: NOON - 1_000 },
          { userId: bob, byId: ann, since: NOON - 9_000, shadow: false, until: NOON + 9_000, endedAt: NOON - 7_000 },
        ]
      : BANS,
    more: false,
  }))
  await press('button', 'Ended')
  expect(screen.getByText('Unbanned by Ann')).toBeTruthy()
  expect(screen.getByText('Expired')).toBeTruthy()
  expect(screen.getByText('3 ended bans')).toBeTruthy()
  expect(screen.queryByRole('button', { name: /^Unban / })).toBeNull()
  expect(screen.queryByRole('checkbox')).toBeNull()
  expect(screen.queryByText(/lists only expired bans/)).toBeNull()
  await press('button', 'Remove the filter Ended')
  expect(screen.getByRole('button', { name: 'Unban Bob' })).toBeTruthy()
})

test('a server that forgets removed bans is said to list only expired ones', async () => {
  const { bridge } = await opened()
  bridge.on('bans.list', () => ({ bans: [], more: false, onlyExpired: true }))
  await press('button', 'Ended')
  expect(screen.getByText(/lists only expired bans/)).toBeTruthy()
})

test('the page opens with the bans of one person, whom the filter names', async () => {
  const { bridge } = await opened(BANS, 'bob')
  expect(bridge.inputsOf('bans.list').at(-1)).toMatchObject({ userId: 'bob' })
  await press('button', 'Remove the filter Person')
  expect(bridge.inputsOf('bans.list').at(-1)).not.toHaveProperty('userId')
})
