import { act, cleanup, fireEvent, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { JSX } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import type { Poll } from '#shared/domain/poll.ts'
import { asCid, asMessageId, asPollId, asUserId } from '#shared/lib/brand.ts'
import { aChannel, aMessage, aSession, byCid, byId, createFakeBridge } from '#kit/fake-bridge/index.ts'
import { renderInApp } from '#kit/render-in-app.tsx'
import { CloseDialog, RemindDialog } from '../PollDialogs.tsx'
import { EditPollDialog } from './EditPollDialog.tsx'

type FakeBridge = ReturnType<typeof createFakeBridge>

const cid = asCid('messaging:release')
const messageId = asMessageId('m1')
const option = (id: string, text: string, votes: number) => ({ id, text, votes, own: false, voterIds: [] })
const poll: Poll = {
  id: asPollId('p1'),
  name: 'Lunch?',
  description: '',
  options: [option('a', 'Soup', 3), option('b', 'soups', 2), option('c', 'Cake', 1)],
  enforceUniqueVote: true,
  anonymous: false,
  closed: false,
  voteCount: 6,
  answersCount: 0,
  createdBy: asUserId('ola'),
}

afterEach(cleanup)

async function show(dialog: (onClose: () => void) => JSX.Element, prepare?: (bridge: FakeBridge) => void) {
  const messages = byId([aMessage({ id: messageId, cid, pollId: poll.id })])
  const rows = { channels: byCid([aChannel({ cid })]), messages, session: { self: aSession() } }
  const bridge = createFakeBridge({ rows })
  prepare?.(bridge)
  const onClose = vi.fn<() => void>()
  const app = await renderInApp(dialog(onClose), bridge)
  return { bridge, onClose, field: () => app.store.getState().composers[cid]?.text }
}
const edit = () => show((onClose) => <EditPollDialog poll={poll} messageId={messageId} onClose={onClose} />)
const become = (name: string, action: string) =>
  fireEvent.change(screen.getByRole('combobox', { name: `What to do with ${name}` }), { target: { value: action } })
const summary = () => screen.getAllByRole('listitem').map((item) => item.textContent)

test('the changes and lost votes are listed before saving', async () => {
  const { bridge, onClose } = await edit()
  const save = () => screen.getByRole('button', { name: /^Save/ })
  expect(save().getAttribute('aria-disabled')).toBe('true')
  fireEvent.change(screen.getByRole('textbox', { name: 'Question' }), { target: { value: 'Supper?' } })
  become('soups', 'into:a')
  expect(save().textContent).toBe('Save changes')
  become('Cake', 'leaves')
  expect(save().textContent).toBe('Save and delete 1 vote')
  expect(summary().slice(-3)).toEqual([
    'Question: “Lunch?” is now “Supper?”.',
    'Option “Cake” was removed.',
    '“soups” was merged into “Soup”, with its votes.',
  ])
  await userEvent.click(save())
  const parts = { renamed: [], merged: [{ id: 'b', into: 'a' }], removed: ['c'], added: [] }
  expect(bridge.inputsOf('polls.edit')).toEqual([{ messageId, name: 'Supper?', ...parts }])
  expect(onClose).toHaveBeenCalled()
})

test('a duplicate option is not saved', async () => {
  const { bridge } = await edit()
  fireEvent.change(screen.getByRole('textbox', { name: 'Add an option' }), { target: { value: 'CAKE ' } })
  expect(screen.getByRole('alert').textContent).toBe('Option already exists')
  await userEvent.click(screen.getByRole('button', { name: 'Save changes' }))
  expect(bridge.inputsOf('polls.edit')).toEqual([])
})

test('a reminder mentions people who have not voted in the composer, and is not sent', async () => {
  const { bridge, field } = await show(
    (onClose) => <RemindDialog messageId={messageId} onClose={onClose} />,
    (before) => before.on('polls.nonVoters', () => ({ userIds: [asUserId('jonas')], total: 1 })),
  )
  expect(await screen.findByText('1 person hasn’t voted yet.')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Message them' }))
  expect(bridge.inputsOf('messages.send')).toEqual([])
  expect(field()).toBe('@jonas, please vote in this poll.')
})

test('closing inserts the result into the composer, unless turned off', async () => {
  const close = () => show((onClose) => <CloseDialog poll={poll} messageId={messageId} onClose={onClose} />)
  const first = await close()
  await userEvent.click(screen.getByRole('button', { name: 'Close poll' }))
  await act(async () => {})
  expect(first.field()).toBe('Result of “Lunch?”: Soup, 3 of 6 votes.')
  cleanup()
  const second = await close()
  await userEvent.click(screen.getByRole('switch', { name: 'Add the result to the message field' }))
  await userEvent.click(screen.getByRole('button', { name: 'Close poll' }))
  await act(async () => {})
  expect(second.field()).toBeUndefined()
})
