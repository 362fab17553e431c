import { afterEach, expect, test } from 'vitest'
import { act, cleanup, fireEvent, screen } from '@testing-library/react'
import { asCid, asUserId } from '#shared/lib/brand.ts'
import { aChannel, aUser, byCid, byId, createFakeBridge, NOON } from '../../../../tests/kit/fake-bridge/index.ts'
import { renderInApp } from '../../../../tests/kit/render-in-app.tsx'
import { routeOpened } from '../../../store/window/ui.ts'
import { undoLast } from '../../../store/window/recent.ts'
import { BanDialog } from './BanDialog.tsx'
import { PersonDialog } from './PersonDialog.tsx'

const cid = asCid('team:plans')
const bob = asUserId('bob')
afterEach(cleanup)

async function opened(element: React.ReactNode, capabilities = ['ban-channel-members'], manage = {}) {
  const users = byId([aUser({ id: 'bob', name: 'Bob' }), aUser({ id: 'ann', name: 'Ann' })])
  const channel = aChannel({ cid, name: 'Plans', capabilities })
  const bridge = createFakeBridge({ rows: { channels: byCid([channel]), users, manage } })
  bridge.on('details.shared', () => [])
  bridge.on('moderation.bans', () => ({ bans: [], more: false }))
  const rendered = await renderInApp(element, bridge)
  return { bridge, ...rendered }
}
const settled = () => act(() => Promise.resolve())

const ADMIN = { self: { rights: ['review', 'ban', 'ban-everywhere'], source: 'role', changes: {} } } as const

test('everything about a ban is chosen and sent, and can be undone', async () => {
  const { bridge, store } = await opened(<BanDialog cid={cid} userId={bob} />)
  fireEvent.click(screen.getByRole('radio', { name: '30 days' }))
  expect(screen.getByText(/^Ends /)).toBeTruthy()
  fireEvent.change(screen.getByRole('textbox', { name: /^Reason/ }), { target: { value: 'adverts' } })
  expect(screen.getByText('What they wrote stays.')).toBeTruthy()
  fireEvent.change(screen.getByRole('combobox', { name: 'Their messages' }), { target: { value: 'soft' } })
  expect(screen.getByText('You can restore them later.')).toBeTruthy()
  fireEvent.click(screen.getByRole('switch', { name: 'Shadow ban' }))
  fireEvent.click(screen.getByRole('switch', { name: 'Also in channels you create later' }))
  fireEvent.click(screen.getByRole('button', { name: 'Shadow ban Bob' }))
  await settled()
  const [sent] = bridge.inputsOf('moderation.ban') as { forMs: number }[]
  expect(sent).toMatchObject({ cid, userId: 'bob', reason: 'adverts', shadow: true, messages: 'soft', future: true })
  expect(sent?.forMs).toBeGreaterThan(29.9 * 86_400_000)
  expect(store.getState().ui.dialog).toBeUndefined()
  const [notice] = store.getState().notices.local
  expect(notice).toMatchObject({ code: 'bans/banned-one' })
  await act(async () => store.dispatch(undoLast()))
  expect(bridge.inputsOf('moderation.unban')).toEqual([{ userId: 'bob', cid }])
})

test('a ban without end in the whole workspace, for those who may', async () => {
  const { bridge } = await opened(<BanDialog cid={cid} userId={bob} />, ['ban-channel-members'], ADMIN)
  fireEvent.click(screen.getByRole('radio', { name: 'Everywhere' }))
  fireEvent.click(screen.getByRole('radio', { name: 'Forever' }))
  expect(screen.queryByRole('switch', { name: /create later/ })).toBeNull()
  fireEvent.click(screen.getByRole('button', { name: 'Ban Bob' }))
  await settled()
  expect(bridge.inputsOf('moderation.ban')).toMatchObject([{ userId: 'bob', shadow: false, future: false }])
  expect(bridge.inputsOf('moderation.ban')[0]).not.toHaveProperty('cid', cid)
})

test('without the right, only the channel on screen is offered', async () => {
  await opened(<BanDialog cid={cid} userId={bob} />)
  expect(screen.queryByRole('radio', { name: 'Everywhere' })).toBeNull()
})

test('several people are banned at once, and those who are refused are named by number', async () => {
  const { bridge, store } = await opened(<BanDialog cid={cid} userIds={[bob, asUserId('ann')]} />)
  bridge.on('moderation.ban', ({ userId }) => {
    if (userId === 'ann') throw { code: 'server/not-allowed' } as unknown as Error
  })
  fireEvent.click(screen.getByRole('button', { name: 'Ban 2 people' }))
  await settled()
  expect(screen.getByRole('alert').textContent).toContain('1 person wasn’t banned')
  await act(async () => store.dispatch(undoLast()))
  expect(bridge.inputsOf('moderation.unban')).toEqual([{ userId: 'bob', cid }])
})

test('an error is shown in the dialog, and the input is preserved', async () => {
  const { bridge } = await opened(<BanDialog cid={cid} userId={bob} />)
  bridge.on('moderation.ban', () => {
    throw { code: 'network/offline' } as unknown as Error
  })
  fireEvent.change(screen.getByRole('textbox', { name: /^Reason/ }), { target: { value: 'adverts' } })
  fireEvent.click(screen.getByRole('button', { name: 'Ban Bob' }))
  await settled()
  expect(screen.getByRole('alert').textContent).not.toBe('')
  expect(screen.getByRole<HTMLInputElement>('textbox', { name: /^Reason/ }).value).toBe('adverts')
})

test('the profile shows moderators a ban from the channel on screen, and can unban', async () => {
  const { bridge, store } = await opened(<PersonDialog userId={bob} />)
  bridge.on('moderation.bans', () => ({
    bans: [{ userId: bob, since: NOON, shadow: false, reason: 'adverts' }],
    more: false,
  }))
  act(() => void store.dispatch(routeOpened({ view: 'channel', cid })))
  await settled()
  expect(screen.getByText('Banned from this channel')).toBeTruthy()
  expect(screen.getByText('adverts')).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: 'More' }))
  fireEvent.click(screen.getByRole('menuitem', { name: 'Unban' }))
  await settled()
  expect(bridge.inputsOf('moderation.unban')).toEqual([{ cid, userId: 'bob' }])
})

test('the profile offers no ban without the permission', async () => {
  const { bridge, store } = await opened(<PersonDialog userId={bob} />, ['send-message'])
  act(() => void store.dispatch(routeOpened({ view: 'channel', cid })))
  await settled()
  fireEvent.click(screen.getByRole('button', { name: 'More' }))
  expect(screen.queryByRole('menuitem', { name: /Ban/ })).toBeNull()
  expect(bridge.inputsOf('moderation.bans')).toEqual([])
})
