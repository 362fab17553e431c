import { cleanup, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { AppError } from '#shared/lib/app-error.ts'
import { asMessageId, asPollId, asUserId } from '#shared/lib/brand.ts'
import type { Poll } from '#shared/domain/poll.ts'
import { aSession, aUser, byId, createFakeBridge } from '#kit/fake-bridge/index.ts'
import { renderInApp } from '#kit/render-in-app.tsx'
import { SaveResults } from './ResultsDialog.tsx'

const poll: Poll = {
  id: asPollId('p1'),
  name: 'Where?',
  description: '',
  options: [
    { id: 'a', text: 'Here', votes: 2, own: true, voterIds: [] },
    { id: 'b', text: 'There', votes: 0, own: false, voterIds: [] },
  ],
  enforceUniqueVote: true,
  anonymous: false,
  closed: false,
  voteCount: 2,
  answersCount: 0,
  createdBy: asUserId('ola'),
}

afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

async function show(anonymous = false) {
  const users = byId([aUser({ id: 'ola', name: 'Ola' }), aUser({ id: 'bob', name: 'Bob' })])
  const bridge = createFakeBridge({ rows: { users, session: { self: aSession() } } })
  const saved: Blob[] = []
  vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
    if (blob instanceof Blob) saved.push(blob)
    return 'blob:here'
  })
  await renderInApp(<SaveResults poll={{ ...poll, anonymous }} messageId={asMessageId('m1')} />, bridge)
  const save = () => userEvent.click(screen.getByRole('button', { name: 'Save as a table' }))
  const lines = async (): Promise<string[]> =>
    (await saved[0]?.text())?.replace('\uFEFF', '').trim().split('\r\n') ?? []
  return { bridge, save, saved, lines }
}

test('the table has a row for each vote of all pages, and one for an option without votes', async () => {
  const { bridge, save, saved, lines } = await show()
  bridge.on('polls.voters', ({ cursor }: { cursor?: string }) =>
    cursor === undefined
      ? { voters: [{ id: 'v1', userId: 'ola', votedAt: 0 }], next: 'more' }
      : { voters: [{ id: 'v2', userId: 'bob', votedAt: 60_000 }] },
  )
  await save()
  await waitFor(() => expect(saved).toHaveLength(1))
  expect(await lines()).toEqual([
    '"Option","Person","Time"',
    '"Here","Ola","1970-01-01T00:00:00.000Z"',
    '"Here","Bob","1970-01-01T00:01:00.000Z"',
    '"There","",""',
  ])
})

test('for an anonymous poll only the numbers are saved', async () => {
  const { bridge, save, saved, lines } = await show(true)
  await save()
  await waitFor(() => expect(saved).toHaveLength(1))
  expect(await lines()).toEqual(['"Option","Votes"', '"Here","2"', '"There","0"'])
  expect(bridge.inputsOf('polls.voters')).toEqual([])
})

test('an incomplete list of votes is not saved', async () => {
  const { bridge, save, saved } = await show()
  bridge.on('polls.voters', () => {
    throw new AppError('network/offline')
  })
  await save()
  expect((await screen.findByRole('alert')).textContent).toContain('offline')
  expect(saved).toEqual([])
})
