import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { asCid, asMessageId } from '#shared/lib/brand.ts'
import {
  aChannel,
  aConfig,
  aMessage,
  aSession,
  aUser,
  byCid,
  byId,
  createFakeBridge,
  someSettings,
} from '#kit/fake-bridge/index.ts'
import { renderInApp } from '#kit/render-in-app.tsx'
import { editBegun, quoteChosen } from '../../../store/composers/composers.ts'
import { dialogClosed } from '../../../store/window/ui.ts'
import { Composer } from '../index.ts'

const cid = asCid('messaging:release')
const commands = [
  { name: 'ban', args: '[@username] [text]', description: 'Ban a user' },
  { name: 'mute', args: '[@username]', description: 'Mute a user' },
  { name: 'topic', args: '', description: 'Says what this is about' },
  { name: 'zip', args: '', description: 'Start a deployment', program: 'Deploy bot' },
]

vi.setConfig({ testTimeout: 20_000 })
beforeEach(() => localStorage.clear())
afterEach(cleanup)

async function show(messages = [aMessage({ id: 'm1', cid, text: 'old words' })]) {
  const own = ['send-message', 'update-own-message', 'quote-message', 'send-poll']
  const capabilities = [...own, 'update-channel-members', 'leave-channel']
  const channel = aChannel({ cid, name: 'release', capabilities, config: aConfig({ commands }) })
  const bridge = createFakeBridge({
    rows: {
      channels: byCid([channel]),
      users: byId([aUser({ id: 'bob', name: 'Bob Łoś' })]),
      messages: byId(messages),
      session: { self: aSession() },
      settings: { self: someSettings({ snippets: [{ name: 'greet', text: 'Hello {name} {x}' }] }) },
    },
  })
  bridge.on('messages.send', () => asMessageId('new'))
  const { store } = await renderInApp(<Composer cid={cid} />, bridge)
  const field = screen.getByRole<HTMLTextAreaElement>('textbox')
  await userEvent.click(field)
  return { bridge, store, field }
}

const options = async () =>
  (await within(await screen.findByRole('listbox', { name: 'Commands' })).findAllByRole('option')).map(
    ({ textContent }) => textContent,
  )
const sent = (bridge: ReturnType<typeof createFakeBridge>) => bridge.inputsOf('messages.send')

test('a slash lists the commands with arguments and translated descriptions, and says which are not available', async () => {
  const { field } = await show()
  await userEvent.type(field, '/ba')
  expect(await options()).toEqual(['/ban [@username] [text]Only moderators can use this command here'])
  await userEvent.keyboard('{Enter}')
  expect(field.value).toBe('/ba')
  await userEvent.type(field, '{Backspace}{Backspace}mu')
  expect(await options()).toEqual(['/mute [@username]Mute a person, for yourself only'])
  await userEvent.keyboard('{Enter}')
  expect(field.value).toBe('/mute ')
})

test('a slash offers what people expect, by use, beside the commands of the channel; banning is never offered first', async () => {
  const { field } = await show()
  await userEvent.type(field, '/')
  const first = await options()
  expect(first.map((option) => option?.match(/^\/[a-z]+/)?.[0])).toEqual([
    '/remind',
    '/poll',
    '/status',
    '/dnd',
    '/away',
    '/me',
    '/shrug',
    '/topic',
    '/invite',
    '/search',
  ])
  expect(first[0]).toBe('/remind [time]Set a reminder about the newest message here')
  await userEvent.type(field, 'search tents{Enter}')
  await userEvent.type(field, '/')
  expect((await options())[0]).toMatch(/^\/search/)
})

test('a command of a program shows the name of its program', async () => {
  const { field } = await show()
  await userEvent.type(field, '/zi')
  expect(await options()).toEqual(['/zipStart a deployment · Deploy bot'])
})

test('the app’s commands open what they name and send nothing', async () => {
  const { bridge, store, field } = await show()
  await userEvent.type(field, '/remind me tomorrow at 9{Enter}')
  expect(store.getState().ui.dialog).toEqual({ kind: 'reminder', messageId: 'm1', words: 'tomorrow at 9' })
  expect(field.value).toBe('')
  act(() => void store.dispatch(dialogClosed()))
  await userEvent.type(field, '/invite{Enter}')
  expect(store.getState().ui.dialog).toMatchObject({ kind: 'channel', what: 'people' })
  act(() => void store.dispatch(dialogClosed()))
  await userEvent.type(field, '/leave{Enter}')
  expect(store.getState().ui.dialog).toMatchObject({ kind: 'channel', what: 'leave' })
  act(() => void store.dispatch(dialogClosed()))
  await userEvent.type(field, '/later{Enter}')
  expect(store.getState().ui.route).toEqual({ view: 'later' })
  expect(sent(bridge)).toEqual([])
})

