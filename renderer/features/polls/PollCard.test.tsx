import { act, cleanup, fireEvent, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import type { Poll } from '#shared/domain/poll.ts'
import { asCid, asMessageId, asPollId, asUserId } from '#shared/lib/brand.ts'
import { AppError } from '#shared/lib/app-error.ts'
import {
  aChannel,
  aMessage,
  aSession,
  aUser,
  byCid,
  byId,
  createFakeBridge,
  MEMBER_CAPABILITIES,
} from '#kit/fake-bridge/index.ts'
import { renderInApp } from '#kit/render-in-app.tsx'
import { useAppSelector } from '../../store/hooks.ts'
import { PollCard } from './index.ts'
import { PollQuestions } from './PollQuestions.tsx'

const cid = asCid('messaging:release')
const vote = (optionId: string) => ({ messageId: 'm1', optionId })

const aPoll = (over: Partial<Poll> = {}): Poll => ({
  id: asPollId('p1'),
  name: 'Where?',
  description: '',
  options: [
    { id: 'a', text: 'Here', votes: 2, own: true, voterIds: [] },
    { id: 'b', text: 'There', votes: 1, own: false, voterIds: [] },
  ],
  enforceUniqueVote: true,
  anonymous: true,
  closed: false,
  voteCount: 3,
  answersCount: 0,
  createdBy: asUserId('ola'),
  ...over,
})

/** Renders the requested dialog, as the app does. */
function DialogOutlet() {
  const dialog = useAppSelector((state) => state.ui.dialog)
  return dialog?.kind === 'of-poll' ? <PollQuestions {...dialog} /> : null
}

async function show(poll: Poll, capabilities: readonly string[] = [...MEMBER_CAPABILITIES, 'cast-poll-vote']) {
  const bridge = createFakeBridge({
    rows: {
      channels: byCid([aChannel({ cid, capabilities })]),
      polls: byId([poll]),
      session: { self: aSession() },
    },
  })
  await renderInApp(
    <>
      <PollCard messageId={asMessageId('m1')} cid={cid} pollId="p1" renderDescription={(text) => <em>{text}</em>} />
      <DialogOutlet />
    </>,
    bridge,
  )
  return bridge
}

afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

test('options of a single-vote poll are radio buttons with their votes', async () => {
  const bridge = await show(aPoll())
  const own = screen.getByRole('radio', { name: 'Here, 2 votes, 67%' })
  const other = screen.getByRole('radio', { name: 'There, 1 vote, 33%' })
  expect(own.getAttribute('aria-checked')).toBe('true')
  expect(other.getAttribute('aria-checked')).toBe('false')
  await userEvent.click(other)
  await userEvent.click(own)
  expect(bridge.inputsOf('polls.castVote')).toEqual([vote('b')])
  expect(bridge.inputsOf('polls.removeVote')).toEqual([vote('a')])
})

test('a vote that replaced another can be undone for five seconds', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const bridge = await show(aPoll())
  fireEvent.click(screen.getByRole('radio', { name: /^There/ }))
  await act(async () => {})
  expect(screen.getByText('You moved your vote from Here to There.')).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: 'Undo' }))
  await act(async () => {})
  expect(bridge.inputsOf('polls.castVote')).toEqual([vote('b'), vote('a')])
  expect(bridge.inputsOf('polls.removeVote')).toEqual([])
  fireEvent.click(screen.getByRole('radio', { name: /^Here/ }))
  await act(async () => {})
  expect(screen.getByText('You removed your vote for Here.')).toBeTruthy()
  await act(async () => vi.advanceTimersByTimeAsync(5_000))
  expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull()
})

test('the description is rendered as Markdown', async () => {
  await show(aPoll({ description: 'why' }))
  expect(screen.getByText('why').tagName).toBe('EM')
})

test('options of a multi-vote poll are checkboxes', async () => {
  await show(aPoll({ enforceUniqueVote: false }))
  expect(screen.getAllByRole('checkbox')).toHaveLength(2)
})

test('a refused vote shows the reason in the card until a vote is accepted', async () => {
  const bridge = await show(aPoll({ enforceUniqueVote: false, maxVotes: 1 }))
  bridge.on('polls.castVote', () => {
    throw new AppError('poll/vote-limit', { params: { max: 1 } })
  })
  await userEvent.click(screen.getByRole('checkbox', { name: /^There/ }))
  expect(screen.getByRole('alert').textContent).toBe('Reached the vote limit. Remove an existing vote first.')
  await userEvent.click(screen.getByRole('checkbox', { name: /^Here/ }))
  expect(screen.getByRole('alert').textContent).toBe('')
})

test('a closed poll shows its result without actions', async () => {
  await show(aPoll({ closed: true }))
  expect(screen.queryAllByRole('radio')).toEqual([])
  expect(screen.getByText('Most votes: Here, 2 votes, 67%, your vote')).toBeTruthy()
})

test('a vote is not offered to be taken back once the poll is closed', async () => {
  const bridge = await show(aPoll())
  fireEvent.click(screen.getByRole('radio', { name: /^There/ }))
  await act(async () => {})
  expect(screen.getByRole('button', { name: 'Undo' })).toBeTruthy()
  await act(async () => bridge.change({ polls: byId([aPoll({ closed: true })]) }))
  expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull()
})

