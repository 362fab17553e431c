import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useEffect, useState, type ReactNode } from 'react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Attachment } from '#shared/domain/attachment.ts'
import type { Settings } from '#shared/domain/settings.ts'
import { asMessageId } from '#shared/lib/brand.ts'
import { sidebarKey } from '#shared/rules/channels/sidebar.ts'
import { aMessage, anAttachment, aSession, byId, createFakeBridge, someSettings } from '#kit/fake-bridge/index.ts'
import { anUpload } from '#kit/a-composer.tsx'
import { renderInApp } from '#kit/render-in-app.tsx'
import { viewerClosed } from '../../store/window/overlays.ts'
import { CustomEmoji } from '../emoji/index.ts'
import { Attachments } from './Attachments.tsx'
import { seekOfKey } from './MediaCards.tsx'

/** Mounts its content again when the page is scrolled, as a list does with a row that leaves the view and returns. */
function Scrolled({ children }: { readonly children: ReactNode }) {
  const [round, setRound] = useState(0)
  useEffect(() => {
    const remount = (): void => setRound((before) => before + 1)
    document.addEventListener('scroll', remount)
    return () => document.removeEventListener('scroll', remount)
  }, [])
  return <div key={round}>{children}</div>
}

async function show(
  attachments: readonly Attachment[],
  media: (ref: string) => string | undefined = () => 'blob:x',
  settings: Partial<Settings> = {},
) {
  const bridge = createFakeBridge({
    rows: {
      messages: byId([aMessage({ attachments })]),
      session: { self: aSession() },
      settings: { self: someSettings(settings) },
    },
    media,
  })
  const view = await renderInApp(
    <Scrolled>
      <Attachments messageId={asMessageId('m1')} attachments={attachments} uploads={[]} />
    </Scrolled>,
    bridge,
  )
  await act(() => Promise.resolve())
  return { ...view, bridge }
}

const player = (): HTMLMediaElement => {
  const found = document.querySelector<HTMLMediaElement>('audio, video')
  if (found === null) throw new Error('nothing plays here')
  return found
}

beforeEach(() => {
  // The test environment cannot play media: only the events are fired.
  vi.spyOn(HTMLMediaElement.prototype, 'play').mockImplementation(function (this: HTMLMediaElement) {
    fireEvent.play(this)
    return Promise.resolve()
  })
  vi.spyOn(HTMLMediaElement.prototype, 'pause').mockImplementation(function (this: HTMLMediaElement) {
    fireEvent.pause(this)
  })
})
afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

describe('a sound file', () => {
  const sound = anAttachment({ kind: 'audio', title: 'interview.mp3', duration: 724, sizeBytes: 11_200_000 })

  test('shows its name, length and size, and a download button', async () => {
    await show([sound])
    const card = screen.getByRole('group', { name: 'interview.mp3' })
    expect(within(card).getByText('12:04, 11.2 MB')).toBeTruthy()
    expect(within(card).getByRole('button', { name: 'Download interview.mp3' })).toBeTruthy()
  })

  test('plays in place; arrows move its position slider by five seconds', async () => {
    await show([sound])
    await userEvent.click(screen.getByRole('button', { name: 'Play interview.mp3' }))
    expect(screen.getByRole('button', { name: 'Pause interview.mp3' })).toBeTruthy()
    const slider = screen.getByRole('slider', { name: 'Position' })
    act(() => slider.focus())
    await userEvent.keyboard('{ArrowRight}{ArrowRight}')
    expect(player().currentTime).toBe(10)
    expect(slider.getAttribute('aria-valuetext')).toBe('0:10')
  })

  test('plays faster and slower by key, and Space on the slider pauses', async () => {
    await show([sound])
    expect(screen.queryByRole('button', { name: /^Playback speed/ })).toBeNull()
    await userEvent.click(screen.getByRole('button', { name: 'Play interview.mp3' }))
    const slider = screen.getByRole('slider', { name: 'Position' })
    act(() => slider.focus())
    await userEvent.keyboard('{Shift>}[Period][Period][Period][Comma]{/Shift}')
    expect(player().playbackRate).toBe(1.5)
    expect(screen.getByRole('button', { name: 'Playback speed 1.5' }).textContent).toBe('1.5×')
    await userEvent.keyboard(' ')
    expect(screen.getByRole('button', { name: 'Play interview.mp3' })).toBeTruthy()
  })

  test('pauses everything else that plays', async () => {
    await show([sound, anAttachment({ kind: 'voiceRecording', index: 1, duration: 47, waveform: [0.1, 0.9] })])
    await userEvent.click(screen.getByRole('button', { name: 'Play interview.mp3' }))
    await userEvent.click(screen.getByRole('button', { name: 'Play Voice message' }))
    expect(screen.getByRole('button', { name: 'Play interview.mp3' })).toBeTruthy()
    expect(screen.getByRole('button', { name: 'Pause Voice message' })).toBeTruthy()
  })
})

