import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import type { Draft } from '#shared/domain/draft.ts'
import type { PollForm } from '#shared/domain/poll.ts'
import { AppError } from '#shared/lib/app-error.ts'
import { asCid } from '#shared/lib/brand.ts'
import { EMPTY_COMPOSITION } from '#shared/rules/composer/composer.ts'
import { aChannel, aSession, byCid, createFakeBridge } from '#kit/fake-bridge/index.ts'
import { renderInApp } from '#kit/render-in-app.tsx'
import { dialogOpened } from '../../../store/window/ui.ts'
import { PollDialog } from './PollDialog.tsx'

const cid = asCid('messaging:release')

afterEach(cleanup)

async function show(polls?: Draft['polls']) {
  const draft: Draft = { ...EMPTY_COMPOSITION, key: cid, cid, uploads: [], updatedAt: 0, polls }
  const drafts = polls === undefined ? {} : { [cid]: draft }
  const rows = { channels: byCid([aChannel({ cid })]), session: { self: aSession() }, drafts }
  const bridge = createFakeBridge({ rows })
  const app = await renderInApp(<PollDialog cid={cid} />, bridge)
  act(() => void app.store.dispatch(dialogOpened({ kind: 'poll', cid })))
  return { bridge, isOpen: () => app.store.getState().ui.dialog !== undefined }
}

const question = () => screen.getByRole('textbox', { name: 'Question' })
const option = (name: string) => screen.getByRole('textbox', { name })
const alerts = () => screen.getAllByRole('alert').map((alert) => alert.textContent)
const optionTexts = () => [...document.querySelectorAll<HTMLInputElement>('[data-option]')].map((field) => field.value)
const create = () => userEvent.click(screen.getByRole('button', { name: 'Create poll' }))

test('validation errors are shown at their fields, and the first one is focused', async () => {
  const { bridge } = await show()
  await userEvent.type(option('Add an option'), 'Here')
  await userEvent.type(option('Add an option'), 'here ')
  await userEvent.type(option('Add an option'), 'x')
  await userEvent.clear(option('Option 3'))
  await userEvent.click(screen.getByRole('switch', { name: 'One vote per person' }))
  await userEvent.type(screen.getByRole('textbox', { name: 'Votes each person can cast' }), '12')
  await create()
  expect(alerts()).toEqual([
    'Question is required',
    'Option already exists',
    'Option is empty',
    'Type a number from 2 to 10',
  ])
  expect(screen.getByText('Fix 4 fields to create the poll')).toBeTruthy()
  expect(option('Option 1').className).toContain('repeated')
  await waitFor(() => expect(document.activeElement).toBe(question()))
  expect(bridge.inputsOf('polls.create')).toEqual([])
})

test('the number of votes accepts digits only, and is disabled with one vote per person', async () => {
  await show()
  const votes = () => screen.getByRole<HTMLInputElement>('textbox', { name: 'Votes each person can cast' })
  await userEvent.type(question(), 'Where?')
  expect(votes().disabled).toBe(true)
  expect(screen.getByText('Enforce unique vote is enabled')).not.toBe(null)
  await userEvent.click(screen.getByRole('switch', { name: 'One vote per person' }))
  await userEvent.type(votes(), 'two')
  expect(alerts()).toEqual(['Only numbers are allowed'])
  await userEvent.click(screen.getByRole('switch', { name: 'One vote per person' }))
  expect(votes().value).toBe('')
  expect(screen.queryAllByRole('alert')).toEqual([])
})

test('a pasted list becomes options; Alt and an arrow move one with its focus', async () => {
  await show()
  await userEvent.click(option('Add an option'))
  await userEvent.paste('- one\n- two\n- three')
  expect(optionTexts()).toEqual(['one', 'two', 'three', ''])
  const third = option('Option 3')
  third.focus()
  fireEvent.keyDown(third, { key: 'ArrowUp', altKey: true })
  expect(optionTexts()).toEqual(['one', 'three', 'two', ''])
  expect(document.activeElement).toEqual(option('Option 2'))
  await userEvent.click(screen.getByRole('button', { name: 'Remove option 1' }))
  expect(optionTexts()).toEqual(['three', 'two', ''])
})

