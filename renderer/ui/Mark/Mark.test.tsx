import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { Mark, Count } from './Mark.tsx'
import { MenuPill, Pill, PillOn, PopoverPill, Tag } from './Pill.tsx'

afterEach(cleanup)

test('a count is capped at 99+ and is not read out: the control around it names the number', () => {
  const { container, rerender } = render(<Count value={99} />)
  expect(container.textContent).toBe('99')
  rerender(<Count value={100} />)
  expect(container.textContent).toBe('99+')
  expect(container.firstElementChild?.getAttribute('aria-hidden')).toBe('true')
})

test('the logo of Parlor has the requested size and is not read out', () => {
  const { container } = render(<Mark size={40} />)
  const mark = container.querySelector('svg')
  expect(mark?.getAttribute('width')).toBe('40')
  expect(mark?.getAttribute('aria-hidden')).toBe('true')
})

test('a tag is text and not a control', () => {
  render(<Tag tone="warning">Guest</Tag>)
  expect(screen.getByText('Guest')).toBeTruthy()
  expect(screen.queryByRole('button')).toBeNull()
})

test('a filter is added by a click', async () => {
  const onPress = vi.fn<() => void>()
  render(<Pill icon="search" text="Has a file" onPress={onPress} />)
  await userEvent.click(screen.getByRole('button', { name: 'Has a file' }))
  expect(onPress).toHaveBeenCalledOnce()
})

test('a filter with values opens a menu of them, created when it opens', async () => {
  const onSelect = vi.fn<() => void>()
  const items = vi.fn<() => { id: string; label: string; onSelect: () => void }[]>(() => [
    { id: 'week', label: 'This week', onSelect },
  ])
  render(<MenuPill icon="clock" text="Sent" items={items} />)
  const pill = screen.getByRole('button', { name: 'Sent', expanded: false })
  expect(items).not.toHaveBeenCalled()
  await userEvent.click(pill)
  expect(screen.getByRole('button', { name: 'Sent', expanded: true })).toBe(pill)
  expect(screen.getByRole('menu', { name: 'Sent' })).toBeTruthy()
  await userEvent.click(screen.getByRole('menuitem', { name: 'This week' }))
  expect(onSelect).toHaveBeenCalledOnce()
  expect(screen.queryByRole('menu')).toBeNull()
})

test('a filter whose values are searched opens a small dialog that its content can close', async () => {
  render(
    <PopoverPill icon="users" text="From">
      {(close) => <button onClick={close}>Ola</button>}
    </PopoverPill>,
  )
  const pill = screen.getByRole('button', { name: 'From' })
  await userEvent.click(pill)
  expect(screen.getByRole('dialog', { name: 'From' })).toBeTruthy()
  expect(pill.getAttribute('aria-expanded')).toBe('true')
  await userEvent.click(screen.getByRole('button', { name: 'Ola' }))
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(pill.getAttribute('aria-expanded')).toBe('false')
})

test('an active filter says what a click does, and is removed by it', async () => {
  const onRemove = vi.fn<() => void>()
  render(<PillOn sign={<i>sign</i>} text="From Ola" label="Remove the filter: from Ola" onRemove={onRemove} />)
  const pill = screen.getByRole('button', { name: 'Remove the filter: from Ola' })
  expect(pill.textContent).toBe('signFrom Ola')
  await userEvent.click(pill)
  expect(onRemove).toHaveBeenCalledOnce()
})
