import { afterEach, expect, test } from 'vitest'
import { cleanup, fireEvent, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { asCid } from '#shared/lib/brand.ts'
import { aChannel, aUser, byCid, byId, createFakeBridge } from '#kit/fake-bridge/index.ts'
import { renderInApp } from '#kit/render-in-app.tsx'
import { AddPeopleDialog } from './ChannelQuestions.tsx'

const cid = asCid('team:plans')

afterEach(cleanup)

test('the button counts the people once there are any', async () => {
  const users = byId([aUser({ id: 'ewa', name: 'Ewa' }), aUser({ id: 'jan', name: 'Jan' })])
  const bridge = createFakeBridge({ rows: { channels: byCid([aChannel({ cid })]), users } })
  bridge.on('details.members', () => ({ entries: [], total: 0, hasMore: false }))
  await renderInApp(<AddPeopleDialog cid={cid} />, bridge)

  const named = (name: string): HTMLElement => screen.getByRole('button', { name })
  expect((await screen.findByRole('button', { name: 'Add people' })).getAttribute('aria-disabled')).toBe('true')

  fireEvent.change(await screen.findByLabelText(/^Or paste names or IDs/), { target: { value: 'ewa, jan' } })
  expect(named('Add 2 people').getAttribute('aria-disabled')).toBeNull()

  await userEvent.click(screen.getByRole('radio', { name: 'Invite' }))
  expect(named('Invite 2 people')).toBeTruthy()
  fireEvent.change(screen.getByLabelText(/^Or paste names or IDs/), { target: { value: '' } })
  expect(named('Invite').getAttribute('aria-disabled')).toBe('true')
})
