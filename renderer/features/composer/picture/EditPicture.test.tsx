import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { AppError } from '#shared/lib/app-error.ts'
import { anUpload, aPlaceToWrite, RELEASE, showComposer, tiles } from '#kit/a-composer.tsx'

vi.setConfig({ testTimeout: 20_000 })

/** What was painted, in order, on the canvas that becomes the file. */
let painted: (readonly [string, ...unknown[]])[] = []
let size = { width: 0, height: 0 }

const context = {
  ...Object.fromEntries(
    [
      'save',
      'restore',
      'clearRect',
      'translate',
      'rotate',
      'scale',
      'beginPath',
      'rect',
      'clip',
      'moveTo',
      'lineTo',
    ].map((name) => [name, () => {}]),
  ),
  drawImage: (...all: readonly unknown[]) => void painted.push(['picture', ...all.slice(1)]),
  fillRect: (...all: readonly unknown[]) => void painted.push(['cover', context.fillStyle, ...all]),
  stroke: () => void painted.push(['line', context.strokeStyle]),
  fillStyle: '',
  strokeStyle: '',
}

class Canvas {
  constructor(width: number, height: number) {
    size = { width, height }
    painted = []
  }
  readonly getContext = () => context
  readonly convertToBlob = async ({ type }: { type: string }) => new Blob(['pixels'], { type })
}

beforeEach(() => {
  vi.stubGlobal('createImageBitmap', async () => ({ width: 400, height: 200, close: () => {} }))
  vi.stubGlobal('OffscreenCanvas', Canvas)
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const photo = anUpload({ id: 'a', name: 'a.jpg', mimeType: 'image/jpeg', kind: 'image', alt: 'A red door' })

async function opened(uploads = [photo]) {
  const bridge = aPlaceToWrite({ uploads })
  bridge.on('uploads.bytes', () => ({ base64: 'AAAA', sizeBytes: 3 }))
  await showComposer(bridge)
  await userEvent.click(screen.getByRole('button', { name: 'Edit the photo a.jpg' }))
  await screen.findByRole('dialog', { name: 'Edit photo' })
  await act(async () => {})
  return bridge
}

const surface = () => screen.getByRole('application')
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }))
const field = (name: string) => screen.getByRole<HTMLInputElement>('textbox', { name })
const fields = () => ['Left', 'Top', 'Width', 'Height'].map((name) => field(name).value)
const keys = (...all: readonly string[]) => all.forEach((key) => fireEvent.keyDown(surface(), { key }))

function setField(name: string, value: string): void {
  fireEvent.change(field(name), { target: { value } })
  fireEvent.blur(field(name))
}

test('a part is blacked out by keyboard in the pixels of the attached file, which takes the place of the original', async () => {
  const other = anUpload({ id: 'b', name: 'b.txt' })
  const bridge = await opened([photo, other])
  await userEvent.click(screen.getByRole('radio', { name: 'Black out' }))
  surface().focus()
  keys(' ', 'ArrowRight', 'ArrowDown', ' ')
  await press('Apply')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(bridge.inputsOf('uploads.begin')).toMatchObject([
    { name: 'a.jpg', mimeType: 'image/jpeg', alt: 'A red door', replaces: 'a' },
  ])
  expect(bridge.inputsOf('uploads.cancel')).toEqual([{ id: 'a' }])
  expect(tiles()).toEqual(['a.jpg, 6 bytes', 'b.txt, 8.4 MB'])
  expect(size).toEqual({ width: 400, height: 200 })
  expect(painted.map(([what]) => what)).toEqual(['picture', 'cover'])
  const [, , , , width, height] = painted[1] ?? ['']
  expect(painted[1]?.slice(0, 4)).toEqual(['cover', '#000000', 200, 100])
  expect([width, height].every((side) => Number(side) > 0)).toBe(true)
})

