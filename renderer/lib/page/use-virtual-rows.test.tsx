import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { useVirtualRows } from './use-virtual-rows.ts'

afterEach(() => {
  cleanup()
  document.documentElement.style.fontSize = ''
})

/** 1,000 rows of 40 pixels, without a layout: a view of 800 pixels is assumed. */
function List({ mountedIndex, toReveal = 0 }: { readonly mountedIndex?: number; readonly toReveal?: number }) {
  const { attach, total, shown, styleOf, reveal } = useVirtualRows({ heights: HEIGHTS, mountedIndex })
  return (
    <ul ref={attach}>
      {shown.map((index) => (
        <li key={index} style={styleOf(index)}>
          {index}
        </li>
      ))}
      <output>{total}</output>
      <button onClick={() => reveal(toReveal)}>Reveal</button>
    </ul>
  )
}
const HEIGHTS = Array.from({ length: 1_000 }, () => 40)

const shown = () => screen.getAllByRole('listitem').map((row) => Number(row.textContent))
const scroller = () => screen.getByRole('list')
function scroll(top: number): void {
  scroller().scrollTop = top
  fireEvent.scroll(scroller())
}

test('only the rows in view and slightly beyond are rendered, each in its place', () => {
  render(<List />)
  expect(shown()[0]).toBe(0)
  expect(shown().at(-1)).toBe(30)
  expect(screen.getByRole('status').textContent).toBe('40000')
  scroll(20_000)
  expect(shown()[0]).toBe(490)
  expect(shown().at(-1)).toBe(530)
  expect(screen.getByText('500').style.top).toBe('20000px')
  scroll(40_000)
  expect(shown().at(-1)).toBe(999)
})

test('the row with the focus stays rendered wherever the list is scrolled', () => {
  const { rerender } = render(<List mountedIndex={3} />)
  expect(shown().filter((index) => index === 3)).toHaveLength(1)
  scroll(20_000)
  expect(shown().slice(0, 2)).toEqual([3, 490])
  rerender(<List mountedIndex={900} />)
  expect(shown().at(-1)).toBe(900)
  rerender(<List mountedIndex={-1} />)
  expect(shown()).not.toContain(-1)
})

/** Each row is as high as the view is wide. */
const squares = (width: number) => [width, width, width]
function Squares() {
  const { attach, total } = useVirtualRows({ heights: squares })
  return (
    <div ref={attach}>
      <output>{total}</output>
    </div>
  )
}

test('rows that wrap are as high as the width of the view makes them, at the normal text size', () => {
  document.documentElement.style.fontSize = '32px'
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(100)
  onTestFinished(() => void vi.restoreAllMocks())
  render(<Squares />)
  // Half as wide at the normal size, and each row twice as high again.
  expect(screen.getByRole('status').textContent).toBe('300')
})

test('a row is revealed by the least scrolling', () => {
  const { rerender } = render(<List />)
  Object.defineProperty(scroller(), 'clientHeight', { value: 400 })
  scroll(1_000)
  const topAfter = (toReveal: number): number => {
    rerender(<List toReveal={toReveal} />)
    fireEvent.click(screen.getByRole('button', { name: 'Reveal' }))
    return scroller().scrollTop
  }
  expect([26, 10, 30, 5_000].map(topAfter)).toEqual([1_000, 400, 840, 840])
})

test('rows grow with the text size', () => {
  document.documentElement.style.fontSize = '20px'
  render(<List />)
  expect(screen.getByRole('status').textContent).toBe('50000')
  expect(screen.getByText('2').style.height).toBe('50px')
})
