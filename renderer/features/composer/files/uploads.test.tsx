import { act, cleanup, createEvent, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { MAX_FILES_PER_MESSAGE, UPLOAD_LIMIT_BYTES } from '#shared/constants.ts'
import type { Upload } from '#shared/domain/attachment.ts'
import { renderInApp } from '#kit/render-in-app.tsx'
import {
  anUpload,
  aPlaceToWrite,
  choose,
  field,
  RELEASE as cid,
  sentBy,
  showComposer,
  tiles,
} from '#kit/a-composer.tsx'
import { MEMBER_CAPABILITIES, type FakeBridge } from '#kit/fake-bridge/index.ts'
import { onAnnouncement } from '../../../lib/page/announce.ts'
import { submitted } from '../../../store/composers/composers.ts'
import { COMPOSER_FILES } from '../../../store/composers/files.ts'
import { useAppSelector } from '../../../store/hooks.ts'
import { routeOpened } from '../../../store/window/ui.ts'
import { Composer } from '../index.ts'

vi.setConfig({ testTimeout: 20_000 })
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const file = (name: string, bytes = 1) => new File([new Uint8Array(bytes)], name, { type: 'text/plain' })

test('an attached file is announced, streamed in chunks and shown as a tile', async () => {
  const bridge = aPlaceToWrite()
  await showComposer(bridge)
  await choose(file('track.gpx', 600 * 1024))
  await waitFor(() => expect(bridge.inputsOf('uploads.finish')).toEqual([{ id: 'n1' }]))
  expect(tiles()).toEqual(['track.gpx, 614.4 kB'])
  expect(bridge.inputsOf('uploads.chunk')).toHaveLength(2)
})

test('AGR-56 while files upload Enter warns, and "Send when ready" sends the message to the outbox', async () => {
  const bridge = aPlaceToWrite({ uploads: [anUpload({ id: 'u1', name: 'a.txt', state: 'pending' })] })
  const { store } = await showComposer(bridge)
  expect(tiles()).toEqual(['a.txt, Waiting'])
  await userEvent.type(field(), 'see this{Enter}')
  expect(sentBy(bridge)).toEqual([])
  expect(store.getState().notices.local.map(({ type }) => type)).toEqual(['validation:attachment:upload:in-progress'])
  expect(screen.getByText(/Wait until all attachments have uploaded/)).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Send when ready' }))
  expect(sentBy(bridge)[0]).toMatchObject({ text: 'see this', uploadIds: ['u1'], whenReady: true })
})

test('files that are attached are announced once, and the wait for them is not', async () => {
  const heard: string[] = []
  const stop = onAnnouncement(({ text }) => heard.push(text))
  const uploads = ['a.txt', 'b.txt'].map((name) => anUpload({ id: name, name, state: 'pending' }))
  const bridge = aPlaceToWrite({ uploads })
  await showComposer(bridge)
  const spoken = () =>
    [...document.querySelectorAll('output:not([aria-live="off"])')].map(({ textContent }) => textContent).join('')
  const said = [spoken()]
  for (const state of ['uploading', 'finished'] as const) {
    for (const upload of uploads) {
      await act(async () => bridge.change({ uploads: { [upload.id]: { ...upload, state } } }))
      said.push(spoken())
    }
  }
  expect(said.join('')).toBe('')
  await waitFor(() => expect(heard.join(' ')).toMatch(/a\.txt attached.*b\.txt attached/), { timeout: 4_000 })
  expect(heard.join(' ').match(/attached/g)).toHaveLength(2)
  stop()
})

test('the notice that files upload ends when they have uploaded', async () => {
  const upload = anUpload({ id: 'u1', name: 'a.txt', state: 'uploading' })
  const bridge = aPlaceToWrite({ uploads: [upload] })
  const { store } = await showComposer(bridge)
  await userEvent.type(field(), 'see this{Enter}{Enter}')
  const open = () => store.getState().notices.local.filter(({ id }) => !(id in store.getState().notices.dismissed))
  expect(open()).toHaveLength(1)
  act(() => bridge.change({ uploads: { u1: { ...upload, state: 'finished' } } }))
  await waitFor(() => expect(open()).toEqual([]))
})

test('Enter right after files were chosen waits until each has a tile, so none is left out', async () => {
  const bridge = aPlaceToWrite()
  const shown = Promise.withResolvers<Upload>()
  bridge.on('uploads.begin', () => shown.promise)
  await showComposer(bridge)
  await choose(file('track.gpx'))
  await userEvent.type(field(), 'see this{Enter}')
  expect(sentBy(bridge)).toEqual([])
  const upload = anUpload({ id: 'n1', name: 'track.gpx', state: 'finished' })
  await act(async () => {
    bridge.change({ uploads: { n1: upload } })
    shown.resolve(upload)
    await shown.promise
  })
  expect(tiles()).toHaveLength(1)
  await userEvent.type(field(), '{Enter}')
  expect(sentBy(bridge)).toMatchObject([{ text: 'see this', uploadIds: ['n1'] }])
})

test('every state of a file is a tile with a text and its remedy', async () => {
  const uploads = [
    anUpload({ id: 'a', name: 'a.jpg', state: 'uploading', progress: 0.64 }),
    anUpload({ id: 'b', name: 'b.jpg' }),
    anUpload({ id: 'c', name: 'c.jpg', state: 'failed' }),
    anUpload({ id: 'd', name: 'd.exe', state: 'blocked', reason: 'blocked_file_extensions', listed: ['.exe'] }),
  ]
  const bridge = aPlaceToWrite({ uploads })
  await showComposer(bridge)
  expect(tiles()).toEqual([
    'a.jpg, 8.4 MB, 64%',
    'b.jpg, 8.4 MB',
    'c.jpg, Upload failed.',
    'd.exe, .exe files aren’t allowed here',
  ])
  expect(screen.getByRole('progressbar', { name: 'a.jpg' }).getAttribute('value')).toBe('64')
  await userEvent.click(screen.getByRole('button', { name: 'Try again: c.jpg' }))
  await userEvent.click(screen.getByRole('button', { name: 'Remove d.exe' }))
  expect(bridge.inputsOf('uploads.retry')).toEqual([{ id: 'c' }])
  expect(bridge.inputsOf('uploads.cancel')).toEqual([{ id: 'd' }])
})

test('pasted files become tiles, and pasted web content becomes text', async () => {
  const bridge = aPlaceToWrite()
  await showComposer(bridge)
  const picture = new File(['x'], 'image.png', { type: 'image/png' })
  const paste = (types: string[], text: string) =>
    fireEvent.paste(field(), { clipboardData: { types, files: [picture], getData: () => text } })
  paste(['text/plain', 'text/html', 'Files'], 'words')
  expect(bridge.inputsOf('uploads.begin')).toEqual([])
  paste(['Files'], '')
  await waitFor(() => expect(bridge.inputsOf('uploads.begin')).toHaveLength(1))
})

test('where files are not allowed the menu says so', async () => {
  const capabilities = MEMBER_CAPABILITIES.filter((name) => name !== 'upload-file')
  await showComposer(aPlaceToWrite({ channel: { capabilities } }))
  await userEvent.click(screen.getByRole('button', { name: 'Add files and more' }))
  const item = screen.getByRole('menuitem', { name: /^Attach files.*You can’t send files here/ })
  expect(item.getAttribute('aria-disabled')).toBe('true')
})

test('a blocked file names the rule that blocked it, and the size rule its limit', async () => {
  const blocked = (id: string, name: string, more: Partial<Upload>) => anUpload({ id, name, state: 'blocked', ...more })
  await showComposer(
    aPlaceToWrite({
      uploads: [
        blocked('0', 'empty.txt', { reason: 'empty', sizeBytes: 0 }),
        blocked('1', 'a.mkv', { reason: 'allowed_file_extensions', listed: ['.png', '.pdf'] }),
        blocked('2', 'b.EXE', { reason: 'blocked_file_extensions', listed: ['.bat', '.exe'] }),
        blocked('3', 'c.mov', { reason: 'allowed_mime_types', listed: ['image/png'] }),
        blocked('4', 'd.zip', {
          reason: 'blocked_mime_types',
          mimeType: 'application/zip',
          listed: ['application/zip'],
        }),
        blocked('5', 'e.iso', { reason: 'size_limit', limit: 5_000_000 }),
        blocked('6', 'f.txt', { reason: 'capability' }),
        blocked('7', 'g.txt', { reason: 'slots' }),
      ],
    }),
  )
  expect(tiles()).toEqual([
    'empty.txt, The file is empty.',
    'a.mkv, Only .png and .pdf are allowed here',
    'b.EXE, .exe files aren’t allowed here',
    'c.mov, Only image/png are allowed here',
    'd.zip, application/zip files aren’t allowed here',
    'e.iso, 8.4 MB. The limit is 5 MB.',
    'f.txt, You can’t send files here',
    'g.txt, The attachment upload was blocked',
  ])
  expect(UPLOAD_LIMIT_BYTES).toBe(104_857_600)
})

test('one upload is paused and resumed by itself', async () => {
  const running = anUpload({ id: 'a', name: 'a.zip', state: 'uploading', progress: 0.5 })
  const bridge = aPlaceToWrite({ uploads: [running, anUpload({ id: 'b', name: 'b.zip', state: 'uploading' })] })
  await showComposer(bridge)
  await userEvent.click(screen.getByRole('button', { name: 'Pause a.zip' }))
  expect(bridge.inputsOf('uploads.pause')).toEqual([{ id: 'a' }])
  act(() => bridge.change({ uploads: { a: { ...running, state: 'paused', progress: 0 } } }))
  await waitFor(() => expect(tiles()[0]).toBe('a.zip, 8.4 MB, paused'))
  const resume = screen.getByRole('button', { name: 'Resume a.zip. It starts again from the beginning' })
  expect(document.activeElement).toBe(resume)
  await userEvent.click(resume)
  expect(bridge.inputsOf('uploads.retry')).toEqual([{ id: 'a' }])
  expect(screen.getByRole('button', { name: 'Pause b.zip' })).toBeTruthy()
})

test('an uploading file shows size, progress and speed', async () => {
  await showComposer(
    aPlaceToWrite({
      uploads: [anUpload({ id: 'a', name: 'a.zip', state: 'uploading', progress: 0.5, bytesPerSecond: 1_200_000 })],
    }),
  )
  expect(tiles()).toEqual(['a.zip, 8.4 MB, 50%, 1.2 MB/s'])
})

test('files beyond ten are offered as a second message', async () => {
  const bridge = aPlaceToWrite()
  await showComposer(bridge)
  await choose(...Array.from({ length: MAX_FILES_PER_MESSAGE + 2 }, (_, at) => file(`f${at}.txt`)))
  await waitFor(() => expect(tiles()).toHaveLength(10))
  expect(MAX_FILES_PER_MESSAGE).toBe(10)
  fireEvent.click(await screen.findByRole('button', { name: 'Send the files in a second message' }))
  await waitFor(() => expect(tiles()).toEqual(['f10.txt, 1 byte', 'f11.txt, 1 byte']))
  expect(sentBy(bridge).map(({ uploadIds }) => uploadIds.length)).toEqual([10])
})

test('a message sent while its file is still being copied waits for the last byte', async () => {
  const bridge = aPlaceToWrite()
  const copied = Promise.withResolvers<void>()
  bridge.on('uploads.chunk', () => copied.promise)
  await showComposer(bridge)
  await choose(file('big.bin'))
  await waitFor(() => expect(bridge.inputsOf('uploads.chunk')).toHaveLength(1))
  fireEvent.click(screen.getByRole('button', { name: 'Send' }))
  await act(async () => {})
  expect(bridge.inputsOf('messages.send')).toEqual([])
  copied.resolve()
  await waitFor(() => expect(bridge.inputsOf('messages.send')).toMatchObject([{ uploadIds: ['n1'] }]))
})

test('files that did not fit survive closing the composer and become the next message', async () => {
  const bridge = aPlaceToWrite()
  const Channel = () => (useAppSelector(({ ui }) => ui.route.view === 'home') ? <Composer cid={cid} /> : null)
  const { store } = await renderInApp(<Channel />, bridge)
  await choose(...Array.from({ length: MAX_FILES_PER_MESSAGE + 1 }, (_, at) => file(`f${at}.txt`)))
  expect(await screen.findByText('1 file was left out. A message can have up to 10.')).toBeTruthy()
  act(() => void store.dispatch(routeOpened({ view: 'browse' })))
  act(() => void store.dispatch(submitted({ key: cid, id: 'm' })))
  act(() => void store.dispatch(routeOpened({ view: 'home' })))
  await waitFor(() => expect(tiles()).toEqual(['f10.txt, 1 byte']))
})

/** Drops files, and folders by the names of what is in them. */
function dropOnComposer(shiftKey: boolean, ...dropped: readonly (readonly [string, (readonly string[])?])[]): void {
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
  const items = dropped.map(([name, inside]) => ({
    kind: 'file',
    webkitGetAsEntry: () => (inside === undefined ? { isDirectory: false, name } : folder(name, inside)),
    getAsFile: () => file(name),
  }))
  const place = screen.getByRole('region', { name: 'Write a message' })
  const drop = createEvent.drop(place, { dataTransfer: { types: ['Files'], items, files: [] } })
  Object.defineProperty(drop, 'shiftKey', { value: shiftKey })
  fireEvent(place, drop)
}

const begun = (bridge: FakeBridge) => (bridge.inputsOf('uploads.begin') as { name: string }[]).map(({ name }) => name)

test('with Shift a dropped picture is sent as a file; an empty folder is reported by name', async () => {
  const bridge = aPlaceToWrite()
  const { store } = await showComposer(bridge)
  dropOnComposer(true, ['cat.png'], ['nothing', []])
  await waitFor(() => expect(bridge.inputsOf('uploads.begin')).toMatchObject([{ name: 'cat.png', asFile: true }]))
  expect(store.getState().notices.local).toMatchObject([{ code: 'upload/folder', params: { name: 'nothing' } }])
})

test('the files of a dropped folder are attached only after a question with their number and size', async () => {
  const bridge = aPlaceToWrite()
  await showComposer(bridge)
  dropOnComposer(false, ['trip', ['map.txt', 'plan.txt', '.hidden']])
  const question = await screen.findByRole('alertdialog', { name: 'Attach the folder “trip”?' })
  expect(question.textContent).toContain('It contains 2 files, 2 bytes in total.')
  expect(question.textContent).toContain('1 hidden or system item is left out.')
  expect(begun(bridge)).toEqual([])
  fireEvent.click(screen.getByRole('button', { name: 'Attach 2 files' }))
  await waitFor(() => expect(begun(bridge)).toEqual(['map.txt', 'plan.txt']))
})

test('a dropped folder with more files than a message may have becomes an archive; canceled, nothing is attached', async () => {
  const bridge = aPlaceToWrite()
  await showComposer(bridge)
  const many = Array.from({ length: MAX_FILES_PER_MESSAGE + 1 }, (_, at) => `f${at}.txt`)
  dropOnComposer(false, ['one', many], ['two', many])
  const first = await screen.findByRole('alertdialog', { name: 'Attach the folder “one”?' })
  expect(first.textContent).toContain('A message can have up to 10 files.')
  expect(screen.queryByRole('button', { name: /^Attach 11/ })).toBeNull()
  fireEvent.click(within(first).getByRole('button', { name: 'Cancel' }))
  await screen.findByRole('alertdialog', { name: 'Attach the folder “two”?' })
  fireEvent.click(screen.getByRole('button', { name: 'Attach as archive' }))
  await waitFor(() => expect(begun(bridge)).toEqual(['two.zip']))
  expect(screen.queryByRole('alertdialog')).toBeNull()
})

test('a folder that is canceled while its archive is made is not attached, and the next one is still asked about', async () => {
  const bridge = aPlaceToWrite()
  const slow = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>()
  const reading = vi.spyOn(Blob.prototype, 'stream').mockReturnValueOnce(slow.readable)
  await showComposer(bridge)
  dropOnComposer(false, ['one', ['a.txt']], ['two', ['b.txt']])
  await screen.findByRole('alertdialog', { name: 'Attach the folder “one”?' })
  fireEvent.click(screen.getByRole('button', { name: 'Attach as archive' }))
  fireEvent.click(screen.getByRole('button', { name: 'Cancel' }))
  await screen.findByRole('alertdialog', { name: 'Attach the folder “two”?' })
  await act(() => slow.writable.close())
  fireEvent.click(screen.getByRole('button', { name: 'Attach as archive' }))
  await waitFor(() => expect(begun(bridge)).toEqual(['two.zip']))
  expect(reading).toHaveBeenCalledTimes(2)
  reading.mockRestore()
})

test('a folder dropped on the row of the conversation is asked about too, and one that is refused is named', async () => {
  const bridge = aPlaceToWrite()
  const { store } = await showComposer(bridge)
  const trip = { name: 'trip', files: [{ path: 'trip/map.txt', file: file('map.txt') }], bytes: 1, hidden: 1 }
  const refused = [{ name: 'nothing', large: false }]
  act(() => store.objects.of(COMPOSER_FILES).hand(cid, { files: [file('a.txt')], folders: [trip], refused }))
  await waitFor(() => expect(begun(bridge)).toEqual(['a.txt']))
  const question = await screen.findByRole('alertdialog', { name: 'Attach the folder “trip”?' })
  expect(question.textContent).toContain('1 hidden or system item is left out.')
  expect(store.getState().notices.local).toMatchObject([{ code: 'upload/folder', params: { name: 'nothing' } }])
})

test('with Shift the pictures of a dropped folder are sent as files too', async () => {
  const bridge = aPlaceToWrite()
  await showComposer(bridge)
  dropOnComposer(true, ['trip', ['cat.png']])
  fireEvent.click(await screen.findByRole('button', { name: 'Attach 1 file' }))
  await waitFor(() => expect(bridge.inputsOf('uploads.begin')).toMatchObject([{ name: 'cat.png', asFile: true }]))
})

test('a picture can be renamed and described for screen readers', async () => {
  const bridge = aPlaceToWrite({ uploads: [anUpload({ id: 'a', name: 'a.png', kind: 'image' })] })
  await showComposer(bridge)
  fireEvent.click(screen.getByRole('button', { name: 'Name and describe a.png' }))
  type('Description', 'A red door')
  type('Name', ' door.png ')
  fireEvent.click(within(form()).getByRole('button', { name: 'Save' }))
  const change = { id: 'a', alt: 'A red door', name: 'door.png' }
  await waitFor(() => expect(bridge.inputsOf('uploads.describe')).toEqual([change]))
  expect(screen.queryByRole('textbox', { name: 'Description' })).toBeNull()
})

const form = () => document.querySelector('form') as HTMLFormElement
const type = (label: string, value: string) =>
  fireEvent.change(screen.getByRole('textbox', { name: label }), { target: { value } })

/** A bridge whose uploads are blocked by `isRefused`. */
function refusing(isRefused: (file: { name: string; sizeBytes: number }) => Partial<Upload> | undefined): FakeBridge {
  const bridge = aPlaceToWrite()
  let count = 0
  bridge.on('uploads.begin', (input: { name: string; sizeBytes: number; mimeType: string }) => {
    const why = isRefused(input)
    const id = `r${(count += 1)}`
    const kind = input.mimeType.startsWith('image/') ? 'image' : 'file'
    const upload = anUpload({ ...input, id, kind, ...(why === undefined ? {} : { state: 'blocked', ...why }) })
    bridge.change({ uploads: { [id]: upload } })
    return upload
  })
  return bridge
}

test('a file refused for its extension is sent under another name, with a matching extension suggested', async () => {
  const refusedName = { reason: 'allowed_file_extensions', listed: ['.png', '.jpg'] } as const
  const bridge = refusing(() => ({ ...refusedName, renaming: 'wanted' }))
  bridge.on('uploads.finish', ({ id }: { id: string }) => {
    const upload = anUpload({ id, name: 'view.jpe', mimeType: 'image/jpeg', state: 'blocked', ...refusedName })
    bridge.change({ uploads: { [id]: { ...upload, renaming: 'ready' } } })
    return upload
  })
  await showComposer(bridge)
  await choose(new File(['x'], 'view.jpe', { type: 'image/jpeg' }))
  fireEvent.click(await screen.findByRole('button', { name: 'Rename view.jpe' }))
  expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Name' }).value).toBe('view.jpg')
  fireEvent.submit(form())
  await waitFor(() => expect(bridge.inputsOf('uploads.describe')).toEqual([{ id: 'r1', name: 'view.jpg' }]))
})

test('a file the server refused is uploaded again under another name', async () => {
  const bridge = aPlaceToWrite({ uploads: [anUpload({ id: 'a', name: 'a.gpx', state: 'failed', reason: 'network' })] })
  await showComposer(bridge)
  fireEvent.click(screen.getByRole('button', { name: 'Rename a.gpx' }))
  type('Name', 'a.xml')
  fireEvent.submit(form())
  await waitFor(() => expect(bridge.inputsOf('uploads.retry')).toEqual([{ id: 'a' }]))
  expect(bridge.inputsOf('uploads.describe')).toEqual([{ id: 'a', name: 'a.xml' }])
})

/** A canvas whose pictures have as many bytes as pixels in a row. Returns the widths that were drawn. */
function withCanvas(): readonly number[] {
  const drawn: number[] = []
  vi.stubGlobal('createImageBitmap', async () => ({ width: 1_000, height: 500, close: () => {} }))
  class Canvas {
    readonly width: number
    constructor(width: number) {
      this.width = width
    }
    readonly getContext = () => ({ drawImage: () => {} })
    readonly convertToBlob = async ({ type: as }: { type: string }) => {
      drawn.push(this.width)
      return new Blob([new Uint8Array(this.width)], { type: as })
    }
  }
  vi.stubGlobal('OffscreenCanvas', Canvas)
  return drawn
}

test('a picture over the limit is attached as a smaller copy named as one', async () => {
  const drawn = withCanvas()
  const bridge = refusing(({ sizeBytes }) => (sizeBytes > 600 ? { reason: 'size_limit', limit: 600 } : undefined))
  await showComposer(bridge)
  await choose(new File([new Uint8Array(2_000)], 'view.png', { type: 'image/png' }))
  fireEvent.click(await screen.findByRole('button', { name: 'Create a smaller copy of view.png' }))
  await waitFor(() => expect(tiles()[0]).toMatch(/^view \(smaller\)\.webp, 500/))
  expect(drawn).toEqual([1_000, 750, 500])
})

test('a smaller copy takes the place of its picture, which stays where the copy is refused too', async () => {
  withCanvas()
  let isRefused = true
  const bridge = refusing(({ name, sizeBytes }) => {
    if (sizeBytes > 600 && name.endsWith('.png')) return { reason: 'size_limit', limit: 600 }
    return isRefused && name.endsWith('.webp') ? { reason: 'allowed_file_extensions', listed: ['.png'] } : undefined
  })
  await showComposer(bridge)
  await choose(new File([new Uint8Array(2_000)], 'view.png', { type: 'image/png' }), file('notes.txt'))
  const shrink = () => screen.getByRole('button', { name: 'Create a smaller copy of view.png' })
  await waitFor(() => expect(tiles()).toHaveLength(2))
  await userEvent.click(shrink())
  await waitFor(() => expect(bridge.inputsOf('uploads.cancel')).toEqual([{ id: 'r3' }]))
  expect(tiles()).toEqual(['view.png, 2 kB. The limit is 600 bytes.', 'notes.txt, 1 byte'])
  isRefused = false
  await userEvent.click(shrink())
  await waitFor(() => expect(tiles()).toEqual(['view (smaller).webp, 500 bytes', 'notes.txt, 1 byte']))
})

test('a smaller copy of an animated picture is not made, because it would be still', async () => {
  const drawn = withCanvas()
  const bridge = refusing(({ sizeBytes }) => (sizeBytes > 600 ? { reason: 'size_limit', limit: 600 } : undefined))
  await showComposer(bridge)
  const animated = Buffer.concat([Buffer.from('RIFF\0\0\0\0WEBPVP8X\n\0\0\0\u0002', 'latin1'), Buffer.alloc(900)])
  await choose(new File([animated], 'wave.webp', { type: 'image/webp' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Create a smaller copy of wave.webp' }))
  expect(await screen.findByText(/Couldn’t create a smaller copy/)).toBeTruthy()
  expect(drawn).toEqual([])
  expect(tiles()).toHaveLength(1)
})

test('after a file was removed elsewhere, one attempt says so and the next sends the message without it', async () => {
  const bridge = aPlaceToWrite({
    uploads: [anUpload({ id: 'u1', name: 'a.txt' }), anUpload({ id: 'u2', name: 'b.txt' })],
  })
  bridge.on('messages.send', ({ uploadIds }: { uploadIds: readonly string[] }) => {
    if (uploadIds.includes('u1')) throw Object.assign(new Error('no'), { code: 'upload/unknown' })
    return 'new'
  })
  await showComposer(bridge)
  await userEvent.type(field(), 'see this')
  act(() => bridge.change({}, [], { uploads: ['u1'], drafts: [cid] }))
  await userEvent.type(field(), '{Enter}')
  expect(await screen.findByText(/no longer knows this upload/)).toBeTruthy()
  await userEvent.type(field(), '{Enter}')
  await waitFor(() => expect(sentBy(bridge).map(({ uploadIds }) => uploadIds)).toEqual([['u1', 'u2'], ['u2']]))
})
