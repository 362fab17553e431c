import { afterEach, expect, test } from 'vitest'
import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import type { MemberPage, MemberEntry } from '#shared/domain/channel.ts'
import { asCid, asUserId } from '#shared/lib/brand.ts'
import { aChannel, aConnection, aUser, byCid, byId, createFakeBridge } from '../../../../tests/kit/fake-bridge/index.ts'
import { renderInApp } from '../../../../tests/kit/render-in-app.tsx'
import { MembersPanel } from './MembersPanel.tsx'
import { pastedPeople } from '../questions/ChannelQuestions.tsx'
import { linksOf } from '../info/MediaLists.tsx'
import { grouped } from './use-members.ts'

const cid = asCid('team:plans')
const entry = (userId: string, over: Partial<MemberEntry> = {}): MemberEntry => ({
  userId: asUserId(userId),
  channelRole: 'channel_member',
  joinedAt: 0,
  banned: false,
  shadowBanned: false,
  invited: false,
  ...over,
})

async function opened(members: Partial<MemberPage>, users = [aUser({ id: 'ola', name: 'Ola' })], capabilities = ['x']) {
  const channel = aChannel({ cid, capabilities, memberCount: members.total ?? 3 })
  const bridge = createFakeBridge({ rows: { channels: byCid([channel]), users: byId(users) } })
  bridge.on('details.members', () => ({ entries: [], total: 0, hasMore: false, ...members }))
  const rendered = await renderInApp(<MembersPanel cid={cid} />, bridge)
  await act(() => Promise.resolve())
  return { bridge, ...rendered }
}

afterEach(cleanup)

test('owner and moderators come first, then online members, then invited people', () => {
  const users = byId([aUser({ id: 'a', online: false }), aUser({ id: 'b' }), aUser({ id: 'c', online: false })])
  const entries = [entry('a'), entry('b'), entry('c'), entry('d', { invited: true }), entry('e')]
  const moderators = [entry('f', { channelRole: 'channel_moderator' })]
  expect(
    grouped([...entries, ...moderators], users, 'e').map(({ name, entries: found }) => [
      name,
      found.map(({ userId }) => userId),
    ]),
  ).toEqual([
    ['staff', ['e', 'f']],
    ['others', ['b', 'a', 'c']],
    ['invited', ['d']],
  ])
})

test('of ten thousand members only the rows in view are mounted', async () => {
  const ids = Array.from({ length: 10_000 }, (_, at) => `user-${String(at).padStart(5, '0')}`)
  await opened({ entries: ids.map((id) => entry(id)), total: 10_000 }, [aUser({ id: 'user-09999', name: 'Żaneta' })])
  const rows = await screen.findAllByRole('button', { name: /^user-/ })
  expect(rows.length).toBeGreaterThan(5)
  expect(rows.length).toBeLessThan(60)
  fireEvent.change(screen.getByRole('searchbox', { name: 'Find a member' }), { target: { value: 'zaneta' } })
  expect(await screen.findByRole('button', { name: /^Żaneta/ })).toBeTruthy()
  expect(screen.queryByRole('button', { name: /^user-/ })).toBeNull()
})

test('the next page is requested near the end of the loaded members', async () => {
  const { bridge } = await opened({ entries: [entry('ola')], total: 250, hasMore: true })
  await waitFor(() => {
    const offsets = bridge.inputsOf('details.members').map((input) => (input as { offset?: number }).offset)
    expect(offsets.filter((offset) => offset !== undefined)).toEqual([0, 100, 200])
  })
})

test('an action that is not allowed is disabled in the menu with its reason', async () => {
  const users = [aUser({ id: 'ola', name: 'Ola' }), aUser({ id: 'jan', name: 'Jan' })]
  await opened({ entries: [entry('ola'), entry('jan')], total: 2 }, users, ['leave-channel'])
  fireEvent.click(await screen.findByRole('button', { name: 'Actions for Jan' }))
  const remove = screen.getByRole('menuitem', { name: /Remove from channel/ })
  expect(remove.getAttribute('aria-disabled')).toBe('true')
  expect(remove.textContent).toContain('You don’t have permission')
})

test('a pasted list reports its mistakes before anyone is added', () => {
  const people = [
    { id: 'ola', name: 'Ola Wiśniewska' },
    { id: 'jan1', name: 'Jan' },
    { id: 'jan2', name: 'Jan' },
    { id: 'ewa', name: 'Ewa' },
  ]
  expect(pastedPeople('ola wisniewska, @jan1\nJan; Nobody\n ewa ', people, new Set(['ewa']))).toEqual({
    found: ['ola', 'jan1'],
    unknown: ['Nobody'],
    several: ['Jan'],
    already: ['ewa'],
  })
})

test('an address is listed once per message, without surrounding punctuation', () => {
  const message = { text: 'See https://a.test/x, (http://b.test). https://a.test/x javascript:x', attachments: [] }
  expect(linksOf(message).map(({ href }) => href)).toEqual(['https://a.test/x', 'http://b.test/'])
})

test('without a line only those known here are listed, and that is said until the server has answered', async () => {
  const { bridge } = await opened({ entries: [entry('ola')], total: 3, unanswered: true })
  const note = 'You’re offline. Only members saved on this device are shown.'
  await screen.findByText('Couldn’t load everyone.')
  bridge.on('details.members', () => new Promise(() => undefined))
  await act(async () => bridge.change({ connection: { self: aConnection({ state: 'unhealthy', offline: true }) } }))
  await screen.findByText(note)
  expect(screen.queryByText('Couldn’t load everyone.')).toBeNull()
  bridge.on('details.members', () => ({ entries: [entry('ola')], total: 1, hasMore: false }))
  await act(async () => bridge.change({ connection: { self: aConnection() } }))
  await waitFor(() => expect(screen.queryByText(note)).toBeNull())
})
