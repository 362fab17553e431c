import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { asMessageId } from '#shared/lib/brand.ts'
import { aPlaceToWrite, field, RELEASE as cid, sentBy, showComposer } from '#kit/a-composer.tsx'
import { aMessage, byId } from '#kit/fake-bridge/index.ts'
import { quoteChosen } from '../../../store/composers/composers.ts'

// Typing by events is slow where several test runs share two cores.
vi.setConfig({ testTimeout: 20_000 })
beforeEach(() => localStorage.clear())
afterEach(cleanup)

test('text is saved as a draft within 300 ms, and immediately on leaving', async () => {
  const bridge = aPlaceToWrite()
  const { unmount } = await showComposer(bridge)
  await userEvent.type(field(), 'half a thou')
  unmount()
  expect(bridge.inputsOf('drafts.save').at(-1)).toMatchObject({ cid, text: 'half a thou', caret: 11 })
})

test('the selection is saved with the draft and restored', async () => {
  const bridge = aPlaceToWrite({ draft: { text: 'half a thought', caret: 5, selectedTo: 6 } })
  const { unmount } = await showComposer(bridge)
  expect(field().selectionStart).toBe(5)
  expect(field().selectionEnd).toBe(6)
  await userEvent.type(field(), 's')
  field().setSelectionRange(0, 4)
  fireEvent.select(field())
  unmount()
  expect(bridge.inputsOf('drafts.save').at(-1)).toMatchObject({ caret: 0, selectedTo: 4 })
})

test('a draft is restored with its caret and quote', async () => {
  const quoted = aMessage({ id: 'm1', cid, userId: 'hana', text: 'the banner wraps' })
  const draft = { text: 'half a thought', quotedId: asMessageId('m1'), caret: 4 }
  await showComposer(aPlaceToWrite({ draft, rows: { messages: byId([quoted]) } }))
  expect(field().value).toBe('half a thought')
  expect(field().selectionStart).toBe(4)
  expect(screen.getByText('Hana Mori')).toBeTruthy()
})

test('a draft that comes while something else has the focus offers nothing until its field is focused', async () => {
  const elsewhere = document.body.appendChild(document.createElement('input'))
  elsewhere.focus()
  await showComposer(aPlaceToWrite({ draft: { text: '@zak', caret: 4 } }))
  expect(document.activeElement).toBe(elsewhere)
  expect(screen.queryByRole('listbox')).toBeNull()
  elsewhere.remove()
  act(() => field().focus())
  expect(await screen.findByRole('listbox', { name: 'People in #release' })).toBeTruthy()
})

test('Up in an empty field edits the last own message, Escape restores the unsent text', async () => {
  const mine = aMessage({ id: 'm1', cid, userId: 'ola', text: 'first words' })
  const theirs = aMessage({ id: 'm2', cid, userId: 'hana', text: 'not mine' })
  const bridge = aPlaceToWrite({ rows: { messages: byId([mine, theirs]) } })
  await showComposer(bridge)
  await userEvent.type(field(), 'waiting')
  await userEvent.keyboard('{Control>}{ArrowUp}{/Control}')
  expect(field().value).toBe('first words')
  await userEvent.keyboard('{Escape}')
  expect(field().value).toBe('waiting')
})

test('Down at the end of an unchanged edit leaves it; a changed edit stays open', async () => {
  const mine = aMessage({ id: 'm1', cid, userId: 'ola', text: 'first words' })
  await showComposer(aPlaceToWrite({ rows: { messages: byId([mine]) } }))
  await userEvent.click(field())
  await userEvent.keyboard('{ArrowUp}{ArrowDown}')
  expect(field().value).toBe('')
  await userEvent.keyboard('{ArrowUp}!{ArrowDown}')
  expect(field().value).toBe('first words!')
})

test('with the setting that Up only moves the caret, Up starts no edit; Ctrl Up does', async () => {
  const mine = aMessage({ id: 'm1', cid, userId: 'ola', text: 'first words' })
  await showComposer(aPlaceToWrite({ settings: { upEdits: false }, rows: { messages: byId([mine]) } }))
  await userEvent.click(field())
  await userEvent.keyboard('{ArrowUp}')
  expect(field().value).toBe('')
  await userEvent.keyboard('{Control>}{ArrowUp}{/Control}')
  expect(field().value).toBe('first words')
})

test('an edit is saved on disk beside the unsent text until it is left', async () => {
  const mine = aMessage({ id: 'm1', cid, userId: 'ola', text: 'first words' })
  const bridge = aPlaceToWrite({ rows: { messages: byId([mine]) } })
  const { unmount } = await showComposer(bridge)
  await userEvent.type(field(), 'waiting')
  await userEvent.keyboard('{Control>}{ArrowUp}{/Control}')
  await userEvent.type(field(), ' and more')
  act(() => void window.dispatchEvent(new Event('blur')))
  const edit = { messageId: 'm1', text: 'first words and more', original: 'first words' }
  expect(bridge.inputsOf('drafts.save').at(-1)).toMatchObject({ text: 'waiting', edit })
  await userEvent.keyboard('{Escape}')
  unmount()
  expect(bridge.inputsOf('drafts.save').at(-1)).not.toMatchObject({ edit: expect.anything() })
})

