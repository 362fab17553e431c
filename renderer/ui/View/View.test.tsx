import { createRef } from 'react'
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { Empty, Skeleton, Spinner } from './Empty.tsx'
import { Still } from './Still.tsx'
import { View } from './View.tsx'

afterEach(cleanup)

test('a view is the main landmark with its title as name, and its heading has the focus', () => {
  render(
    <View icon="bell" title="Reminders" subtitle="3 to come">
      <p>Rows</p>
    </View>,
  )
  const main = screen.getByRole('main', { name: 'Reminders' })
  expect(main.contains(screen.getByText('Rows'))).toBe(true)
  expect(screen.getByText('3 to come')).toBeTruthy()
  expect(document.activeElement).toBe(screen.getByRole('heading', { level: 1, name: 'Reminders' }))
})

test('the back button has the name of the list, and exists only in narrow windows', async () => {
  const onPress = vi.fn<() => void>()
  const { rerender } = render(
    <View icon="bell" title="Reminders">
      Rows
    </View>,
  )
  expect(screen.queryByRole('button')).toBeNull()
  rerender(
    <View icon="bell" title="Reminders" back={{ label: 'Back to the list', onPress }}>
      Rows
    </View>,
  )
  await userEvent.click(screen.getByRole('button', { name: 'Back to the list' }))
  expect(onPress).toHaveBeenCalledOnce()
})

test('actions are in the header, a banner is between the header and the content', () => {
  render(
    <View icon="bell" title="Reminders" actions={<button>New</button>} banner={<p>Offline</p>}>
      Rows
    </View>,
  )
  const [head, banner, body] = [...screen.getByRole('main').children]
  expect(head?.contains(screen.getByRole('button', { name: 'New' }))).toBe(true)
  expect(banner?.textContent).toBe('Offline')
  expect(body?.textContent).toBe('Rows')
})

test('a view can focus its heading again', () => {
  const heading = createRef<HTMLHeadingElement>()
  render(
    <View icon="bell" title="Drafts" heading={heading}>
      <button>Row</button>
    </View>,
  )
  screen.getByRole('button', { name: 'Row' }).focus()
  heading.current?.focus()
  expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Drafts' }))
})

test('an empty state says so in a heading, with one action and an image that is not read out', () => {
  const { container } = render(
    <Empty scene="done" title="All caught up" action={<button>Show all</button>}>
      Nothing is unread.
    </Empty>,
  )
  expect(screen.getByRole('heading', { level: 2, name: 'All caught up' })).toBeTruthy()
  expect(screen.getByText('Nothing is unread.')).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Show all' })).toBeTruthy()
  expect(container.querySelector('svg')?.getAttribute('aria-hidden')).toBe('true')
})

test('each scene is a different picture in the same arch', () => {
  const drawing = (scene: 'clock' | 'outbox') => render(<Empty scene={scene} title="Empty" />).container.innerHTML
  const [clock, outbox] = [drawing('clock'), drawing('outbox')]
  expect(clock).not.toBe(outbox)
  expect(clock.match(/<circle/g)).toHaveLength(2)
  expect(outbox).not.toContain('<circle')
})

test('a skeleton has the size of what it replaces and is not read out', () => {
  const { container } = render(<Skeleton width="60%" height={12} />)
  const bar = container.firstElementChild as HTMLElement
  expect(bar.style.width).toBe('60%')
  expect(bar.style.height).toBe('12px')
  expect(bar.getAttribute('aria-hidden')).toBe('true')
})

test('a spinner is not read out: the control says that it is busy', () => {
  const spinner = render(<Spinner size={20} />).container.querySelector('svg')
  expect(spinner?.getAttribute('width')).toBe('20')
  expect(spinner?.getAttribute('aria-hidden')).toBe('true')
})

test('a picture that may be animated is drawn once, at most as large as it is shown', () => {
  const drawn = vi.fn<(...where: number[]) => void>()
  const [onLoad, onError] = [vi.fn<() => void>(), vi.fn<() => void>()]
  const image = document.createElement('img')
  Object.defineProperties(image, { naturalWidth: { value: 2_560 }, naturalHeight: { value: 1_280 } })
  vi.stubGlobal('Image', function FakeImage() {
    return image
  })
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue({
    drawImage: (_image: unknown, ...where: number[]) => drawn(...where),
  } as never)
  render(<Still src="blob:x" alt="A parrot" {...{ onLoad, onError }} />)
  fireEvent.load(image)
  expect(drawn.mock.calls).toEqual([[0, 0, 1_280, 640]])
  expect(onLoad).toHaveBeenCalledOnce()
  expect(screen.getByRole('img', { name: 'A parrot' })).toHaveProperty('width', 1_280)
  fireEvent.error(image)
  expect(onError).toHaveBeenCalledOnce()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})
