import { act, cleanup, createEvent, fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { MAX_FILES_PER_MESSAGE, UPLOAD_LIMIT_BYTES } from '#shared/constants.ts'
import type { Upload } from '#shared/domain/attachment.ts'
import { asCid, asMessageId } from '#shared/lib/brand.ts'
import {
  aChannel,
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
import { Composer } from './index.ts'

const cid = asCid('messaging:release')
vi.setConfig({ testTimeout: 20_000 })
afterEach(cleanup)

const anUpload = (over: Partial<Upload> & Pick<Upload, 'id' | 'name'>): Upload => ({
  sizeBytes: 8_400_000,
  mimeType: 'text/plain',
  kind: 'file',
  state: 'finished',
  progress: 1,
  ...over,
})

function aPlace(uploads: readonly Upload[] = []): FakeBridge {
  const draft = { key: cid, cid, text: '', uploads, caret: 0, showInChannel: false, updatedAt: 1 }
  const bridge = createFakeBridge({
    rows: {
      users: byId([aUser({ id: 'ola', name: 'Ola' })]),
      channels: byCid([aChannel({ cid, name: 'release' })]),
      session: { self: aSession({ userId: 'ola' }) },
      connection: { self: aConnection() },
      settings: { self: someSettings() },
      drafts: { [cid]: draft },
      uploads: byId(uploads),
    },
    windows: [aWindow(`timeline:${cid}`, [])],
  })
  let count = 0
  bridge.on('uploads.begin', (input: { name: string; sizeBytes: number; mimeType: string; asFile?: boolean }) => {
    const upload = anUpload({ ...input, id: `n${(count += 1)}` })
    bridge.change({ uploads: { [upload.id]: upload } })
    return upload
  })
  for (const name of ['uploads.chunk', 'uploads.finish', 'uploads.describe'] as const) bridge.on(name, () => undefined)
  bridge.on('messages.send', () => asMessageId('new'))
  return bridge
}

async function show(bridge: FakeBridge) {
  const { store } = await renderInApp(<Composer cid={cid} />, bridge)
  await act(async () => {})
  return { store }
}
const tiles = () => screen.getAllByRole('listitem').map((tile) => tile.getAttribute('aria-label'))
const file = (name: string) => new File(['x'], name, { type: 'text/plain' })
const choose = async (files: File[]) => {
  fireEvent.change(document.querySelector('[data-file-field]') ?? document.body, { target: { files } })
  await act(async () => {})
}

test('each of the five reasons names the rule that refused, a size with the limit of the server', async () => {
  const blocked = (id: string, name: string, more: Partial<Upload>) => anUpload({ id, name, state: 'blocked', ...more })
  await show(
    aPlace([
      blocked('1', 'a.mkv', { reason: 'allowed_file_extensions', listed: ['.png', '.pdf'] }),
      blocked('2', 'b.EXE', { reason: 'blocked_file_extensions', listed: ['.bat', '.exe'] }),
      blocked('3', 'c.mov', { reason: 'allowed_mime_types', listed: ['image/png'] }),
      blocked('4', 'd.zip', { reason: 'blocked_mime_types', mimeType: 'application/zip', listed: ['application/zip'] }),
      blocked('5', 'e.iso', { reason: 'size_limit', limit: 5_000_000 }),
      blocked('6', 'f.txt', { reason: 'capability' }),
      blocked('7', 'g.txt', { reason: 'slots' }),
    ]),
  )
  expect(tiles()).toEqual([
    'a.mkv, Only .png and .pdf are allowed here',
    'b.EXE, .exe is not allowed here',
    'c.mov, Only image/png are allowed here',
    'd.zip, application/zip is not allowed here',
    'e.iso, 8.4 MB. The limit is 5 MB.',
    'f.txt, You can’t send files here',
    'g.txt, The attachment upload was blocked',
  ])
  expect(UPLOAD_LIMIT_BYTES).toBe(104_857_600)
})

test('a file on its way says how much, how far and how fast', async () => {
  await show(
    aPlace([anUpload({ id: 'a', name: 'a.zip', state: 'uploading', progress: 0.5, bytesPerSecond: 1_200_000 })]),
  )
  expect(tiles()).toEqual(['a.zip, 8.4 MB, 50%, 1.2 MB/s'])
})

test('the eleventh file is offered as a second message: ten go, the others stand in the next one', async () => {
  const bridge = aPlace()
  await show(bridge)
  await choose(Array.from({ length: MAX_FILES_PER_MESSAGE + 2 }, (_, at) => file(`f${at}.txt`)))
  await waitFor(() => expect(tiles()).toHaveLength(10))
  expect(MAX_FILES_PER_MESSAGE).toBe(10)
  fireEvent.click(await screen.findByRole('button', { name: 'Send, and put them in a second message' }))
  await waitFor(() => expect(tiles()).toEqual(['f10.txt, 1 byte', 'f11.txt, 1 byte']))
  const sent = bridge.inputsOf('messages.send') as { uploadIds: string[] }[]
  expect(sent.map(({ uploadIds }) => uploadIds.length)).toEqual([10])
})

test('a message that is sent while its file is still being copied waits for the last byte', async () => {
  const bridge = aPlace()
  const copied = Promise.withResolvers<void>()
  bridge.on('uploads.chunk', () => copied.promise)
  await show(bridge)
  await choose([file('big.bin')])
  await waitFor(() => expect(bridge.inputsOf('uploads.chunk')).toHaveLength(1))
  fireEvent.click(screen.getByRole('button', { name: 'Send' }))
  await act(async () => {})
  expect(bridge.inputsOf('messages.send')).toEqual([])
  copied.resolve()
  await waitFor(() => expect(bridge.inputsOf('messages.send')).toMatchObject([{ uploadIds: ['n1'] }]))
})

test('files that did not fit outlive the composer, and make the next message of its place', async () => {
  const bridge = aPlace()
  await show(bridge)
  await choose(Array.from({ length: MAX_FILES_PER_MESSAGE + 1 }, (_, at) => file(`f${at}.txt`)))
  expect(await screen.findByText(/^1 file was left out/)).toBeTruthy()
  cleanup()
  await show(bridge)
  await waitFor(() => expect(tiles()).toEqual(['f10.txt, 1 byte']))
})

test('dropped with Shift a picture goes as a file; a folder goes as an archive, an empty one is named', async () => {
  const bridge = aPlace()
  const { store } = await show(bridge)
  const item = (name: string, inside?: readonly string[]) => ({
    kind: 'file',
    webkitGetAsEntry: () => (inside === undefined ? { isDirectory: false, name } : folder(name, inside)),
    getAsFile: () => file(name),
  })
  const folder = (name: string, inside: readonly string[]) => {
    const pages = [
      inside.map((each) => ({ isDirectory: false, name: each, file: (got: (one: File) => void) => got(file(each)) })),
      [],
    ]
    return {
      isDirectory: true,
      name,
      createReader: () => ({ readEntries: (got: (page: unknown) => void) => got(pages.shift()) }),
    }
  }
  const dataTransfer = {
    types: ['Files'],
    items: [item('cat.png'), item('trip', ['map.txt']), item('nothing', [])],
    files: [],
  }
  const place = screen.getByRole('region', { name: 'Write a message' })
  const drop = createEvent.drop(place, { dataTransfer })
  Object.defineProperty(drop, 'shiftKey', { value: true })
  fireEvent(place, drop)
  await waitFor(() => expect(bridge.inputsOf('uploads.begin')).toHaveLength(2))
  expect(bridge.inputsOf('uploads.begin')).toMatchObject([
    { name: 'cat.png', asFile: true },
    { name: 'trip.zip', mimeType: 'application/zip' },
  ])
  expect(store.getState().notices.local).toMatchObject([{ code: 'upload/folder', params: { name: 'nothing' } }])
})

test('a picture is described for those who do not see it', async () => {
  const bridge = aPlace([anUpload({ id: 'a', name: 'a.png', kind: 'image' })])
  await show(bridge)
  fireEvent.click(screen.getByRole('button', { name: 'Describe a.png' }))
  fireEvent.change(screen.getByRole('textbox', { name: 'What the picture shows' }), { target: { value: 'A red door' } })
  fireEvent.click(screen.getByRole('button', { name: 'Save description' }))
  await waitFor(() => expect(bridge.inputsOf('uploads.describe')).toEqual([{ id: 'a', alt: 'A red door' }]))
  expect(screen.queryByRole('textbox', { name: 'What the picture shows' })).toBeNull()
})