test('Enter saves an edit and empties the composer', async () => {
  const mine = aMessage({ id: 'm1', cid, userId: 'ola', text: 'first words' })
  const bridge = aPlaceToWrite({ rows: { messages: byId([mine]) } })
  await showComposer(bridge)
  await userEvent.click(field())
  await userEvent.keyboard('{ArrowUp}, better{Enter}')
  expect(bridge.inputsOf('messages.edit')).toEqual([
    expect.objectContaining({ messageId: 'm1', text: 'first words, better' }),
  ])
  await waitFor(() => expect(field().value).toBe(''))
})

test('a quote is sent with the message, and removed with Escape', async () => {
  const bridge = aPlaceToWrite({
    rows: { messages: byId([aMessage({ id: 'm2', cid, userId: 'hana', text: 'shorter?' })]) },
  })
  const { store } = await showComposer(bridge)
  const quote = () => store.dispatch(quoteChosen({ key: cid, messageId: asMessageId('m2') }))
  quote()
  expect(await screen.findByRole('button', { name: 'Remove quote' })).toBeTruthy()
  await userEvent.keyboard('{Escape}')
  expect(screen.queryByRole('button', { name: 'Remove quote' })).toBeNull()
  quote()
  await userEvent.type(field(), 'yes{Enter}')
  expect(sentBy(bridge)[0]).toMatchObject({ text: 'yes', quotedId: 'm2' })
})

test('a quote is dropped when its message is deleted; the text stays', async () => {
  const quoted = aMessage({ id: 'm2', cid, userId: 'hana', text: 'shorter?' })
  const bridge = aPlaceToWrite({ rows: { messages: byId([quoted]) } })
  const { store } = await showComposer(bridge)
  store.dispatch(quoteChosen({ key: cid, messageId: asMessageId('m2') }))
  await userEvent.type(field(), 'yes')
  bridge.change({ messages: byId([{ ...quoted, type: 'deleted' as const, text: '' }]) })
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Remove quote' })).toBeNull())
  expect(field().value).toBe('yes')
})

/** The draft of this window lost against a newer one from another device. */
async function inConflict() {
  const bridge = aPlaceToWrite()
  await showComposer(bridge)
  await userEvent.type(field(), 'mine')
  const conflict = { text: 'mine', writtenAt: 1 }
  const draft = { key: cid, cid, text: 'newer', uploads: [], caret: 0, showInChannel: false, updatedAt: 2, conflict }
  await act(async () => bridge.change({ drafts: { [cid]: draft } }))
  return bridge
}

test('a newer draft from another device is offered and can be used', async () => {
  const bridge = await inConflict()
  expect(screen.getByText('Written in another window or on another device: newer')).toBeTruthy()
  expect(field().value).toBe('mine')
  await userEvent.click(screen.getByRole('button', { name: 'Use that text' }))
  expect(field().value).toBe('newer')
  expect(bridge.inputsOf('drafts.dismissConflict')).toEqual([{ key: cid }])
})

test('or the text typed here stays and is saved as the newest draft', async () => {
  const bridge = await inConflict()
  await userEvent.click(screen.getByRole('button', { name: 'Keep this text' }))
  expect(field().value).toBe('mine')
  expect(bridge.inputsOf('drafts.dismissConflict')).toEqual([{ key: cid }])
  expect(bridge.inputsOf('drafts.save').at(-1)).toMatchObject({ cid, text: 'mine' })
})

test('a draft sent in another window empties this one; typing then starts a new draft', async () => {
  const bridge = aPlaceToWrite({ draft: { text: 'hello', caret: 5 } })
  await showComposer(bridge)
  await userEvent.type(field(), '!')
  act(() => void window.dispatchEvent(new Event('blur')))
  await act(async () => {})
  await act(async () => bridge.change({}, [], { drafts: [cid] }))
  expect(field().value).toBe('')
  await userEvent.type(field(), 'next{Enter}')
  expect(sentBy(bridge).map(({ text }) => text)).toEqual(['next'])
})

test('a draft sent in another window leaves text typed here since', async () => {
  const bridge = aPlaceToWrite({ draft: { text: 'hello', caret: 5 } })
  await showComposer(bridge)
  fireEvent.change(field(), { target: { value: 'hello again' } })
  await act(async () => bridge.change({}, [], { drafts: [cid] }))
  expect(field().value).toBe('hello again')
})

test('after an edit is started and left, changes from other windows still show', async () => {
  const mine = aMessage({ id: 'm1', cid, userId: 'ola', text: 'first words' })
  const bridge = aPlaceToWrite({ draft: { text: 'hello', caret: 5 }, rows: { messages: byId([mine]) } })
  await showComposer(bridge)
  await userEvent.click(field())
  await userEvent.keyboard('{Control>}{ArrowUp}{/Control}{Escape}')
  await act(async () => bridge.change({}, [], { drafts: [cid] }))
  expect(field().value).toBe('')
})

test('a message another window sent a moment ago needs confirmation: it stays on cancel and is sent on confirm', async () => {
  const bridge = aPlaceToWrite()
  bridge.on('messages.send', ({ again }: { again?: boolean }) => {
    if (again !== true) throw Object.assign(new Error('asked'), { code: 'message/just-sent' })
    return asMessageId('new')
  })
  await showComposer(bridge)
  await userEvent.type(field(), 'hello{Enter}')
  expect(await screen.findByText('You just sent this from another window. Send it again?')).toBeTruthy()
  expect(screen.queryByRole('alert')).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }))
  expect(field().value).toBe('hello')
  await userEvent.type(field(), '{Enter}')
  await userEvent.click(await screen.findByRole('button', { name: 'Send again' }))
  expect(sentBy(bridge).at(-1)).toMatchObject({ text: 'hello', again: true })
  expect(field().value).toBe('')
})