test('a voice recording cycles through its speeds', async () => {
  await show([anAttachment({ kind: 'voiceRecording', duration: 47, waveform: [0.1] })])
  const names: (string | null)[] = []
  for (let round = 0; round < 3; round++) {
    await userEvent.click(screen.getByRole('button', { name: /^Playback speed/ }))
    names.push(screen.getByRole('button', { name: /^Playback speed/ }).textContent)
  }
  expect(names).toEqual(['1.5×', '2×', '1×'])
})

test('when a voice recording ends, the next one starts at the same speed', async () => {
  const voice = (index: number) => anAttachment({ kind: 'voiceRecording', index, duration: 47, waveform: [0.1] })
  await show([voice(0), voice(1)])
  await userEvent.click(screen.getAllByRole('button', { name: /^Playback speed/ })[0] ?? document.body)
  const players = [...document.querySelectorAll('audio')]
  await userEvent.click(screen.getAllByRole('button', { name: 'Play Voice message' })[0] ?? document.body)
  fireEvent.ended(players[0] ?? document.body)
  await act(() => Promise.resolve())
  expect(players.map((player) => player.playbackRate)).toEqual([1.5, 1.5])
  expect(
    screen.getAllByRole('button', { name: /Voice message$/ }).map((button) => button.getAttribute('aria-label')),
  ).toEqual([expect.stringMatching(/^P/), 'Pause Voice message'])
})

test.each([
  ['ArrowUp', 15],
  ['ArrowLeft', 5],
  ['Home', 0],
  ['End', 60],
  ['a', undefined],
])('on the position slider, %s moves to %s', (key, to) => {
  expect(seekOfKey(key, 10, 60)).toBe(to)
})

describe('a file', () => {
  const file = anAttachment({ kind: 'file', title: 'plan.pdf', sizeBytes: 4_700, hasThumb: false })

  test('shows a download in progress, which can be canceled', async () => {
    await show([file])
    const clicked = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined)
    fireEvent.click(screen.getByRole('button', { name: 'Download plan.pdf' }))
    expect(screen.getByRole('progressbar', { name: 'Downloading…' })).toBeTruthy()
    fireEvent.click(screen.getByRole('button', { name: 'Cancel the download of plan.pdf' }))
    await act(() => Promise.resolve())
    expect(screen.queryByRole('progressbar')).toBeNull()
    expect(clicked).not.toHaveBeenCalled()
  })

  test('has its name in the page once and whole, however much of it is shown', async () => {
    const title = 'closure-cases-week-47-and-all-of-the-weeks-before.csv'
    await show([{ ...file, title }])
    const card = screen.getByRole('group', { name: title })
    expect(card.querySelector('bdi')?.textContent).toBe(title)
  })

  test('shows a failed download', async () => {
    await show([file], () => undefined)
    fireEvent.click(screen.getByRole('button', { name: 'Download plan.pdf' }))
    await waitFor(() => expect(screen.getByText('Couldn’t download. Try again.')).toBeTruthy())
  })

  test('removed from the server has no buttons', async () => {
    await show([{ ...file, hasMedia: false }])
    expect(screen.getByText('The file was removed from the server')).toBeTruthy()
    expect(screen.queryByRole('button')).toBeNull()
  })
})

