import { afterEach, expect, test } from 'vitest'
import { act, cleanup, fireEvent, screen } from '@testing-library/react'
import { asCid, asUserId } from '#shared/lib/brand.ts'
import { aChannel, aUser, byCid, byId, createFakeBridge, NOON } from '../../../../tests/kit/fake-bridge/index.ts'
import { renderInApp } from '../../../../tests/kit/render-in-app.tsx'
import { routeOpened } from '../../../store/window/ui.ts'
import { BanDialog } from './BanDialog.tsx'
import { PersonDialog } from './PersonDialog.tsx'

const cid = asCid('team:plans')
const bob = asUserId('bob')
afterEach(cleanup)

async function opened(element: React.ReactNode, capabilities = ['ban-channel-members']) {
  const users = byId([aUser({ id: 'bob', name: 'Bob' }), aUser({ id: 'ann', name: 'Ann' })])
  const channel = aChannel({ cid, name: 'Plans', capabilities })
  const bridge = createFakeBridge({ rows: { channels: byCid([channel]), users } })
  bridge.on('details.shared', () => [])
  bridge.on('moderation.bans', () => ({ bans: [], more: false }))
  const rendered = await renderInApp(element, bridge)
  return { bridge, ...rendered }
}
const settled = () => act(() => Promise.resolve())

test('the effect of each kind of ban is shown, and the chosen one is sent', async () => {
  const { bridge, store } = await opened(<BanDialog cid={cid} userId={bob} />)
  expect(screen.getByText(/can’t write or react in this channel/)).toBeTruthy()
  fireEvent.click(screen.getByRole('radio', { name: 'Shadow ban' }))
  expect(screen.getByText(/no one else sees it/)).toBeTruthy()
  fireEvent.click(screen.getByRole('radio', { name: /^7 days/ }))
  fireEvent.change(screen.getByRole('textbox', { name: /^Reason/ }), { target: { value: 'adverts' } })
  fireEvent.click(screen.getByRole('switch', { name: 'Also delete the messages they wrote here' }))
  fireEvent.click(screen.getByRole('button', { name: 'Shadow ban' }))
  await settled()
  expect(bridge.inputsOf('moderation.ban')).toEqual([
    { cid, userId: 'bob', forMs: 604_800_000, reason: 'adverts', shadow: true, erase: true },
  ])
  expect(store.getState().ui.dialog).toBeUndefined()
})

test('an error is shown in the dialog, and the input is preserved', async () => {
  const { bridge } = await opened(<BanDialog cid={cid} userId={bob} />)
  bridge.on('moderation.ban', () => {
    throw { code: 'network/offline' } as unknown as Error
  })
  fireEvent.change(screen.getByRole('textbox', { name: /^Reason/ }), { target: { value: 'adverts' } })
  fireEvent.click(screen.getByRole('button', { name: 'Ban' }))
  await settled()
  expect(screen.getByRole('alert').textContent).not.toBe('')
  expect(screen.getByRole<HTMLTextAreaElement>('textbox', { name: /^Reason/ }).value).toBe('adverts')
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
