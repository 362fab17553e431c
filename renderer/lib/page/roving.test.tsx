import { useRef } from 'react'
import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { useRoving } from './roving.ts'

afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

type Options = Partial<Parameters<typeof useRoving>[0]> & { readonly shown?: readonly string[] }

function List({ ids = ['a', 'b', 'c', 'd'], shown = ids, ...options }: Options) {
  const roving = useRoving({ ids, ...options })
  const own = useRef<HTMLDivElement>(null)
  const { ref, ...listeners } = roving.containerProps
  return (
    <div
      ref={(element) => {
        ref.current = element
        own.current = element
      }}
      role="toolbar"
      {...listeners}
    >
      {shown.map((id) => (
        <button key={id} {...roving.itemProps(id)}>
          {id}
        </button>
      ))}
      <input aria-label="field" />
    </div>
  )
}

const focused = () => document.activeElement?.textContent
const stops = () => screen.getAllByRole<HTMLButtonElement>('button').filter(({ tabIndex }) => tabIndex === 0)

test('a list is one tab stop, and remembers the item that had the focus', async () => {
  render(<List />)
  await userEvent.tab()
  expect(focused()).toBe('a')
  await userEvent.keyboard('{ArrowDown}{ArrowDown}')
  expect(focused()).toBe('c')
  await userEvent.tab()
  await userEvent.tab({ shift: true })
  expect(focused()).toBe('c')
  expect(stops().map((stop) => stop.textContent)).toEqual(['c'])
})

test('arrows stop at the ends, or wrap around if enabled; Home and End move to the ends', async () => {
  const { rerender } = render(<List />)
  await userEvent.tab()
  await userEvent.keyboard('{ArrowUp}')
  expect(focused()).toBe('a')
  await userEvent.keyboard('{End}{ArrowDown}')
  expect(focused()).toBe('d')
  rerender(<List wrap />)
  await userEvent.keyboard('{ArrowDown}')
  expect(focused()).toBe('a')
  await userEvent.keyboard('{ArrowUp}{Home}')
  expect(focused()).toBe('a')
})

test('only the arrows of its direction move', async () => {
  const { rerender } = render(<List orientation="horizontal" />)
  await userEvent.tab()
  await userEvent.keyboard('{ArrowDown}')
  expect(focused()).toBe('a')
  await userEvent.keyboard('{ArrowRight}')
  expect(focused()).toBe('b')
  rerender(<List orientation="both" />)
  await userEvent.keyboard('{ArrowUp}')
  expect(focused()).toBe('a')
})

test('Page Up and Page Down move by a page if its size is known; keys with modifiers are ignored', async () => {
  render(<List pageSize={2} />)
  await userEvent.tab()
  await userEvent.keyboard('{PageDown}')
  expect(focused()).toBe('c')
  await userEvent.keyboard('{PageDown}')
  expect(focused()).toBe('d')
  await userEvent.keyboard('{PageUp}{Control>}{ArrowDown}{/Control}')
  expect(focused()).toBe('b')
})

test('the selected item is the first tab stop; if it is removed, the first item is', () => {
  const { rerender } = render(<List initialId="c" />)
  expect(stops().map((stop) => stop.textContent)).toEqual(['c'])
  rerender(<List initialId="c" ids={['a', 'b']} />)
  expect(stops().map((stop) => stop.textContent)).toEqual(['a'])
})

test('a field inside it handles the arrows itself', async () => {
  render(<List />)
  await userEvent.click(screen.getByRole('textbox'))
  await userEvent.keyboard('{ArrowDown}')
  expect(document.activeElement).toBe(screen.getByRole('textbox'))
})

test('an item that a long list has not rendered is revealed before it gets the focus', async () => {
  const frames: FrameRequestCallback[] = []
  vi.spyOn(window, 'requestAnimationFrame').mockImplementation((frame) => frames.push(frame))
  const reveal = vi.fn<(id: string) => void>()
  const { rerender } = render(<List shown={['a', 'b']} reveal={reveal} />)
  await userEvent.tab()
  await userEvent.keyboard('{End}')
  expect(reveal).toHaveBeenCalledExactlyOnceWith('d')
  rerender(<List reveal={reveal} />)
  for (let frame = frames.shift(); frame !== undefined; frame = frames.shift()) frame(0)
  expect(focused()).toBe('d')
})