describe('a video', () => {
  const video = anAttachment({ kind: 'video', title: 'walk.mp4', duration: 32, sizeBytes: 18_400_000 })

  test('plays in place, with sound, on click', async () => {
    await show([video])
    await userEvent.click(screen.getByRole('button', { name: 'Play walk.mp4' }))
    expect(player().tagName).toBe('VIDEO')
    expect(player().hasAttribute('controls')).toBe(true)
    expect(player().muted).toBe(false)
  })

  test('that fails to load can be retried', async () => {
    const requests: string[] = []
    await show([{ ...video, hasThumb: false }], (ref) => {
      requests.push(ref)
      return undefined
    })
    await userEvent.click(screen.getByRole('button', { name: 'Play walk.mp4' }))
    const retry = await screen.findByRole('button', { name: /Couldn’t load. Try again/ })
    const before = requests.length
    await userEvent.click(retry)
    await waitFor(() => expect(requests.length).toBeGreaterThan(before))
  })
})

test('a click on an image opens it in the viewer', async () => {
  const { store } = await show([anAttachment(), anAttachment({ index: 1, title: 'ridge.png' })])
  await userEvent.click(screen.getByRole('button', { name: 'Photo 2 of 2: ridge.png' }))
  expect(store.getState().overlays.viewer).toEqual({ cid: 'messaging:general', messageId: 'm1', index: 1 })
})

test('of five images three are shown, and what says how many more there are opens the next one', async () => {
  const { store } = await show([0, 1, 2, 3, 4].map((index) => anAttachment({ index })))
  expect(screen.getAllByRole('button', { name: /^Photo/ })).toHaveLength(3)
  await userEvent.click(screen.getByRole('button', { name: '+2: show 2 more photos' }))
  expect(store.getState().overlays.viewer).toMatchObject({ messageId: 'm1', index: 3 })
  act(() => void store.dispatch(viewerClosed()))
  await userEvent.click(screen.getByRole('button', { name: 'Photo 3 of 5' }))
  expect(store.getState().overlays.viewer).toMatchObject({ messageId: 'm1', index: 2 })
})

test('with reduced motion what may be animated is a still picture, and a photo is as it is', async () => {
  const files = [
    anAttachment({ kind: 'giphy' }),
    anAttachment({ index: 1, title: 'parrot.gif' }),
    anAttachment({ index: 2, title: 'ridge.jpg' }),
  ]
  const media = (key: string) => `blob:${key}`
  await show(files, media, { motion: 'reduced' })
  await waitFor(() => expect(document.querySelectorAll('canvas')).toHaveLength(2))
  expect([...document.querySelectorAll('img')].map(({ src }) => src)).toEqual(['blob:att/m1.2'])
  cleanup()
  await show(files, media)
  await waitFor(() => expect(document.querySelectorAll('img')).toHaveLength(3))
})

describe('in a channel with hidden media', () => {
  const photo = anAttachment({ kind: 'image', title: 'ridge.png', sizeBytes: 2_100_000 })
  const video = anAttachment({ kind: 'video', index: 1, title: 'walk.mp4', sizeBytes: 8_000_000, hasThumb: true })
  const link = anAttachment({ kind: 'link', index: 2, title: 'Maps', linkUrl: 'https://maps.example/', hasThumb: true })
  const document_ = anAttachment({ kind: 'file', index: 3, title: 'plan.pdf' })
  const hiddenMedia = { [sidebarKey(aSession())]: [aMessage().cid] }

  test('images, videos and previews are folded to name and size, and loaded only when unfolded', async () => {
    const loaded: string[] = []
    const media = (ref: string) => {
      loaded.push(ref)
      return 'blob:x'
    }
    await show([photo, video, link, document_], media, { hiddenMedia })
    expect(screen.getAllByRole('button', { expanded: false }).map(nameOf)).toEqual([
      'Photo: ridge.png, 2.1 MB',
      'Video: walk.mp4, 8 MB',
      'Link preview: Maps',
    ])
    expect(screen.getByRole('group', { name: 'plan.pdf' })).toBeTruthy()
    expect(loaded).toEqual([])
    await userEvent.click(screen.getByRole('button', { name: 'Photo: ridge.png, 2.1 MB' }))
    expect(screen.getByRole('button', { name: 'Photo: ridge.png' })).toBeTruthy()
    await waitFor(() => expect(loaded).toEqual(['att/m1.0']))

    // A row that scrolled away comes back unfolded; another click folds it.
    fireEvent.scroll(document)
    expect(screen.getAllByRole('button', { expanded: false })).toHaveLength(2)
    await userEvent.click(screen.getByRole('button', { name: 'Photo: ridge.png, 2.1 MB' }))
    expect(screen.queryByRole('button', { name: 'Photo: ridge.png' })).toBeNull()
  })
})

