import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { aConnection, aSession, aUser, byId, createFakeBridge, someSettings } from '#kit/fake-bridge/index.ts'
import { renderInApp } from '#kit/render-in-app.tsx'
import { createRegistry } from '../../../registry/feature.ts'
import { settingsFeature } from '../feature.tsx'
import { SettingsView } from '../Settings.tsx'
import { EmojiSettings } from './EmojiSettings.tsx'

const TERMS = { canCreate: true, canManage: false, maxBytes: 1_000, maxSide: 512, maxCount: 500 }
const emoji = (name: string, createdBy: string, aliases: string[] = []) => ({
  name,
  aliases,
  image: `emoji/${name}.1`,
  moves: false,
  createdBy,
  createdAt: 1_000,
})
const PARROT = emoji('parrot', 'ola', ['bird'])
const TENT = emoji('tent', 'jonas')

/** Size of the next decoded picture; the test environment has no decoder. */
const size = { width: 64, height: 64 }
beforeEach(() => {
  Object.assign(size, { width: 64, height: 64 })
  vi.stubGlobal('createImageBitmap', (file: Blob) =>
    file.size === 0 ? Promise.reject(new Error('no picture')) : Promise.resolve({ ...size, close: () => undefined }),
  )
  vi.spyOn(HTMLCanvasElement.prototype, 'toBlob').mockImplementation((done) => done(new Blob(['small'])))
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

async function show(over: { terms?: Partial<typeof TERMS>; list?: (typeof PARROT)[]; offline?: boolean } = {}) {
  const list = over.list ?? [PARROT, TENT]
  const bridge = createFakeBridge({
    rows: {
      users: byId([aUser({ id: 'ola', name: 'Ola' }), aUser({ id: 'jonas', name: 'Jonas' })]),
      session: { self: aSession({ userId: 'ola' }) },
      connection: { self: aConnection(over.offline ? { state: 'unhealthy' } : {}) },
      emoji: Object.fromEntries(list.map((each) => [each.name, each])),
      emojiTerms: { self: { ...TERMS, ...over.terms } },
    },
  })
  await renderInApp(<EmojiSettings />, bridge)
  return { bridge, user: userEvent.setup() }
}

const picture = (name: string, type = 'image/png', text = 'bytes') => new File([text], name, { type })
const field = () => screen.getByLabelText('Choose an image')
const name = () => screen.getByRole('textbox', { name: 'Name' })
const submit = () => screen.getByRole('button', { name: 'Add emoji' })

test('a chosen picture is named after its file, previewed, and added with its aliases', async () => {
  const { bridge, user } = await show()
  await user.upload(field(), picture('Party Time.PNG'))
  expect(await screen.findByRole('img', { name: /^How the emoji looks/ })).toBeTruthy()
  expect(name()).toHaveProperty('value', 'party_time')
  await user.type(screen.getByRole('textbox', { name: /^Other names/ }), ':yay:, hooray')
  await user.click(submit())
  expect(bridge.inputsOf('emoji.add')).toEqual([
    { name: 'party_time', aliases: ['yay', 'hooray'], base64: btoa('bytes'), mimeType: 'image/png' },
  ])
  await waitFor(() => expect(name()).toHaveProperty('value', ''))
})

test('validation errors are shown at their fields and nothing is sent', async () => {
  const { bridge, user } = await show()
  await user.click(submit())
  expect(screen.getByText('Choose an image first.')).toBeTruthy()
  expect(screen.getByText(/isn’t a valid name. Use 2 to 30/)).toBeTruthy()
  await user.type(name(), 'bird')
  expect(screen.getByText('“bird” is already taken. Choose another name.')).toBeTruthy()
  await user.clear(name())
  await user.type(name(), 'love')
  expect(screen.getByText(/“love” is reserved for a reaction/)).toBeTruthy()
  await user.clear(name())
  await user.type(name(), 'fine')
  await user.type(screen.getByRole('textbox', { name: /^Other names/ }), 'tent')
  expect(screen.getByText(/“tent” is already taken/)).toBeTruthy()
  expect(bridge.inputsOf('emoji.add')).toEqual([])
})

test('a still picture that is too large is scaled down, an animated one is refused with the limits', async () => {
  const { bridge, user } = await show()
  Object.assign(size, { width: 2_000, height: 1_000 })
  await user.upload(field(), picture('wide.jpg', 'image/jpeg'))
  await waitFor(() => expect(name()).toHaveProperty('value', 'wide'))
  await user.click(submit())
  expect(bridge.inputsOf('emoji.add')).toMatchObject([{ mimeType: 'image/png', base64: btoa('small') }])
  await user.upload(screen.getByLabelText('Choose an image'), picture('wild.gif', 'image/gif'))
  expect(await screen.findByText(/^An animated image can be up to .* and 512 pixels/)).toBeTruthy()
})

test('a picture can be dropped, or pasted anywhere on the page; other files are refused', async () => {
  await show()
  const zone = screen.getByText('or drop or paste one here')
  fireEvent.drop(zone, { dataTransfer: { types: ['Files'], items: [], files: [picture('dropped.png')] } })
  await waitFor(() => expect(name()).toHaveProperty('value', 'dropped'))
  const paste = (file: File) => fireEvent.paste(document.body, { clipboardData: { files: [file] } })
  paste(picture('x.svg', 'image/svg+xml'))
  expect(await screen.findByText(/^This file isn’t a PNG, GIF/)).toBeTruthy()
  paste(picture('x.png', 'image/png', ''))
  expect(await screen.findByText(/^Couldn’t read this image/)).toBeTruthy()
})

test('errors of the server are shown in the form, and the typed text stays', async () => {
  const { bridge, user } = await show()
  bridge.on('emoji.add', () => {
    throw { code: 'emoji/picture' }
  })
  await user.upload(field(), picture('a1.png'))
  await waitFor(() => expect(name()).toHaveProperty('value', 'a1'))
  await user.click(submit())
  expect(await screen.findByText('The server didn’t accept this image. Choose another one.')).toBeTruthy()
  expect(name()).toHaveProperty('value', 'a1')
})

test('only own emoji can be renamed, with a note that the previous name still works', async () => {
  const { bridge, user } = await show()
  expect(screen.queryByRole('button', { name: 'Rename :tent:' })).toBeNull()
  expect(screen.getByText(/^Added by Jonas, /)).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Rename :parrot:' }))
  const form = within(screen.getByRole('form', { name: 'Rename :parrot:' }))
  expect(form.getByText(/^The previous name still works/)).toBeTruthy()
  await user.clear(form.getByRole('textbox', { name: 'Name' }))
  await user.type(form.getByRole('textbox', { name: 'Name' }), 'kakadu')
  await user.click(form.getByRole('button', { name: 'Save' }))
  expect(bridge.inputsOf('emoji.change')).toEqual([{ name: 'parrot', to: 'kakadu', aliases: ['bird'] }])
  await waitFor(() => expect(screen.queryByRole('form', { name: 'Rename :parrot:' })).toBeNull())
})

test('an administrator can delete any emoji after a question with focus on Cancel', async () => {
  const { bridge, user } = await show({ terms: { canManage: true } })
  await user.click(screen.getByRole('button', { name: 'Delete :tent:' }))
  expect(document.activeElement?.textContent).toBe('Cancel')
  await user.click(screen.getByRole('button', { name: 'Delete' }))
  expect(bridge.inputsOf('emoji.remove')).toEqual([{ name: 'tent' }])
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
})

test('without the right to add the list is shown; a long list is searchable; offline no action is offered', async () => {
  const many = Array.from({ length: 12 }, (_, at) => emoji(`nr${at}`, 'jonas'))
  const { user } = await show({ terms: { canCreate: false }, list: [...many, PARROT] })
  expect(screen.queryByRole('button', { name: 'Add emoji' })).toBeNull()
  await user.type(screen.getByRole('searchbox', { name: 'Find an emoji' }), ':bir')
  expect(screen.getAllByRole('listitem').map(({ textContent }) => textContent)).toMatchObject([
    expect.stringContaining(':bird:'),
  ])
  cleanup()
  await show({ offline: true })
  expect(screen.getByText('You’re offline. You can make changes when you’re back online.')).toBeTruthy()
  expect(screen.queryByRole('button', { name: /Delete|Rename|Add/ })).toBeNull()
})

test('a server without custom emoji has none among the settings of messages', async () => {
  const bridge = createFakeBridge({
    rows: { session: { self: aSession() }, settings: { self: someSettings() }, emojiTerms: { self: TERMS } },
  })
  await renderInApp(<SettingsView section="messages" />, bridge, 'en', createRegistry([settingsFeature]))
  expect(await screen.findByText('Workspace emoji')).toBeTruthy()
  bridge.change({}, [], { emojiTerms: ['self'] })
  await waitFor(() => expect(screen.queryByText('Workspace emoji')).toBeNull())
})
