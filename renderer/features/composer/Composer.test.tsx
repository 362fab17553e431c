import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { asCid, asMessageId, asUserId } from '#shared/lib/brand.ts'
import type { Draft } from '#shared/domain/draft.ts'
import type { Upload } from '#shared/domain/attachment.ts'
import {
  aChannel,
  aConfig,
  aConnection,
  aMessage,
  aSession,
  aUser,
  aWindow,
  byCid,
  byId,
  createFakeBridge,
  MEMBER_CAPABILITIES,
  someSettings,
  type FakeBridge,
  type Rows,
} from '#kit/fake-bridge/index.ts'
import { renderInApp } from '#kit/render-in-app.tsx'
import { sidebarKey } from '#shared/rules/sidebar.ts'
import { leaveFiles } from '../../lib/dropped-files.ts'
import { quoteChosen } from '../../store/composers.ts'
import { Composer } from './index.ts'

const cid = asCid('messaging:release')
const people = [
  aUser({ id: 'ola', name: 'Ola Wiśniewska' }),
  aUser({ id: 'lukasz', name: 'Łukasz Żak' }),
  aUser({ id: 'hana', name: 'Hana Mori' }),
]

function aPlace(over: Rows = {}, channel = aChannel({ cid, name: 'release' })): FakeBridge {
  const bridge = createFakeBridge({
    rows: {
      users: byId(people),
      channels: byCid([channel]),
      session: { self: aSession({ userId: 'ola' }) },
      connection: { self: aConnection() },
      settings: { self: someSettings() },
      ...over,
    },
    windows: [aWindow(`timeline:${cid}`, ['m1', 'm2'])],
  })
  bridge.on('messages.send', () => asMessageId('new'))
  bridge.on('channels.members', () => [asUserId('ola'), asUserId('lukasz')])
  return bridge
}

async function show(bridge: FakeBridge) {
  const rendered = await renderInApp(<Composer cid={cid} />, bridge)
  bridge.change({}, Object.values(bridge.world.windows))
  await act(async () => {})
  return rendered
}
const field = (): HTMLTextAreaElement => screen.getByRole('textbox', { name: 'Message #release' })
const sent = (bridge: FakeBridge) => bridge.inputsOf('messages.send') as { text: string; [key: string]: unknown }[]

// Typing by events is slow where several test runs share two cores.
vi.setConfig({ testTimeout: 20_000 })
beforeEach(() => {
  localStorage.clear()
  leaveFiles(`${sidebarKey(aSession({ userId: 'ola' }))} ${cid}`, [])
})
afterEach(cleanup)

test('Enter sends the text, empties the field and keeps the focus there', async () => {
  const bridge = aPlace()
  await show(bridge)
  await userEvent.type(field(), 'Two lines is fine{Enter}')
  expect(sent(bridge)).toEqual([expect.objectContaining({ cid, text: 'Two lines is fine', mentionedUserIds: [] })])
  expect(field().value).toBe('')
  expect(document.activeElement).toBe(field())
})

test('Shift Enter makes a line and a blank message is not sent', async () => {
  const bridge = aPlace()
  await show(bridge)
  await userEvent.type(field(), '   {Enter}')
  await userEvent.clear(field())
  await userEvent.type(field(), 'one{Shift>}{Enter}{/Shift}two')
  expect(field().value).toBe('one\ntwo')
  expect(sent(bridge)).toEqual([])
})

test('with the setting swapped Enter makes a line and Ctrl Enter sends', async () => {
  const bridge = aPlace({ settings: { self: someSettings({ enterSends: false }) } })
  await show(bridge)
  await userEvent.type(field(), 'one{Enter}two{Control>}{Enter}{/Control}')
  expect(sent(bridge).map(({ text }) => text)).toEqual(['one\ntwo'])
})

test('Enter that ends a composition of an input method does not send', async () => {
  const bridge = aPlace()
  await show(bridge)
  await userEvent.type(field(), 'かな')
  fireEvent.keyDown(field(), { key: 'Enter', isComposing: true })
  expect(sent(bridge)).toEqual([])
})

