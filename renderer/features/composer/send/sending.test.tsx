import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { Profiler, type ProfilerOnRenderCallback } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { asMessageId } from '#shared/lib/brand.ts'
import { sidebarKey } from '#shared/rules/channels/sidebar.ts'
import { aPlaceToWrite, field, RELEASE as cid, sentBy, showComposer, write } from '#kit/a-composer.tsx'
import { aChannel, aMessage, aSession, aUser, byCid, byId, MEMBER_CAPABILITIES } from '#kit/fake-bridge/index.ts'
import { renderInApp } from '#kit/render-in-app.tsx'
import { Composer } from '../index.ts'

// Typing by events is slow where several test runs share two cores.
vi.setConfig({ testTimeout: 20_000 })
beforeEach(() => localStorage.clear())
afterEach(cleanup)

test('Enter sends the text, empties the field and leaves the focus in it', async () => {
  const bridge = aPlaceToWrite()
  await showComposer(bridge)
  await userEvent.type(field(), 'Two lines is fine{Enter}')
  expect(sentBy(bridge)).toEqual([expect.objectContaining({ cid, text: 'Two lines is fine', mentionedUserIds: [] })])
  expect(field().value).toBe('')
  expect(document.activeElement).toBe(field())
})

test('a person who comes online or goes draws nothing of the composer again, one with another name does', async () => {
  const bridge = aPlaceToWrite()
  const drawn = vi.fn<ProfilerOnRenderCallback>()
  await renderInApp(
    <Profiler id="composer" onRender={drawn}>
      <Composer cid={cid} />
    </Profiler>,
    bridge,
  )
  bridge.change({}, Object.values(bridge.world.windows))
  await userEvent.type(field(), 'Hello @Hana Mori, ')
  const hana = (over: Parameters<typeof aUser>[0]) =>
    act(async () => bridge.change({ users: byId([aUser({ id: 'hana', name: 'Hana Mori', ...over })]) }))
  await hana({})
  drawn.mockClear()
  await hana({ online: false })
  await hana({ online: true })
  expect(drawn).not.toHaveBeenCalled()
  await hana({ name: 'Hanako' })
  expect(drawn).toHaveBeenCalled()
})

test('Shift Enter inserts a line break, and a blank message is not sent', async () => {
  const bridge = aPlaceToWrite()
  await showComposer(bridge)
  await userEvent.type(field(), '   {Enter}')
  await userEvent.clear(field())
  await userEvent.type(field(), 'one{Shift>}{Enter}{/Shift}two')
  expect(field().value).toBe('one\ntwo')
  expect(sentBy(bridge)).toEqual([])
})

test('punctuation alone cannot be sent, and the status line says so', async () => {
  const bridge = aPlaceToWrite()
  await showComposer(bridge)
  write('**')
  await userEvent.keyboard('{Enter}')
  expect(sentBy(bridge)).toEqual([])
  expect(field().value).toBe('**')
  expect(screen.getByText('Add some text. A message can’t contain only these characters.')).toBeTruthy()
})

test('a field with many lines can be expanded', async () => {
  await showComposer(aPlaceToWrite())
  expect(screen.queryByRole('button', { name: 'Expand message field' })).toBeNull()
  write('line\n'.repeat(9))
  await userEvent.click(screen.getByRole('button', { name: 'Expand message field' }))
  expect(document.activeElement).toBe(field())
  const button = screen.getByRole('button', { name: 'Expand message field', pressed: true })
  await userEvent.click(button)
  expect(button.getAttribute('aria-pressed')).toBe('false')
})

test('with the setting swapped Enter inserts a line break and Ctrl Enter sends', async () => {
  const bridge = aPlaceToWrite({ settings: { enterSends: false } })
  await showComposer(bridge)
  await userEvent.type(field(), 'one{Enter}two{Control>}{Enter}{/Control}')
  expect(sentBy(bridge).map(({ text }) => text)).toEqual(['one\ntwo'])
})

test('Enter that ends an input method composition does not send', async () => {
  const bridge = aPlaceToWrite()
  await showComposer(bridge)
  await userEvent.type(field(), 'かな')
  fireEvent.keyDown(field(), { key: 'Enter', isComposing: true })
  expect(sentBy(bridge)).toEqual([])
})

test('a refused message returns to the field with the reason', async () => {
  const bridge = aPlaceToWrite()
  bridge.on('messages.send', () => {
    throw Object.assign(new Error('full'), { code: 'disk/full' })
  })
  await showComposer(bridge)
  await userEvent.type(field(), 'precious words{Enter}')
  await waitFor(() => expect(field().value).toBe('precious words'))
  expect(screen.getByText(/^Not sent\./)).toBeTruthy()
})