test('the fields crop by the pixel, and follow the picture when it is turned', async () => {
  await opened()
  expect(fields()).toEqual(['0', '0', '400', '200'])
  setField('Left', '100')
  setField('Width', '50')
  expect(fields()).toEqual(['100', '0', '50', '200'])
  await press('Rotate clockwise')
  expect(fields()).toEqual(['0', '100', '200', '50'])
  await press('Apply')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(size).toEqual({ width: 200, height: 50 })
  expect(painted[0]?.slice(1, 5)).toEqual([100, 0, 50, 200])
})

test('steps are undone and redone by button and key, and "Whole photo" takes the crop back', async () => {
  await opened()
  setField('Left', '100')
  await press('Undo')
  expect(fields()[0]).toBe('0')
  fireEvent.keyDown(surface(), { key: 'Z', ctrlKey: true, shiftKey: true })
  expect(fields()[0]).toBe('100')
  fireEvent.keyDown(surface(), { key: 'z', ctrlKey: true })
  expect(fields()[0]).toBe('0')
  await press('Redo')
  await press('Whole photo')
  expect(fields()).toEqual(['0', '0', '400', '200'])
})

test('a line is drawn in the chosen color', async () => {
  await opened()
  await userEvent.click(screen.getByRole('radio', { name: 'Draw' }))
  await userEvent.click(screen.getByRole('radio', { name: 'Yellow' }))
  surface().focus()
  keys('Enter', 'ArrowLeft', 'Enter')
  await press('Apply')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(painted.at(-1)).toEqual(['line', '#ffd60a'])
})

test('what was begun by keyboard is done when the focus goes to Apply: nothing stays visible by mistake', async () => {
  await opened()
  await userEvent.click(screen.getByRole('radio', { name: 'Black out' }))
  surface().focus()
  keys(' ', 'ArrowRight', 'ArrowDown')
  await press('Apply')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(painted.map(([what]) => what)).toEqual(['picture', 'cover'])
})

test('Escape ends a drag first; changes are discarded only after a question, and then nothing is attached', async () => {
  const bridge = await opened()
  surface().focus()
  keys(' ', 'ArrowRight')
  fireEvent.keyDown(surface(), { key: 'Escape' })
  expect(screen.getByRole('dialog', { name: 'Edit photo' })).toBeTruthy()
  await press('Rotate counterclockwise')
  fireEvent.keyDown(surface(), { key: 'Escape' })
  await screen.findByRole('alertdialog', { name: 'Discard your changes?' })
  await press('Discard')
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(bridge.inputsOf('uploads.begin')).toEqual([])
  expect(tiles()).toEqual(['a.jpg, 8.4 MB'])
})

test.each([
  ['cannot be decoded', async () => Promise.reject(new Error('broken')), /can’t be opened for editing/],
  ['has too many pixels', async () => ({ width: 20_000, height: 9, close: () => {} }), /too large to edit here/],
])('a photo that %s says so, and stays attached', async (_what, decoded, text) => {
  vi.stubGlobal('createImageBitmap', decoded)
  const bridge = await opened()
  expect((await screen.findByRole('alert')).textContent).toMatch(text)
  await press('Cancel')
  expect(bridge.inputsOf('uploads.cancel')).toEqual([])
})

test('an animated photo says that editing would stop it, and stays attached', async () => {
  const bridge = aPlaceToWrite({ uploads: [anUpload({ ...photo, id: 'w', name: 'w.webp', mimeType: 'image/webp' })] })
  const animated = Buffer.from('RIFF\0\0\0\0WEBPVP8X\n\0\0\0\u0002', 'latin1')
  bridge.on('uploads.bytes', () => ({ base64: animated.toString('base64'), sizeBytes: animated.length }))
  await showComposer(bridge)
  await press('Edit the photo w.webp')
  expect((await screen.findByRole('alert')).textContent).toMatch(/animated, and editing would stop it/)
  expect(bridge.inputsOf('uploads.cancel')).toEqual([])
})