test('a refused message comes back with the reason', async () => {
  const bridge = aPlace()
  bridge.on('messages.send', () => {
    throw Object.assign(new Error('full'), { code: 'disk/full' })
  })
  await show(bridge)
  await userEvent.type(field(), 'precious words{Enter}')
  await waitFor(() => expect(field().value).toBe('precious words'))
  expect(screen.getByText(/^Not sent\./)).toBeTruthy()
})

test('what is typed is kept as a draft within 300 ms, and at once on leaving', async () => {
  const bridge = aPlace()
  const { unmount } = await show(bridge)
  await userEvent.type(field(), 'half a thou')
  unmount()
  expect(bridge.inputsOf('drafts.save').at(-1)).toMatchObject({ cid, text: 'half a thou', caret: 11 })
})

test('a draft is restored with its caret and quote', async () => {
  const draft: Draft = {
    key: cid,
    cid,
    text: 'half a thought',
    quotedId: asMessageId('m1'),
    uploads: [],
    caret: 4,
    showInChannel: false,
    updatedAt: 1,
  }
  const quoted = aMessage({ id: 'm1', cid, userId: 'hana', text: 'the banner wraps' })
  await show(aPlace({ drafts: { [cid]: draft }, messages: byId([quoted]) }))
  expect([field().value, field().selectionStart]).toEqual(['half a thought', 4])
  expect(screen.getByText('Hana Mori')).toBeTruthy()
})

test('Up in an empty field edits the last own message, Escape brings back what waited', async () => {
  const mine = aMessage({ id: 'm1', cid, userId: 'ola', text: 'first words' })
  const theirs = aMessage({ id: 'm2', cid, userId: 'hana', text: 'not mine' })
  const bridge = aPlace({ messages: byId([mine, theirs]) })
  await show(bridge)
  await userEvent.type(field(), 'waiting')
  await userEvent.keyboard('{Control>}{ArrowUp}{/Control}')
  expect(field().value).toBe('first words')
  await userEvent.keyboard('{Escape}')
  expect(field().value).toBe('waiting')
})

test('an edit is kept on disk beside what waits, until it is left', async () => {
  const mine = aMessage({ id: 'm1', cid, userId: 'ola', text: 'first words' })
  const bridge = aPlace({ messages: byId([mine]) })
  const { unmount } = await show(bridge)
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
  const bridge = aPlace({ messages: byId([mine]) })
  await show(bridge)
  await userEvent.click(field())
  await userEvent.keyboard('{ArrowUp}, better{Enter}')
  expect(bridge.inputsOf('messages.edit')).toEqual([
    expect.objectContaining({ messageId: 'm1', text: 'first words, better' }),
  ])
  await waitFor(() => expect(field().value).toBe(''))
})

test('a quote goes with the message, and away with Escape', async () => {
  const bridge = aPlace({ messages: byId([aMessage({ id: 'm2', cid, userId: 'hana', text: 'shorter?' })]) })
  const { store } = await show(bridge)
  const quote = () => store.dispatch(quoteChosen({ key: cid, messageId: asMessageId('m2') }))
  quote()
  expect(await screen.findByRole('button', { name: 'Remove the quote' })).toBeTruthy()
  await userEvent.keyboard('{Escape}')
  expect(screen.queryByRole('button', { name: 'Remove the quote' })).toBeNull()
  quote()
  await userEvent.type(field(), 'yes{Enter}')
  expect(sent(bridge)[0]).toMatchObject({ text: 'yes', quotedId: 'm2' })
})

test('a quoted message that is deleted is dropped, the text stays', async () => {
  const quoted = aMessage({ id: 'm2', cid, userId: 'hana', text: 'shorter?' })
  const bridge = aPlace({ messages: byId([quoted]) })
  const { store } = await show(bridge)
  store.dispatch(quoteChosen({ key: cid, messageId: asMessageId('m2') }))
  await userEvent.type(field(), 'yes')
  bridge.change({ messages: byId([{ ...quoted, type: 'deleted' as const, text: '' }]) })
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Remove the quote' })).toBeNull())
  expect(field().value).toBe('yes')
})