describe('with blurred photos', () => {
  const photo = anAttachment({ kind: 'image', title: 'ridge.png' })
  const link = anAttachment({ kind: 'link', index: 1, title: 'Maps', linkUrl: 'https://maps.example/', hasThumb: true })
  const blurred = () => [...document.querySelectorAll('img')].map((image) => image.className.includes('blurred'))

  test('the first click shows a photo, the second opens it; a link preview is shown by its own button', async () => {
    const { store } = await show([photo, link], () => 'blob:x', { blurMedia: true })
    await waitFor(() => expect(blurred()).toEqual([true, true]))
    await userEvent.click(screen.getByRole('button', { name: 'Photo: ridge.png, blurred. Show it' }))
    expect(blurred()).toEqual([false, true])
    expect(store.getState().overlays.viewer).toBeUndefined()
    await userEvent.click(screen.getByRole('button', { name: 'Maps, blurred. Show it' }))
    expect(blurred()).toEqual([false, false])
    await userEvent.click(screen.getByRole('button', { name: 'Photo: ridge.png' }))
    expect(store.getState().overlays.viewer).toMatchObject({ messageId: 'm1', index: 0 })
  })

  test('nothing is blurred unless it is chosen', async () => {
    await show([photo, link], () => 'blob:x')
    await waitFor(() => expect(blurred()).toEqual([false, false]))
    expect(screen.queryByRole('button', { name: /blurred/ })).toBeNull()
  })
})

const nameOf = (element: HTMLElement): string | null => element.getAttribute('aria-label')

test.each([
  ['setup.exe', false],
  ['notes', false],
  ['plan.pdf', true],
])('%s can be opened in another app: %s', async (title, can) => {
  await show([anAttachment({ kind: 'file', title })])
  expect(screen.queryByRole('button', { name: `Open ${title} in another app` }) !== null).toBe(can)
  expect(screen.getByRole('button', { name: `Download ${title}` })).toBeTruthy()
})

test('an image that waits to be sent is shown as the image, without a share of its upload', async () => {
  const upload = anUpload({ id: 'u1', name: 'ridge.jpg', kind: 'image', state: 'finished', width: 800, height: 600 })
  const asked: string[] = []
  const bridge = createFakeBridge({
    rows: { session: { self: aSession() }, settings: { self: someSettings() } },
    media: (ref) => {
      asked.push(ref)
      return 'blob:x'
    },
  })
  await renderInApp(<Attachments messageId={asMessageId('m1')} attachments={[]} uploads={[upload]} />, bridge)
  const picture = screen.getByRole('group', { name: 'ridge.jpg' })
  await waitFor(() => expect(picture.querySelector('img')?.getAttribute('src')).toBe('blob:x'))
  expect(asked).toContain('upload/u1')
  expect(picture.textContent).toBe('')
})

test('a custom emoji whose picture does not arrive is its code', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  const bridge = createFakeBridge({
    rows: { emoji: { gerald: { name: 'gerald', aliases: [], image: 'emoji/gerald.1', moves: false } } },
    media: () => 'blob:never',
  })
  await renderInApp(<CustomEmoji name="gerald" />, bridge)
  await act(() => vi.advanceTimersByTimeAsync(100))
  expect(screen.getByText(':gerald:').className).not.toBe('')
  await act(() => vi.advanceTimersByTimeAsync(1_000))
  expect(screen.getByText(':gerald:').className).toBe('')
  fireEvent.load(document.querySelector('img') as HTMLImageElement)
  await act(() => vi.advanceTimersByTimeAsync(10))
  expect(screen.getByText(':gerald:').className).not.toBe('')
  vi.useRealTimers()
})
