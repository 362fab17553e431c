import { act, cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { StillResizeObserver } from '#kit/still-resize-observer.ts'
import { asCid, asMessageId } from '#shared/lib/brand.ts'
import {
  aChannel,
  aMessage,
  anAttachment,
  aSession,
  at,
  aUser,
  aWindow,
  byCid,
  byId,
  createFakeBridge,
} from '#kit/fake-bridge/index.ts'
import { renderInApp } from '#kit/render-in-app.tsx'
import { viewerOpened } from '../../store/window/overlays.ts'
import { ViewerHost } from './index.ts'

const CID = asCid('team:design')

const messages = (file = 'plan.zip') => [
  aMessage({
    id: 'm1',
    cid: CID,
    userId: 'tomek',
    text: 'This morning',
    createdAt: at(10, 31),
    attachments: [
      anAttachment({ title: 'dawn.png', alt: 'The sun behind the ridge', width: 1_600, height: 800 }),
      anAttachment({ index: 1, title: 'ridge.png' }),
    ],
  }),
  aMessage({ id: 'm2', cid: CID, text: 'words only' }),
  aMessage({
    id: 'm3',
    cid: CID,
    attachments: [
      anAttachment({ kind: 'link', linkUrl: 'https://example.com' }),
      anAttachment({ kind: 'file', index: 1, title: file, sizeBytes: 1_200, hasThumb: false }),
    ],
  }),
]

type Options = {
  readonly media?: (ref: string) => string | undefined
  readonly index?: number
  readonly host?: object
  /** Name of the last item. */
  readonly file?: string
}

async function show({ media, index = 0, host, file }: Options = {}) {
  const bridge = createFakeBridge({
    rows: {
      users: byId([aUser({ id: 'tomek', name: 'Tomasz Zieliński' }), aUser()]),
      channels: byCid([aChannel({ cid: CID, name: 'design' })]),
      messages: byId(messages(file)),
      session: { self: aSession() },
    },
    windows: [aWindow(`timeline:${CID}`, ['m1', 'm2', 'm3'])],
    media: media ?? ((ref) => `blob:${ref}`),
    host,
  })
  const view = await renderInApp(
    <>
      <button type="button">opener</button>
      <ViewerHost />
    </>,
    bridge,
  )
  act(() => bridge.change({}, [aWindow(`timeline:${CID}`, ['m1', 'm2', 'm3'])]))
  await act(() => Promise.resolve())
  screen.getByRole('button', { name: 'opener' }).focus()
  act(() => void view.store.dispatch(viewerOpened({ cid: CID, messageId: asMessageId('m1'), index })))
  return { ...view, bridge, dialog: await screen.findByRole('dialog', {}, { timeout: 10_000 }) }
}

const name = (): string | null => screen.getByRole('dialog').getAttribute('aria-label')
const frame = (): string => document.querySelector<HTMLElement>('[data-frame]')?.style.transform ?? ''

vi.setConfig({ testTimeout: 20_000 })
beforeEach(() => vi.stubGlobal('ResizeObserver', StillResizeObserver))
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

describe('the viewer', () => {
  test('shows name, author, time and place of the item, and has the focus', async () => {
    const { dialog } = await show()
    expect(name()).toBe('dawn.png, 1 of 3')
    expect(within(dialog).getByText('Tomasz Zieliński')).toBeTruthy()
    expect(within(dialog).getByText(/10:31.* in #design$/)).toBeTruthy()
    await waitFor(() => expect(document.activeElement).toBe(dialog))
  })

  test('arrows move through all loaded media of the conversation except links, and stop at the ends', async () => {
    await show()
    await userEvent.keyboard('{ArrowLeft}')
    expect(name()).toBe('dawn.png, 1 of 3')
    await userEvent.keyboard('{ArrowRight}')
    expect(name()).toBe('ridge.png, 2 of 3')
    await userEvent.keyboard('{End}')
    expect(name()).toBe('plan.zip, 3 of 3')
    await userEvent.keyboard('{ArrowRight}{Home}')
    expect(name()).toBe('dawn.png, 1 of 3')
  })

  test('the alt text of an image is shown below it', async () => {
    const { dialog } = await show()
    expect(within(dialog).getByText('The sun behind the ridge')).toBeDefined()
    await waitFor(() => expect(within(dialog).getByRole('img', { name: 'The sun behind the ridge' })).toBeDefined())
    await userEvent.keyboard('{ArrowRight}')
    expect(within(dialog).queryByText('The sun behind the ridge')).toBeNull()
  })

  test('a file has its card, and O opens it with another program', async () => {
    const { dialog, bridge } = await show()
    await userEvent.keyboard('{End}')
    expect(within(dialog).getByRole('group', { name: 'plan.zip' })).toBeTruthy()
    expect(within(dialog).getByText(/no preview/)).toBeTruthy()
    expect(within(dialog).queryByRole('button', { name: 'Rotate' })).toBeNull()
    await userEvent.keyboard('o')
    await userEvent.click(within(dialog).getByRole('button', { name: 'Open plan.zip in another app' }))
    const input = { messageId: 'm3', index: 1 }
    expect(bridge.inputsOf('data.openFile')).toEqual([input, input])
  })

  test('a file that runs when it is opened is not offered to other programs', async () => {
    const { dialog, bridge } = await show({ file: 'setup.exe' })
    await userEvent.keyboard('{End}')
    expect(within(dialog).queryByRole('button', { name: /in another app/ })).toBeNull()
    await userEvent.keyboard('o')
    await userEvent.click(within(dialog).getByRole('button', { name: 'More' }))
    expect(screen.getByRole('menuitem', { name: 'Show in conversation' })).toBeDefined()
    expect(screen.queryByRole('menuitem', { name: /in another app/ })).toBeNull()
    expect(bridge.inputsOf('data.openFile')).toEqual([])
  })

  test('plus, minus, 0 and R zoom in, zoom out, fit and rotate; another image resets the view', async () => {
    await show()
    await userEvent.keyboard('++')
    expect(frame()).toContain('scale(2.25)')
    await userEvent.keyboard('-')
    expect(frame()).toContain('scale(1.5)')
    await userEvent.keyboard('0r')
    expect(frame()).toContain('scale(1) rotate(90deg)')
    await userEvent.keyboard('{ArrowRight}')
    expect(frame()).toContain('scale(1) rotate(0deg)')
  })

  test('R rotates on a Russian layout too', async () => {
    const { dialog } = await show()
    act(() => void dialog.dispatchEvent(new KeyboardEvent('keydown', { key: 'к', code: 'KeyR', bubbles: true })))
    expect(frame()).toContain('rotate(90deg)')
  })

  test('Ctrl S saves what is shown, under its name', async () => {
    const clicked = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (
      this: HTMLAnchorElement,
    ) {
      saved.push(`${this.download} ${this.href}`)
    })
    const saved: string[] = []
    await show({ index: 1 })
    await userEvent.keyboard('{Control>}s{/Control}')
    await waitFor(() => expect(clicked).toHaveBeenCalledOnce())
    expect(saved).toEqual(['ridge.png blob:att/m1.1'])
  })

  test('Escape closes the viewer and the focus returns to the opener', async () => {
    await show()
    await userEvent.keyboard('{Escape}')
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'opener' }))
  })

  test('an image that fails to load can be retried', async () => {
    const requested: string[] = []
    await show({
      media: (ref) => {
        requested.push(ref)
        return undefined
      },
    })
    const retry = await screen.findByRole('button', { name: 'Try again' })
    const before = requested.filter((ref) => ref === 'att/m1.0').length
    await userEvent.click(retry)
    await waitFor(() => expect(requested.filter((ref) => ref === 'att/m1.0').length).toBeGreaterThan(before))
  })

  test('when its message is removed the neighbor is shown; without items the viewer closes', async () => {
    const { bridge } = await show()
    act(() => bridge.change({}, [aWindow(`timeline:${CID}`, ['m2', 'm3'])], { messages: ['m1'] }))
    await waitFor(() => expect(name()).toBe('plan.zip, 1 of 1'))
    act(() => bridge.change({}, [aWindow(`timeline:${CID}`, ['m2'])], { messages: ['m3'] }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  test('thumbnails are labelled with their position; the current one is the only tab stop', async () => {
    const { dialog } = await show()
    const strip = within(dialog).getByRole('list', { name: 'All media' })
    const thumbs = within(strip).getAllByRole('button')
    expect(thumbs.map((thumb) => thumb.getAttribute('aria-label'))).toEqual([
      '1 of 3: dawn.png',
      '2 of 3: ridge.png',
      '3 of 3: plan.zip',
    ])
    expect(thumbs.map((thumb) => [thumb.getAttribute('aria-current'), thumb.tabIndex])).toEqual([
      ['true', 0],
      ['false', -1],
      ['false', -1],
    ])
    await userEvent.click(thumbs[2] ?? dialog)
    expect(name()).toBe('plan.zip, 3 of 3')
  })

  test('forwarding closes the viewer and opens the forward dialog', async () => {
    const { store, dialog } = await show()
    await userEvent.click(within(dialog).getByRole('button', { name: 'Forward…' }))
    expect(store.getState().overlays).toEqual({ forward: ['m1'] })
  })

  test('copying an image reads its bytes through main; a file has no copy action', async () => {
    const { dialog, bridge } = await show({ host: { kind: 'electron' } })
    bridge.on('data.fileBytes', () => ({ base64: '', sizeBytes: 0 }))
    await userEvent.click(within(dialog).getByRole('button', { name: 'More' }))
    await userEvent.click(screen.getByRole('menuitem', { name: /Copy image/ }))
    expect(bridge.inputsOf('data.fileBytes')).toEqual([{ messageId: 'm1', index: 0, start: 0, length: 1 }])
    await userEvent.keyboard('{End}')
    await userEvent.click(within(dialog).getByRole('button', { name: 'More' }))
    expect(screen.queryByRole('menuitem', { name: /Copy image/ })).toBeNull()
  })
})