test('a poll is created from the form, and the dialog closes', async () => {
  const { bridge, isOpen } = await show()
  bridge.on('polls.create', () => 'm1')
  await userEvent.type(question(), 'Where? ')
  await userEvent.type(option('Add an option'), 'Here{Enter}There')
  await userEvent.click(screen.getByRole('switch', { name: 'Hide who voted' }))
  await create()
  await waitFor(() => expect(isOpen()).toBe(false))
  expect(bridge.inputsOf('polls.create')).toMatchObject([
    { cid, name: 'Where?', options: ['Here', 'There'], enforceUniqueVote: true, anonymous: true },
  ])
})

test('a failed poll stays in the dialog, and is restored when it reopens', async () => {
  const { bridge, isOpen } = await show()
  bridge.on('polls.create', () => {
    throw new AppError('poll/create-failed')
  })
  await userEvent.type(question(), 'Where?')
  await userEvent.type(option('Add an option'), 'Here')
  await create()
  expect(await screen.findByText('Failed to create the poll. Your question and options are saved.')).toBeTruthy()
  expect(isOpen()).toBe(true)
  cleanup()
  const [kept] = bridge.inputsOf('drafts.savePoll').slice(-1) as [{ of: string; form: PollForm }]
  await show({ [kept.of]: kept.form })
  expect((question() as HTMLInputElement).value).toBe('Where?')
  expect(optionTexts()).toEqual(['Here', ''])
  await userEvent.click(screen.getByRole('button', { name: 'Start over' }))
  expect(optionTexts()).toEqual([''])
})

test('an unsent poll is edited in the form and sent in place; another unfinished poll stays', async () => {
  const bridge = createFakeBridge({ rows: { channels: byCid([aChannel({ cid })]), session: { self: aSession() } } })
  const rules = { enforceUniqueVote: false, maxVotes: 3, anonymous: true, allowSuggestions: false, allowAnswers: true }
  const poll = { name: 'Where?', description: '', options: ['Here', 'There'], ...rules }
  await renderInApp(<PollDialog cid={cid} from={{ id: 'm9', poll }} />, bridge)
  await userEvent.type(question(), ' Now')
  await create()
  expect(bridge.inputsOf('polls.create')).toEqual([{ cid, ...poll, name: 'Where? Now', replaces: 'm9' }])
  expect(bridge.inputsOf('drafts.savePoll')).toEqual([{ cid, of: 'm9' }])
})

test('a poll can close automatically at a future time', async () => {
  const { bridge } = await show()
  await userEvent.type(question(), 'Where?')
  await userEvent.type(option('Add an option'), 'Here')
  await userEvent.click(screen.getByRole('switch', { name: 'Close automatically' }))
  const day = screen.getByRole('textbox', { name: 'Day' })
  await userEvent.clear(day)
  await create()
  expect(bridge.inputsOf('polls.create')).toEqual([])
  await userEvent.type(day, '11/24/2099')
  await create()
  const [made] = bridge.inputsOf('polls.create') as { closesAt?: number }[]
  expect(new Date(made?.closesAt ?? 0).getFullYear()).toBe(2099)
})

test('a poll another window has just sent is sent again after confirmation', async () => {
  const { bridge } = await show()
  bridge.on('polls.create', ({ again }: { again?: boolean }) => {
    if (again !== true) throw new AppError('message/just-sent')
  })
  await userEvent.type(question(), 'Where?')
  await userEvent.type(option('Add an option'), 'Here')
  await create()
  expect(await screen.findByText(/You just sent this from another window\./)).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Send again' }))
  expect(bridge.inputsOf('polls.create').at(-1)).toMatchObject({ name: 'Where?', again: true })
})