test('a message over the limit is not sent and the status line says by how much', async () => {
  const bridge = aPlaceToWrite({ maxLength: 10 })
  await showComposer(bridge)
  await userEvent.type(field(), 'twelve signs{Enter}')
  expect(sentBy(bridge)).toEqual([])
  expect(screen.getByText('The message is too long by 2 characters')).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Send' }).getAttribute('aria-disabled')).toBe('true')
})

test('offline the button says that the message is saved to the outbox, and it is', async () => {
  const bridge = aPlaceToWrite({ offline: true })
  await showComposer(bridge)
  await userEvent.type(field(), 'later')
  expect(screen.getByText('You’re offline. Messages you send will wait in the outbox.')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Send. Will be saved to the outbox' }))
  expect(sentBy(bridge)[0]).toMatchObject({ text: 'later', whenReady: true })
})

test('a frozen channel shows a sentence in place of the field', async () => {
  await showComposer(aPlaceToWrite({ channel: { frozen: true } }))
  expect(screen.getByText('This channel is frozen. You can read messages but not send them.')).toBeTruthy()
  expect(screen.queryByRole('textbox')).toBeNull()
})

test('text typed before the channel was frozen stays readable', async () => {
  const bridge = aPlaceToWrite()
  await showComposer(bridge)
  write('half a thought')
  await act(async () => bridge.change({ channels: byCid([aChannel({ cid, name: 'release', frozen: true })]) }))
  const unsent = screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Your unsent text is saved' })
  expect(unsent.value).toBe('half a thought')
  expect(unsent.readOnly).toBe(true)
})

test('without the right to send a sentence names the channel', async () => {
  const capabilities = MEMBER_CAPABILITIES.filter((name) => name !== 'send-message')
  await showComposer(aPlaceToWrite({ channel: { name: 'announcements', capabilities } }))
  expect(screen.getByText('Only moderators can send messages in #announcements.')).toBeTruthy()
})

test('a guest sees that they can only read, and can sign in there', async () => {
  const workspace = { kind: 'hosted', name: 'chat.example', demo: false, url: 'https://chat.example' } as const
  const session = { self: { ...aSession(), workspace, guest: true as const } }
  await showComposer(aPlaceToWrite({ rows: { session } }))
  expect(screen.getByText('You’re here as a guest, so you can read but not send messages.')).toBeTruthy()
  expect(screen.queryByRole('textbox')).toBeNull()
  expect(screen.getByRole('button', { name: 'Sign in' })).toBeTruthy()
})

test('slow mode counts down and the text stays', async () => {
  const mine = aMessage({ id: 'm2', cid, userId: 'ola', text: 'just now', createdAt: Date.now() })
  const bridge = aPlaceToWrite({ rows: { messages: byId([mine]) }, channel: { cooldown: 300 } })
  await showComposer(bridge)
  await userEvent.type(field(), 'one more thing{Enter}')
  expect(sentBy(bridge)).toEqual([])
  expect(screen.getByText(/^Slow mode is on\. You can send again in \d+ seconds\.$/)).toBeTruthy()
  expect(field().value).toBe('one more thing')
})

test('typing is published once while keys are pressed, and stopped on sending', async () => {
  const bridge = aPlaceToWrite()
  await showComposer(bridge)
  // In one turn, so that on a slow machine the idle second cannot pass in between.
  fireEvent.change(field(), { target: { value: 'hel' } })
  fireEvent.change(field(), { target: { value: 'hello' } })
  fireEvent.keyDown(field(), { key: 'Enter' })
  expect(bridge.inputsOf('channels.typing')).toEqual([
    { cid, typing: true },
    { cid, typing: false },
  ])
})

test.each([
  ['at all', { publishTyping: false }],
  ['in this channel', { quietTyping: { [sidebarKey(aSession())]: [cid] } }],
])('typing is not published when turned off %s', async (_where, settings) => {
  const bridge = aPlaceToWrite({ settings })
  await showComposer(bridge)
  await userEvent.type(field(), 'hello{Enter}')
  expect(bridge.inputsOf('channels.typing')).toEqual([])
})

test('a reply in a thread can also be sent to the channel', async () => {
  const bridge = aPlaceToWrite()
  await showComposer(bridge, { parentId: asMessageId('p1') })
  await userEvent.click(screen.getByRole('checkbox', { name: 'Also send to #release' }))
  await userEvent.type(screen.getByRole('textbox', { name: 'Reply…' }), 'yes{Enter}')
  expect(sentBy(bridge)[0]).toMatchObject({ parentId: 'p1', showInChannel: true })
  expect(document.querySelector('[data-composer]')?.getAttribute('data-composer')).toBe(`${cid}/p1`)
})

test.each([
  ['pl', 'Napisz na #release'],
  ['ru', 'Написать в\u00A0#release'],
] as const)('in %s the field is labeled "%s"', async (language, name) => {
  await showComposer(aPlaceToWrite(), { language })
  expect(screen.getByRole('textbox', { name })).toBeTruthy()
})