test.each([
  ['cannot be copied completely', 'uploads.chunk', 'disk/full'],
  ['cannot be finished', 'uploads.finish', 'upload/size-mismatch'],
  ['cannot be named in the draft', 'drafts.save', 'disk/full'],
])('where the edited photo %s, the original stays in its place', async (_what, call, code) => {
  const bridge = await opened([photo, anUpload({ id: 'b', name: 'b.txt' })])
  await press('Rotate clockwise')
  bridge.on(call, () => Promise.reject(new AppError(code)))
  await press('Apply')
  expect((await screen.findByText(/original is still attached/)).textContent).toBeTruthy()
  await waitFor(() => expect(bridge.inputsOf('uploads.cancel')).toEqual([{ id: 'n1' }]))
  expect(tiles()).toEqual(['a.jpg, 8.4 MB', 'b.txt, 8.4 MB'])
})

test('the original is removed only once the edited photo is on disk and in the draft', async () => {
  const bridge = await opened()
  const copied = Promise.withResolvers<void>()
  const saved = Promise.withResolvers<{ revision: number }>()
  bridge.on('uploads.chunk', () => copied.promise)
  bridge.on('drafts.save', () => saved.promise)
  await press('Rotate clockwise')
  await press('Apply')
  await waitFor(() => expect(bridge.inputsOf('uploads.chunk')).toHaveLength(1))
  expect(tiles()).toEqual(['a.jpg, 8.4 MB'])
  copied.resolve()
  await waitFor(() => expect(bridge.inputsOf('drafts.save').at(-1)).toMatchObject({ uploadIds: ['n1'] }))
  expect(bridge.inputsOf('uploads.cancel')).toEqual([])
  saved.resolve({ revision: 7 })
  await waitFor(() => expect(bridge.inputsOf('uploads.cancel')).toEqual([{ id: 'a' }]))
})

/** A turned photo whose copy is on its way until `copied` is resolved. */
async function applying() {
  const bridge = await opened()
  const copied = Promise.withResolvers<void>()
  bridge.on('uploads.chunk', () => copied.promise)
  await press('Rotate clockwise')
  await press('Apply')
  await waitFor(() => expect(bridge.inputsOf('uploads.chunk')).toHaveLength(1))
  return { bridge, copied }
}

test('Escape stops what Apply has begun: the changes stay in the editor, and the original attached', async () => {
  const { bridge, copied } = await applying()
  fireEvent.keyDown(surface(), { key: 'Escape' })
  copied.resolve()
  await waitFor(() => expect(bridge.inputsOf('uploads.cancel')).toEqual([{ id: 'n1' }]))
  expect(screen.queryByRole('alertdialog')).toBeNull()
  expect(screen.queryByRole('alert')).toBeNull()
  expect(fields()).toEqual(['0', '0', '200', '400'])
  expect(tiles()).toEqual(['a.jpg, 8.4 MB'])
  await press('Apply')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(bridge.inputsOf('uploads.cancel')).toEqual([{ id: 'n1' }, { id: 'a' }])
})

test('a photo that another window sends meanwhile is not replaced, and its editor closes', async () => {
  const { bridge, copied } = await applying()
  act(() => bridge.change({ draftRevisions: { [RELEASE]: 9 } }, [], { drafts: [RELEASE] }))
  copied.resolve()
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(bridge.inputsOf('uploads.cancel')).toEqual([{ id: 'n1' }])
  expect(screen.queryByRole('listitem')).toBeNull()
})

test('where the edited photo is refused, the original stays and the dialog says so', async () => {
  const bridge = await opened()
  bridge.on('uploads.begin', () => anUpload({ id: 'x', name: 'a.jpg', state: 'blocked', reason: 'size_limit' }))
  await press('Rotate clockwise')
  await press('Apply')
  expect((await screen.findByRole('alert')).textContent).toMatch(/original is still attached/)
  expect(bridge.inputsOf('uploads.cancel')).toEqual([{ id: 'x' }])
})

test('animated and other files are not offered for editing', async () => {
  const gif = anUpload({ id: 'g', name: 'g.gif', mimeType: 'image/gif', kind: 'image' })
  await showComposer(aPlaceToWrite({ uploads: [gif, anUpload({ id: 't', name: 't.txt' })] }))
  expect(screen.queryByRole('button', { name: /Edit the photo/ })).toBeNull()
})
