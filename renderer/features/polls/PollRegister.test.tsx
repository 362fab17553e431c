import { cleanup, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import type { ListedPoll, Poll, PollView } from '#shared/domain/poll.ts'
import { AppError } from '#shared/lib/app-error.ts'
import { asCid, asMessageId, asPollId, asUserId } from '#shared/lib/brand.ts'
import { aChannel, aSession, aUser, byId, createFakeBridge } from '#kit/fake-bridge/index.ts'
import { renderInApp } from '#kit/render-in-app.tsx'
import { PollRegister } from './PollRegister.tsx'

afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

const cid = asCid('team:maps')
const listed = (id: string, poll: Partial<Poll>): ListedPoll => ({
  messageId: asMessageId(`m-${id}`),
  cid,
  createdAt: Date.UTC(2026, 10, 20, 9, 0),
  poll: {
    id: asPollId(id),
    name: id,
    description: '',
    options: [
      { id: 'a', text: 'Tatra', votes: 2, own: false, voterIds: [] },
      { id: 'b', text: 'Almaty', votes: 1, own: true, voterIds: [] },
    ],
    enforceUniqueVote: true,
    anonymous: false,
    closed: false,
    voteCount: 3,
    answersCount: 0,
    createdBy: asUserId('ola'),
    ...poll,
  },
})
const POLLS: Record<PollView, readonly ListedPoll[]> = {
  unvoted: [],
  open: [listed('Which layers?', {}), listed('=Secret?', { anonymous: true, voteCount: 0, options: [] })],
  closed: [listed('Where to?', { closed: true })],
}

async function show() {
  const users = byId([aUser({ id: 'ola', name: 'Ola' })])
  const channels = { [cid]: aChannel({ cid, name: 'maps' }) }
  const bridge = createFakeBridge({ rows: { users, channels, session: { self: aSession() } } })
  bridge.on('polls.list', ({ view }) => POLLS[view])
  await renderInApp(<PollRegister />, bridge)
  const user = userEvent.setup()
  await screen.findByText('No open polls are waiting for your vote.')
  return { bridge, user }
}

test('open polls show what leads and who may still vote, closed ones what was decided', async () => {
  const { user } = await show()
  await user.click(screen.getByRole('radio', { name: 'Open' }))
  const open = within(await screen.findByRole('list', { name: 'Open' }))
  expect((await open.findByRole('button', { name: /^Which layers\?/ })).textContent).toContain('Leading: Tatra')
  expect(open.getByRole('button', { name: /^=Secret\?/ }).textContent).toContain('No votes')
  expect(open.getAllByRole('button', { name: 'Who hasn’t voted' })).toHaveLength(1)
  await user.click(screen.getByRole('radio', { name: 'Closed' }))
  const closed = within(await screen.findByRole('list', { name: 'Closed' }))
  const row = await closed.findByRole('button', { name: /^Where to\?/ })
  expect(row.textContent).toMatch(/Tatra.*3 votes/s)
  expect(closed.queryByRole('button', { name: 'Who hasn’t voted' })).toBeNull()
})

test('the results of one are shown in its place, and the way back leads to the list', async () => {
  const { user } = await show()
  await user.click(screen.getByRole('radio', { name: 'Closed' }))
  await user.click(await screen.findByRole('button', { name: 'View results' }))
  const results = within(await screen.findByRole('dialog', { name: 'Poll results' }))
  expect(results.getByRole('row', { name: /Tatra/ }).textContent).toContain('2')
  await user.keyboard('{Escape}')
  expect((await screen.findByRole('radio', { name: 'Closed' })).getAttribute('aria-checked')).toBe('true')
})

test('what is shown is saved as a table in which no text is a formula', async () => {
  const { user } = await show()
  const saved: Blob[] = []
  vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
    if (blob instanceof Blob) saved.push(blob)
    return 'blob:here'
  })
  await user.click(screen.getByRole('radio', { name: 'Open' }))
  await user.click(await screen.findByRole('button', { name: 'Save as a table' }))
  const lines = (await saved[0]?.text())?.replace('\uFEFF', '').trim().split('\r\n')
  expect(lines?.[0]).toBe('"Question","Channel","Created by","Created","State","Votes","Result","Your vote"')
  expect(lines?.[1]).toContain('"Which layers?","maps","Ola","2026-11-20T09:00:00.000Z","Open","3"')
  expect(lines?.[1]).toContain('"Almaty"')
  expect(lines?.[2]).toMatch(/^"'=Secret\?"/)
})

test('polls that cannot be read are not shown as none', async () => {
  const { bridge, user } = await show()
  bridge.on('polls.list', () => {
    throw new AppError('server/unavailable')
  })
  await user.click(screen.getByRole('radio', { name: 'Closed' }))
  await screen.findByRole('alert')
  expect(screen.queryByText('No polls have closed yet.')).toBeNull()
})