test('an action and a shrug are sent as a text that is drawn as meant', async () => {
  const { bridge, field } = await show()
  await userEvent.type(field, '/me waves{Enter}')
  await waitFor(() => expect(sent(bridge)).toMatchObject([{ text: '_waves_' }]))
  await userEvent.type(field, '/shrug who knows{Enter}')
  await waitFor(() => expect(sent(bridge).at(-1)).toMatchObject({ text: 'who knows ¯\\\\\\_(ツ)\\_/¯' }))
})

test('what cannot be done yet says why, and the text stays', async () => {
  const { bridge, store, field } = await show([])
  await userEvent.type(field, '/me {Enter}')
  expect(screen.getByText('Command not ready to be sent. Add text after the command.')).toBeTruthy()
  expect(field.value).toBe('/me ')
  await userEvent.clear(field)
  await userEvent.type(field, '/remind tomorrow{Enter}')
  await waitFor(() =>
    expect(store.getState().notices.local.map(({ code }) => code)).toContain('composer/command-no-message'),
  )
  expect(field.value).toBe('/remind tomorrow')
  expect(sent(bridge)).toEqual([])
})

test('a mistyped command is asked about once before it is sent as a message', async () => {
  const { bridge, field } = await show()
  await userEvent.type(field, '/rmind call Halina{Enter}')
  const question = within(screen.getByRole('alertdialog', { name: 'There’s no command /rmind' }))
  expect(sent(bridge)).toEqual([])
  await userEvent.click(question.getByRole('button', { name: 'Cancel' }))
  expect(field.value).toBe('/rmind call Halina')
  await userEvent.type(field, '{Enter}')
  await userEvent.click(screen.getByRole('button', { name: 'Send as message' }))
  await waitFor(() => expect(sent(bridge)).toMatchObject([{ text: '/rmind call Halina' }]))
})

test('the slash button lists the commands at once; text already written becomes the arguments', async () => {
  const { field } = await show()
  await userEvent.type(field, 'tents')
  await userEvent.click(screen.getByRole('button', { name: 'Add files and more' }))
  await userEvent.click(screen.getByRole('menuitem', { name: 'Use a command' }))
  // A browser fires this event when the caret moves.
  fireEvent.select(field)
  expect(await options()).toHaveLength(10)
  await userEvent.keyboard('{ArrowDown}{Enter}')
  expect(field.value).toBe('/poll tents')
})

test('a slash later in the text opens no list', async () => {
  const { field } = await show()
  await userEvent.type(field, 'and/or ')
  expect(screen.queryByRole('listbox')).toBeNull()
})

test('a command without its person is not sent and the reason is shown; with it, it is sent', async () => {
  const { bridge, field } = await show()
  await userEvent.type(field, '/mute  ')
  expect(screen.getByText('Command not ready to be sent. Name a person with @.')).toBeTruthy()
  await userEvent.keyboard('{Enter}')
  expect(sent(bridge)).toEqual([])
  expect(field.value).toBe('/mute  ')
  await userEvent.type(field, '@Bob Łoś ')
  await userEvent.keyboard('{Enter}')
  expect(sent(bridge)).toMatchObject([{ text: '/mute  @Bob Łoś', mentionedUserIds: ['bob'] }])
})

test('a command about a person cannot be a reply, and an edit cannot become a command', async () => {
  const { bridge, store, field } = await show()
  act(() => void store.dispatch(quoteChosen({ key: cid, messageId: asMessageId('m1') })))
  await userEvent.type(field, '/mute @bob{Enter}')
  expect(screen.getByText('Command not available while replying')).toBeTruthy()
  act(() => void store.dispatch(editBegun({ key: cid, messageId: asMessageId('m1'), text: 'old words' })))
  await userEvent.clear(field)
  await userEvent.type(field, '/topic x{Enter}')
  expect(screen.getByText('Command not available while editing')).toBeTruthy()
  expect(sent(bridge)).toEqual([])
  expect(bridge.inputsOf('messages.edit')).toEqual([])
})

test('two semicolons list the snippets at once, and insert one with its placeholders filled in', async () => {
  const { field } = await show()
  await userEvent.type(field, 'hi ;;')
  await userEvent.click(field)
  expect(screen.getByRole('listbox', { name: 'Snippets' })).toBeTruthy()
  await userEvent.type(field, 'gre{Enter}')
  expect(field.value).toBe('hi Hello release {x}')
})

test('the command above the field can be removed; its arguments stay', async () => {
  const { field } = await show()
  await userEvent.type(field, '/topic tents')
  await userEvent.click(screen.getByRole('button', { name: 'Remove the command /topic' }))
  expect(field.value).toBe('tents')
})

test('Backspace at the start of the arguments removes the command too', async () => {
  const { field } = await show()
  await userEvent.type(field, '/topic tents')
  field.setSelectionRange(7, 7)
  await userEvent.keyboard('{Backspace}')
  expect(field.value).toBe('tents')
})
