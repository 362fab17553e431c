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

test('what is typed is kept as a draft within 300 ms, and at once on leaving', async () => {
  const bridge = aPlaceToWrite()
  const { unmount } = await showComposer(bridge)
  await userEvent.type(field(), 'half a thou')
  unmount()
  expect(bridge.inputsOf('drafts.save').at(-1)).toMatchObject({ cid, text: 'half a thou', caret: 11 })
})

test('what is selected is kept with the draft, and selected again', async () => {
  const bridge = aPlaceToWrite({ draft: { text: 'half a thought', caret: 5, selectedTo: 6 } })
  const { unmount } = await showComposer(bridge)
  expect([field().selectionStart, field().selectionEnd]).toEqual([5, 6])
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
  expect([field().value, field().selectionStart]).toEqual(['half a thought', 4])
  expect(screen.getByText('Hana Mori')).toBeTruthy()
})

test('Up in an empty field edits the last own message, Escape brings back what waited', async () => {
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

test('Down at the end of an edit that changed nothing leaves it; one that changed something stays', async () => {
  const mine = aMessage({ id: 'm1', cid, userId: 'ola', text: 'first words' })
  await showComposer(aPlaceToWrite({ rows: { messages: byId([mine]) } }))
  await userEvent.click(field())
  await userEvent.keyboard('{ArrowUp}{ArrowDown}')
  expect(field().value).toBe('')
  await userEvent.keyboard('{ArrowUp}!{ArrowDown}')
  expect(field().value).toBe('first words!')
})

test('where Up is to move the caret only, it edits nothing; with Ctrl it does', async () => {
  const mine = aMessage({ id: 'm1', cid, userId: 'ola', text: 'first words' })
  await showComposer(aPlaceToWrite({ settings: { upEdits: false }, rows: { messages: byId([mine]) } }))
  await userEvent.click(field())
  await userEvent.keyboard('{ArrowUp}')
  expect(field().value).toBe('')
  await userEvent.keyboard('{Control>}{ArrowUp}{/Control}')
  expect(field().value).toBe('first words')
})

test('an edit is kept on disk beside what waits, until it is left', async () => {
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
  expect(bridge.inputsOf('drafts.save').at(-1)).not.toHaveProperty('edit')
})

test('an edit is saved with Enter and the composer is free again', async () => {
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

test('a quote goes with the message, and away with Escape', async () => {
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

test('a quoted message that is deleted is dropped, the text stays', async () => {
  const quoted = aMessage({ id: 'm2', cid, userId: 'hana', text: 'shorter?' })
  const bridge = aPlaceToWrite({ rows: { messages: byId([quoted]) } })
  const { store } = await showComposer(bridge)
  store.dispatch(quoteChosen({ key: cid, messageId: asMessageId('m2') }))
  await userEvent.type(field(), 'yes')
  bridge.change({ messages: byId([{ ...quoted, type: 'deleted' as const, text: '' }]) })
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Remove quote' })).toBeNull())
  expect(field().value).toBe('yes')
})

/** Words of this computer lost against newer ones from another. */
async function inConflict() {
  const bridge = aPlaceToWrite()
  await showComposer(bridge)
  await userEvent.type(field(), 'mine')
  const conflict = { text: 'mine', writtenAt: 1 }
  const draft = { key: cid, cid, text: 'newer', uploads: [], caret: 0, showInChannel: false, updatedAt: 2, conflict }
  await act(async () => bridge.change({ drafts: { [cid]: draft } }))
  return bridge
}

test('a newer draft of another computer is offered, and used when wanted', async () => {
  const bridge = await inConflict()
  expect(screen.getByText('Newer text from another device: newer')).toBeTruthy()
  expect(field().value).toBe('mine')
  await userEvent.click(screen.getByRole('button', { name: 'Use that text' }))
  expect([field().value, bridge.inputsOf('drafts.dismissConflict')]).toEqual(['newer', [{ key: cid }]])
})

test('or the own words are kept, and saved as the newest', async () => {
  const bridge = await inConflict()
  await userEvent.click(screen.getByRole('button', { name: 'Keep this one' }))
  expect([field().value, bridge.inputsOf('drafts.dismissConflict')]).toEqual(['mine', [{ key: cid }]])
  expect(bridge.inputsOf('drafts.save').at(-1)).toMatchObject({ cid, text: 'mine' })
})

test('a draft that was sent in another window empties this one, and its next keys begin another', async () => {
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

test('a draft that was sent in another window leaves what was typed here since', async () => {
  const bridge = aPlaceToWrite({ draft: { text: 'hello', caret: 5 } })
  await showComposer(bridge)
  fireEvent.change(field(), { target: { value: 'hello again' } })
  await act(async () => bridge.change({}, [], { drafts: [cid] }))
  expect(field().value).toBe('hello again')
})

test('an edit that was begun and left again hides nothing that another window does', async () => {
  const mine = aMessage({ id: 'm1', cid, userId: 'ola', text: 'first words' })
  const bridge = aPlaceToWrite({ draft: { text: 'hello', caret: 5 }, rows: { messages: byId([mine]) } })
  await showComposer(bridge)
  await userEvent.click(field())
  await userEvent.keyboard('{Control>}{ArrowUp}{/Control}{Escape}')
  await act(async () => bridge.change({}, [], { drafts: [cid] }))
  expect(field().value).toBe('')
})

test('what another window sent a moment ago is asked about, stays when it is not meant, and goes when it is', async () => {
  const bridge = aPlaceToWrite()
  bridge.on('messages.send', ({ again }: { again?: boolean }) => {
    if (again !== true) throw Object.assign(new Error('asked'), { code: 'message/just-sent' })
    return asMessageId('new')
  })
  await showComposer(bridge)
  await userEvent.type(field(), 'hello{Enter}')
  expect(await screen.findByText('You just sent this from another window. Send it again?')).toBeTruthy()
  expect(screen.queryByRole('alert')).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: 'Don’t send' }))
  expect(field().value).toBe('hello')
  await userEvent.type(field(), '{Enter}')
  await userEvent.click(await screen.findByRole('button', { name: 'Send again' }))
  expect(sentBy(bridge).at(-1)).toMatchObject({ text: 'hello', again: true })
  expect(field().value).toBe('')
})
