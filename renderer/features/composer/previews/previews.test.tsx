import { act, cleanup, fireEvent, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { LINK_PREVIEW_DEBOUNCE_MS } from '#shared/constants.ts'
import type { LinkPreviewChoices } from '#shared/domain/attachment.ts'
import { asCid, asMessageId } from '#shared/lib/brand.ts'
import { AppError } from '#shared/lib/app-error.ts'
import { sidebarKey } from '#shared/rules/channels/sidebar.ts'
import {
  aChannel,
  aConfig,
  aConnection,
  aSession,
  aUser,
  aWindow,
  byCid,
  byId,
  createFakeBridge,
  someSettings,
  type FakeBridge,
} from '#kit/fake-bridge/index.ts'
import { renderInApp } from '#kit/render-in-app.tsx'
import { Composer } from '../index.ts'

const cid = asCid('messaging:release')
const URL_A = 'https://site.example/a'
const session = aSession({ userId: 'ola' })

function aPlace(choices: Partial<LinkPreviewChoices> = {}, config = aConfig({ urlEnrichment: true })): FakeBridge {
  const bridge = createFakeBridge({
    media: (ref) => `media:${ref}`,
    rows: {
      users: byId([aUser({ id: 'ola', name: 'Ola' })]),
      channels: byCid([aChannel({ cid, name: 'release', config })]),
      session: { self: session },
      connection: { self: aConnection() },
      settings: { self: someSettings({ linkPreviews: { mode: 'on', channels: {}, blocked: [], ...choices } }) },
    },
    windows: [aWindow(`timeline:${cid}`, [])],
  })
  bridge.on('messages.send', () => asMessageId('new'))
  bridge.on('links.preview', ({ url }: { url: string }) => ({
    url,
    title: 'Page A',
    text: 'Words',
    siteName: 'Site',
    picture: 'preview/1',
  }))
  bridge.on('links.stop', () => undefined)
  bridge.on('settings.update', (change: object) => {
    const self = bridge.world.rows.settings?.['self']
    if (self) bridge.change({ settings: { self: { ...self, ...change } } })
  })
  return bridge
}

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))
async function show(bridge: FakeBridge) {
  await renderInApp(<Composer cid={cid} />, bridge)
  await pass(0)
}
const field = (): HTMLTextAreaElement => screen.getByRole('textbox', { name: 'Message #release' })
const write = (value: string) => fireEvent.change(field(), { target: { value } })
const press = async (name: string | RegExp) => {
  fireEvent.click(screen.getByRole('button', { name }))
  await pass(0)
}
const card = () => screen.queryByRole('listitem', { name: 'Preview of site.example' })
const send = async () => {
  await press('Send')
  await pass(0)
}
const sent = (bridge: FakeBridge) => bridge.inputsOf('messages.send').at(-1)

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: false })
  localStorage.clear()
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

test('AGR-03 1500 ms after the last key the preview is requested, shown as a card, and sent with the message', async () => {
  const bridge = aPlace()
  await show(bridge)
  write('see')
  await pass(LINK_PREVIEW_DEBOUNCE_MS - 1)
  write(`see ${URL_A}`)
  await pass(LINK_PREVIEW_DEBOUNCE_MS - 1)
  expect(LINK_PREVIEW_DEBOUNCE_MS).toBe(1_500)
  expect(bridge.inputsOf('links.preview')).toEqual([])
  await pass(1)
  expect(bridge.inputsOf('links.preview')).toEqual([{ url: URL_A }])
  expect(card()?.textContent).toBe('SSitePage AWords')
  expect(card()?.querySelector('img')?.getAttribute('src')).toBe('media:preview/1')
  await send()
  expect(sent(bridge)).toMatchObject({ previewUrls: [URL_A], skipEnrich: true })
  expect(card()).toBeNull()
})

test('deleting a link from the text removes its preview and stops the request', async () => {
  const bridge = aPlace()
  bridge.on('links.preview', () => new Promise(() => {}))
  await show(bridge)
  write(URL_A)
  await pass(1_500)
  expect(screen.getByText('Loading preview of site.example')).toBeDefined()
  write('nothing')
  await pass(1_500)
  expect(bridge.inputsOf('links.stop')).toEqual([{ url: URL_A }])
  expect(screen.queryByText('Loading preview of site.example')).toBeNull()
})

