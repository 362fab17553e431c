import { useState } from 'react'
import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { Segments, Radios, Select } from './Choice.tsx'
import { Switch } from './Switch.tsx'

afterEach(cleanup)

type Size = 'small' | 'normal' | 'large'
const SIZES = [
  { value: 'small', label: 'Small' },
  { value: 'normal', label: 'Normal', hint: 'Recommended' },
  { value: 'large', label: 'Large' },
] as const

test('radio buttons are a named group; a click on the row or an arrow key selects', async () => {
  const onChange = vi.fn<(size: Size) => void>()
  render(<Radios<Size> label="Text size" value="normal" choices={SIZES} onChange={onChange} />)
  expect(screen.getByRole('group', { name: 'Text size' })).toBeTruthy()
  expect(screen.getByRole<HTMLInputElement>('radio', { checked: true }).value).toBe('normal')
  await userEvent.click(screen.getByText('Large'))
  expect(onChange).toHaveBeenLastCalledWith('large')
  expect(screen.getByRole('radio', { name: /Normal\s*Recommended/ })).toBeTruthy()
})

test('two groups of radio buttons on one page do not share their choice', () => {
  const nothing = () => undefined
  render(
    <>
      <Radios<Size> label="Text size" value="normal" choices={SIZES} onChange={nothing} />
      <Radios<Size> label="Space" value="large" choices={SIZES} onChange={nothing} />
    </>,
  )
  expect(screen.getAllByRole<HTMLInputElement>('radio', { checked: true }).map(({ value }) => value)).toEqual([
    'normal',
    'large',
  ])
})

function SizeSegments({ onChange }: { readonly onChange: (size: Size) => void }) {
  const [size, setSize] = useState<Size>('normal')
  const choose = (next: Size): void => {
    setSize(next)
    onChange(next)
  }
  return <Segments<Size> label="Text size" value={size} choices={SIZES} onChange={choose} />
}

test('segments have one tab stop at the selected one; arrows wrap around and select', async () => {
  const onChange = vi.fn<(size: Size) => void>()
  render(<SizeSegments onChange={onChange} />)
  expect(screen.getByRole('radiogroup', { name: 'Text size' })).toBeTruthy()
  await userEvent.tab()
  expect(document.activeElement).toBe(screen.getByRole('radio', { name: 'Normal', checked: true }))
  await userEvent.keyboard('{ArrowRight}')
  expect(document.activeElement).toBe(screen.getByRole('radio', { name: 'Large', checked: true }))
  await userEvent.keyboard('{ArrowRight}')
  expect(screen.getByRole('radio', { checked: true }).textContent).toBe('Small')
  await userEvent.click(screen.getByRole('radio', { name: 'Normal' }))
  expect(onChange.mock.calls.map(([size]) => size)).toEqual(['large', 'small', 'normal'])
  await userEvent.tab()
  expect(document.activeElement).toBe(document.body)
})

test('the count of a segment is part of its name, and not shown when it is zero', () => {
  const named = (value: number) => ({ value: 'a', label: 'Requests', count: { value, name: `Requests, ${value}` } })
  const { rerender } = render(<Segments label="Lists" value="a" choices={[named(3)]} onChange={() => undefined} />)
  expect(screen.getByRole('radio', { name: 'Requests, 3' }).textContent).toBe('Requests3')
  rerender(<Segments label="Lists" value="a" choices={[named(0)]} onChange={() => undefined} />)
  expect(screen.getByRole('radio', { name: 'Requests' }).textContent).toBe('Requests')
})

test('a select has a name, shows its value and reports another choice', async () => {
  const onChange = vi.fn<(size: Size) => void>()
  render(<Select<Size> label="Text size" value="normal" choices={SIZES} onChange={onChange} />)
  const select = screen.getByRole<HTMLSelectElement>('combobox', { name: 'Text size' })
  expect(select.value).toBe('normal')
  await userEvent.selectOptions(select, 'Large')
  expect(onChange).toHaveBeenCalledExactlyOnceWith('large')
})

test('a switch is named and described by the text next to it, and is toggled by mouse and keyboard', async () => {
  const onChange = vi.fn<(on: boolean) => void>()
  render(
    <>
      <span id="name">Sounds</span>
      <span id="hint">For direct messages</span>
      <Switch labelledBy="name" describedBy="hint" on={false} onChange={onChange} />
    </>,
  )
  const control = screen.getByRole('switch', { name: 'Sounds', description: 'For direct messages', checked: false })
  await userEvent.click(control)
  await userEvent.keyboard(' ')
  expect(onChange.mock.calls).toEqual([[true], [true]])
})

test('a switch that cannot be changed can be focused and read, and keeps its value', async () => {
  const onChange = vi.fn<(on: boolean) => void>()
  render(<Switch labelledBy="name" on disabled onChange={onChange} />)
  await userEvent.tab()
  const control = screen.getByRole('switch', { checked: true })
  expect(document.activeElement).toBe(control)
  expect(control.getAttribute('aria-disabled')).toBe('true')
  await userEvent.keyboard('{Enter}')
  expect(onChange).not.toHaveBeenCalled()
})