test('a poll with a closing time shows it, and is closed at that time even before the server says so', async () => {
  await show(aPoll({ closesAt: Date.now() + 60_000 }))
  expect(screen.getByText(/^Closes /)).toBeTruthy()
  cleanup()
  await show(aPoll({ closesAt: Date.now() - 1 }))
  expect(screen.queryAllByRole('radio')).toEqual([])
  expect(screen.getByText(/^Closed automatically, /)).not.toBe(null)
})

test('without the right to vote the votes are visible', async () => {
  await show(aPoll(), ['read-events'])
  expect(screen.queryAllByRole('radio')).toEqual([])
  expect(screen.getByText('There, 1 vote, 33%')).toBeTruthy()
})

test('a vote of another person shows at once', async () => {
  const bridge = await show(aPoll())
  const options = aPoll().options.map((option) => ({ ...option, own: option.id === 'b' }))
  await act(async () => bridge.change({ polls: byId([aPoll({ options })]) }))
  expect(screen.getByRole('radio', { name: /^There/ }).getAttribute('aria-checked')).toBe('true')
})

test('at the limit, own votes can still be removed', async () => {
  const bridge = await show(aPoll({ enforceUniqueVote: false, maxVotes: 2 }))
  bridge.on('polls.castVote', () => {
    throw new AppError('poll/vote-limit', { params: { max: 2 } })
  })
  await userEvent.click(screen.getByRole('checkbox', { name: /^There/ }))
  await userEvent.click(screen.getByRole('button', { name: 'Remove your vote: Here' }))
  expect(bridge.inputsOf('polls.removeVote')).toEqual([vote('a')])
})

test('a queued vote says so, and a refused one says why', async () => {
  const bridge = await show(aPoll())
  const item = {
    id: 'i1',
    kind: 'cast-vote',
    cid,
    messageId: 'm1',
    summary: '',
    fileCount: 0,
    retryable: true,
    createdAt: 1,
  }
  const put = (more: object) => act(async () => bridge.change({ outbox: { i1: { ...item, ...more } as never } }))
  await put({ state: 'waiting' })
  expect(screen.getByText('Your vote is saved and will be sent when you’re back online.')).toBeTruthy()
  await put({ state: 'parked', reason: { code: 'poll/closed' } })
  expect(screen.getByText('Your vote wasn’t counted. This poll is closed.')).toBeTruthy()
})

test('results list voters and times in an accessible table', async () => {
  const bridge = await show(aPoll({ anonymous: false, closed: true }))
  bridge.on('polls.voters', () => ({ voters: [{ id: 'v1', userId: 'ola', votedAt: Date.now() - 120_000 }] }))
  await userEvent.click(screen.getByRole('button', { name: 'View results' }))
  const rows = (await screen.findAllByRole('row')).map((row) => row.textContent)
  expect(rows).toEqual(['OptionVotesShare', 'Most votes: Hereyour vote267%', 'There133%'])
  await userEvent.click(screen.getByRole('button', { name: /^Here/ }))
  expect((await screen.findByRole('list', { name: 'Voted for Here' })).textContent).toContain('2 minutes ago')
  expect(bridge.inputsOf('polls.voters').at(-1)).toEqual({ messageId: 'm1', optionId: 'a' })
})

test('an anonymous poll names no one', async () => {
  await show(aPoll())
  await userEvent.click(screen.getByRole('button', { name: 'View results' }))
  await screen.findByRole('table')
  expect(screen.queryByRole('button', { name: /^Here/ })).toBeNull()
})

test('only people who may close a poll are offered to', async () => {
  const theirs = aPoll({ createdBy: asUserId('jonas') })
  await show(theirs, ['cast-poll-vote'])
  expect(screen.queryByRole('button', { name: 'Close poll' })).toBeNull()
  cleanup()
  const bridge = await show(theirs, ['cast-poll-vote', 'update-any-message'])
  await userEvent.click(screen.getByRole('button', { name: 'Poll options' }))
  await userEvent.click(screen.getByRole('menuitem', { name: 'Close poll' }))
  expect((await screen.findByRole('alertdialog')).textContent).toContain('Close this poll?')
  await userEvent.click(screen.getAllByRole('button', { name: 'Close poll' }).at(-1)!)
  expect(bridge.inputsOf('polls.close')).toEqual([{ messageId: 'm1' }])
})

test('a reply to a comment is posted in the thread of the poll and quotes the comment', async () => {
  const answers = [{ id: 'v1', text: 'Bring soup', userId: asUserId('hana'), createdAt: 1 }]
  const capabilities = [...MEMBER_CAPABILITIES, 'cast-poll-vote']
  const rows = {
    channels: byCid([aChannel({ cid, capabilities })]),
    polls: byId([aPoll({ allowAnswers: true, answersCount: 1, answers })]),
    messages: byId([aMessage({ id: 'm1', cid })]),
    users: byId([aUser({ id: 'hana', name: 'Hana Mori' })]),
    session: { self: aSession() },
  }
  const bridge = createFakeBridge({ rows })
  bridge.on('polls.answers', () => ({ answers }))
  const { store } = await renderInApp(
    <>
      <PollCard messageId={asMessageId('m1')} cid={cid} pollId="p1" renderDescription={() => null} />
      <DialogOutlet />
    </>,
    bridge,
  )
  await userEvent.click(screen.getByRole('button', { name: '1 comment' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Reply in the thread to “Bring soup”' }))
  const { panel, dialog } = store.getState().ui
  expect(panel).toEqual({ kind: 'thread', cid, parentId: 'm1' })
  expect(dialog).toBeUndefined()
  expect(store.getState().composers[`${cid}/m1`]?.text).toBe('> Bring soup\n\n@Hana Mori ')
})