test('people are offered after @ and a letter, folded, and the mention travels while its text stands', async () => {
  const bridge = aPlace()
  await show(bridge)
  await userEvent.type(field(), 'ask @zak')
  const list = await screen.findByRole('listbox', { name: 'People in #release' })
  expect(within(list).getByRole('option', { selected: true }).textContent).toContain('Łukasz Żak')
  expect(field().getAttribute('aria-activedescendant')).toBe(within(list).getByRole('option').id)
  await userEvent.keyboard('{Enter}')
  expect(field().value).toBe('ask @Łukasz Żak ')
  await userEvent.keyboard('{Enter}')
  expect(sent(bridge)[0]).toMatchObject({ text: 'ask @Łukasz Żak', mentionedUserIds: ['lukasz'] })
})

test('a mention whose text was changed does not travel', async () => {
  const bridge = aPlace()
  await show(bridge)
  await userEvent.type(field(), '@Łukasz Ża{Escape}{Enter}')
  expect(sent(bridge)[0]).toMatchObject({ mentionedUserIds: [] })
})

test('Escape closes the list and leaves the text', async () => {
  await show(aPlace())
  await userEvent.type(field(), '@zak')
  await screen.findByRole('listbox')
  await userEvent.keyboard('{Escape}')
  expect([screen.queryByRole('listbox'), field().value]).toEqual([null, '@zak'])
})

test('people outside the channel are listed last and say so', async () => {
  await show(aPlace())
  await userEvent.type(field(), '@ha')
  expect((await screen.findByRole('option')).textContent).toContain('not in this channel')
})

test('emoji are offered after a colon and two letters', async () => {
  await show(aPlace())
  await userEvent.type(field(), 'nice :tad')
  await screen.findByRole('listbox', { name: 'Emoji' }, { timeout: 3_000 })
  await userEvent.keyboard('{Tab}')
  expect(field().value).toBe('nice 🎉 ')
})

test('shortcuts wrap the selection, and the same again unwraps it', async () => {
  await show(aPlace())
  await userEvent.type(field(), 'two lines')
  field().setSelectionRange(0, 3)
  await userEvent.keyboard('{Control>}b{/Control}')
  expect(field().value).toBe('**two** lines')
  await userEvent.keyboard('{Control>}b{/Control}')
  expect(field().value).toBe('two lines')
})

test('the formatting row is behind Aa and names its buttons', async () => {
  await show(aPlace())
  await userEvent.type(field(), 'word')
  field().setSelectionRange(0, 4)
  await userEvent.click(screen.getByRole('button', { name: 'Formatting' }))
  await userEvent.click(
    within(screen.getByRole('toolbar', { name: 'Formatting' })).getByRole('button', { name: 'Italic' }),
  )
  expect(field().value).toBe('_word_')
})

test('over the limit nothing is sent and the line says by how much', async () => {
  const bridge = aPlace({}, aChannel({ cid, name: 'release', config: aConfig({ maxMessageLength: 10 }) }))
  await show(bridge)
  await userEvent.type(field(), 'twelve signs{Enter}')
  expect(sent(bridge)).toEqual([])
  expect(screen.getByText('The message is too long by 2 characters')).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Send' }).getAttribute('aria-disabled')).toBe('true')
})