test('a preview can be dismissed and restored; a dismissed one is not sent', async () => {
  const bridge = aPlace()
  await show(bridge)
  write(URL_A)
  await pass(1_500)
  await press('Send without the preview of site.example')
  expect(screen.getByText('The preview of site.example won’t be sent')).toBeDefined()
  await press('Undo: send the preview of site.example')
  expect(card()).not.toBeNull()
  await press('Send without the preview of site.example')
  await send()
  expect(sent(bridge)).toMatchObject({ skipEnrich: true })
  expect(sent(bridge)).not.toMatchObject({ previewUrls: expect.anything() })
})

test('a page without a preview is reported to the writer only, who may try again', async () => {
  const bridge = aPlace()
  bridge.on('links.preview', () => {
    throw new AppError('link/no-preview')
  })
  await show(bridge)
  write(URL_A)
  await pass(1_500)
  expect(screen.getByText('No preview of site.example')).toBeDefined()
  bridge.on('links.preview', () => ({ url: URL_A, title: 'Now' }))
  await press('Try again: site.example')
  expect(within(card() ?? document.body).getByText('Now')).toBeDefined()
})

test('offline the link waits, and its preview is requested once connected', async () => {
  const bridge = aPlace()
  bridge.change({ connection: { self: aConnection({ state: 'unhealthy', offline: true }) } })
  await show(bridge)
  write(URL_A)
  await pass(1_500)
  expect(bridge.inputsOf('links.preview')).toEqual([])
  expect(card()).toBeNull()
  await act(async () => bridge.change({ connection: { self: aConnection() } }))
  await pass(1)
  expect(card()).not.toBeNull()
})

test('AGR-31 no preview is requested before the user agrees; the answer is saved and applies at once', async () => {
  const bridge = aPlace({ mode: 'ask' })
  await show(bridge)
  write(URL_A)
  await pass(1_500)
  expect(bridge.inputsOf('links.preview')).toEqual([])
  const question = screen.getByRole('group', { name: 'Show link previews?' })
  fireEvent.click(within(question).getByRole('button', { name: 'Show previews' }))
  await pass(1)
  expect(bridge.inputsOf('settings.update')).toEqual([{ linkPreviews: { mode: 'on', channels: {}, blocked: [] } }])
  expect(screen.queryByRole('group', { name: 'Show link previews?' })).toBeNull()
  expect(card()).not.toBeNull()
})

test('no preview is requested when refused, turned off, or not supported by the channel', async () => {
  const refusing = aPlace({ mode: 'ask' })
  await show(refusing)
  write(URL_A)
  await pass(1_500)
  await press('Don’t show previews')
  expect(refusing.inputsOf('settings.update')).toEqual([{ linkPreviews: { mode: 'off', channels: {}, blocked: [] } }])
  cleanup()
  for (const bridge of [aPlace({ mode: 'off' }), aPlace({}, aConfig())]) {
    await show(bridge)
    write(URL_A)
    await pass(1_500)
    expect(bridge.inputsOf('links.preview')).toEqual([])
    expect(card()).toBeNull()
    cleanup()
  }
})

test('previews can be turned off for a site or for the channel from the card', async () => {
  const bridge = aPlace()
  await show(bridge)
  write(URL_A)
  await pass(1_500)
  await press('Preview options for site.example')
  fireEvent.click(screen.getByRole('menuitem', { name: 'Turn off in this channel' }))
  await pass(1)
  expect(bridge.inputsOf('settings.update').at(-1)).toEqual({
    linkPreviews: { mode: 'on', channels: { [sidebarKey(session)]: { [cid]: false } }, blocked: [] },
  })
  expect(card()).toBeNull()
  cleanup()
  const other = aPlace()
  await show(other)
  write(URL_A)
  await pass(1_500)
  await press('Preview options for site.example')
  fireEvent.click(screen.getByRole('menuitem', { name: 'Never show for site.example' }))
  await pass(1)
  expect(other.inputsOf('settings.update').at(-1)).toMatchObject({ linkPreviews: { blocked: ['site.example'] } })
  expect(card()).toBeNull()
})
