import { afterEach, expect, test } from 'vitest'
import { act, cleanup, fireEvent, screen } from '@testing-library/react'
import { asCid, asUserId } from '#shared/lib/brand.ts'
import { aUser, byId, createFakeBridge, NOON } from '../../../../tests/kit/fake-bridge/index.ts'
import { renderInApp } from '../../../../tests/kit/render-in-app.tsx'
import { BansList } from './SettingsPanel.tsx'

const cid = asCid('team:plans')
afterEach(cleanup)

async function opened(why?: string) {
  const users = byId([aUser({ id: 'bob', name: 'Bob' }), aUser({ id: 'ann', name: 'Ann' })])
  const bridge = createFakeBridge({ rows: { users } })
  const bans = [
    { userId: asUserId('bob'), byId: asUserId('ann'), since: NOON, until: NOON, shadow: true, reason: 'adverts' },
  ]
  bridge.on('moderation.bans', () => ({ bans, more: false }))
  bridge.on('moderation.unban', () => void bans.pop())
  await renderInApp(<BansList cid={cid} why={why} />, bridge)
  await act(() => Promise.resolve())
  return bridge
}

test('a banned person is listed with who banned them, until when and why, and can be unbanned', async () => {
  const bridge = await opened()
  const row = screen.getByRole('listitem')
  expect(row.textContent).toMatch(/Bob.*Shadow banned.*Since .*, by Ann.*Until .*adverts/)
  fireEvent.click(screen.getByRole('button', { name: 'Unban Bob' }))
  await act(() => Promise.resolve())
  expect(bridge.inputsOf('moderation.unban')).toEqual([{ cid, userId: 'bob' }])
  expect(await screen.findByText('No one is banned from this channel')).toBeTruthy()
})

test('without the right to ban the reason is shown and nothing is requested', async () => {
  const bridge = await opened('You don’t have permission')
  expect(screen.getByText('You don’t have permission')).toBeTruthy()
  expect(bridge.inputsOf('moderation.bans')).toEqual([])
})