test('offline the button says that it goes to the outbox, and it does', async () => {
  const bridge = aPlace({ connection: { self: aConnection({ state: 'unhealthy', offline: true }) } })
  await show(bridge)
  await userEvent.type(field(), 'later')
  expect(screen.getByText('You are offline. Messages wait in the outbox.')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Send. Goes to the outbox' }))
  expect(sent(bridge)[0]).toMatchObject({ text: 'later', whenReady: true })
})

test('a frozen channel shows a sentence in place of the field', async () => {
  await show(aPlace({}, aChannel({ cid, name: 'release', frozen: true })))
  expect(screen.getByText('This channel is frozen. You can read, but not write.')).toBeTruthy()
  expect(screen.queryByRole('textbox')).toBeNull()
})

test('without the right to send the sentence names the channel', async () => {
  const capabilities = MEMBER_CAPABILITIES.filter((name) => name !== 'send-message')
  await show(aPlace({}, aChannel({ cid, name: 'announcements', capabilities })))
  expect(screen.getByText('Only moderators write in #announcements.')).toBeTruthy()
})

test('slow mode counts down and keeps the text', async () => {
  const mine = aMessage({ id: 'm2', cid, userId: 'ola', text: 'just now', createdAt: Date.now() })
  const bridge = aPlace({ messages: byId([mine]) }, aChannel({ cid, name: 'release', cooldown: 300 }))
  await show(bridge)
  await userEvent.type(field(), 'one more thing{Enter}')
  expect(sent(bridge)).toEqual([])
  expect(screen.getByText(/^Slow mode is on\. You can send again in \d+ seconds\.$/)).toBeTruthy()
  expect(field().value).toBe('one more thing')
})

test('typing is told once while keys are pressed, and stopped on sending', async () => {
  const bridge = aPlace()
  await show(bridge)
  // In one turn, so that a slow machine cannot let the second of silence pass in between.
  fireEvent.change(field(), { target: { value: 'hel' } })
  fireEvent.change(field(), { target: { value: 'hello' } })
  fireEvent.keyDown(field(), { key: 'Enter' })
  expect(bridge.inputsOf('channels.typing')).toEqual([
    { cid, typing: true },
    { cid, typing: false },
  ])
})

test('typing is not told when the person does not want it', async () => {
  const bridge = aPlace({ settings: { self: someSettings({ publishTyping: false }) } })
  await show(bridge)
  await userEvent.type(field(), 'hello{Enter}')
  expect(bridge.inputsOf('channels.typing')).toEqual([])
})

const anUpload = (over: Partial<Upload> = {}): Upload => ({
  id: 'u1',
  name: 'walk.jpg',
  sizeBytes: 8_400_000,
  mimeType: 'image/jpeg',
  kind: 'image',
  state: 'pending',
  progress: 0,
  ...over,
})

function withUploads(bridge: FakeBridge): void {
  let made = 0
  bridge.on('uploads.begin', ({ name, sizeBytes, mimeType }: Upload) => {
    made += 1
    const upload = anUpload({ id: `u${made}`, name, sizeBytes, mimeType, kind: 'file' })
    bridge.change({ uploads: { [upload.id]: upload } })
    return upload
  })
  bridge.on('uploads.finish', ({ id }: { id: string }) => bridge.world.rows.uploads?.[id])
}

const attach = (files: readonly File[]) =>
  userEvent.upload(document.querySelector<HTMLInputElement>('[data-file-field]') as HTMLInputElement, [...files])

test('an attached file is announced, streamed in pieces and shown as a tile', async () => {
  const bridge = aPlace()
  withUploads(bridge)
  await show(bridge)
  await attach([new File([new Uint8Array(600 * 1024)], 'track.gpx', { type: 'application/gpx+xml' })])
  expect(await screen.findByRole('listitem', { name: 'track.gpx, Waiting' })).toBeTruthy()
  await waitFor(() => expect(bridge.inputsOf('uploads.finish')).toEqual([{ id: 'u1' }]))
  expect(bridge.inputsOf('uploads.chunk')).toHaveLength(2)
})

test('while files upload Enter warns, and "Send when ready" hands the message over', async () => {
  const bridge = aPlace()
  withUploads(bridge)
  const { store } = await show(bridge)
  await attach([new File(['x'], 'a.txt', { type: 'text/plain' })])
  await screen.findByRole('listitem', { name: 'a.txt, Waiting' })
  await userEvent.type(field(), 'see this{Enter}')
  expect(sent(bridge)).toEqual([])
  expect(store.getState().notices.local.map(({ type }) => type)).toEqual(['validation:attachment:upload:in-progress'])
  expect(screen.getByText(/Wait until all attachments have uploaded/)).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Send when ready' }))
  expect(sent(bridge)[0]).toMatchObject({ text: 'see this', uploadIds: ['u1'], whenReady: true })
})

test('every state of a file is a tile in words, with what can be done about it', async () => {
  const uploads = [
    anUpload({ id: 'a', name: 'a.jpg', state: 'uploading', progress: 0.64 }),
    anUpload({ id: 'b', name: 'b.jpg', state: 'finished' }),
    anUpload({ id: 'c', name: 'c.jpg', state: 'failed' }),
    anUpload({ id: 'd', name: 'd.exe', state: 'blocked', reason: 'blocked_file_extensions', listed: ['.exe'] }),
  ]
  const draft: Draft = { key: cid, cid, text: '', uploads, caret: 0, showInChannel: false, updatedAt: 1 }
  const bridge = aPlace({ drafts: { [cid]: draft }, uploads: byId(uploads) })
  await show(bridge)
  expect(screen.getAllByRole('listitem').map((tile) => tile.getAttribute('aria-label'))).toEqual([
    'a.jpg, 8.4 MB, 64%',
    'b.jpg, 8.4 MB',
    'c.jpg, Upload failed.',
    'd.exe, .exe is not allowed here',
  ])
  expect(screen.getByRole('progressbar', { name: 'a.jpg' }).getAttribute('value')).toBe('64')
  await userEvent.click(screen.getByRole('button', { name: 'Try again: c.jpg' }))
  await userEvent.click(screen.getByRole('button', { name: 'Remove d.exe' }))
  expect([bridge.inputsOf('uploads.retry'), bridge.inputsOf('uploads.cancel')]).toEqual([[{ id: 'c' }], [{ id: 'd' }]])
})

test('a message takes ten files, the eleventh is named as left out', async () => {
  const bridge = aPlace()
  withUploads(bridge)
  await show(bridge)
  await attach(Array.from({ length: 11 }, (_, i) => new File(['x'], `f${i}.txt`, { type: 'text/plain' })))
  expect(await screen.findByText('1 file was left out. A message takes up to 10.')).toBeTruthy()
  await waitFor(() => expect(screen.getAllByRole('listitem')).toHaveLength(10))
})

test('files pasted become tiles, pasted web content becomes its plain text', async () => {
  const bridge = aPlace()
  withUploads(bridge)
  await show(bridge)
  const picture = new File(['x'], 'image.png', { type: 'image/png' })
  const paste = (types: string[], text: string) =>
    fireEvent.paste(field(), { clipboardData: { types, files: [picture], getData: () => text } })
  paste(['text/plain', 'text/html', 'Files'], 'words')
  expect(bridge.inputsOf('uploads.begin')).toEqual([])
  paste(['Files'], '')
  await waitFor(() => expect(bridge.inputsOf('uploads.begin')).toHaveLength(1))
})

test('in a thread the reply may also go to the channel', async () => {
  const bridge = aPlace()
  await renderInApp(<Composer cid={cid} parentId={asMessageId('p1')} />, bridge)
  await userEvent.click(screen.getByRole('checkbox', { name: 'Also send to #release' }))
  await userEvent.type(screen.getByRole('textbox', { name: 'Reply…' }), 'yes{Enter}')
  expect(sent(bridge)[0]).toMatchObject({ parentId: 'p1', showInChannel: true })
  expect(document.querySelector('[data-composer]')?.getAttribute('data-composer')).toBe(`${cid}/p1`)
})

test.each([
  ['pl', 'Napisz na #release'],
  ['ru', 'Написать в #release'],
] as const)('in %s the field is named "%s"', async (language, name) => {
  await renderInApp(<Composer cid={cid} />, aPlace(), language)
  expect(screen.getByRole('textbox', { name })).toBeTruthy()
})
