import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { Button, IconButton } from './Button.tsx'

afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

test('a button is pressed by mouse, Enter and Space', async () => {
  const onClick = vi.fn<() => void>()
  render(<Button onClick={onClick}>Save</Button>)
  const button = screen.getByRole('button', { name: 'Save' })
  await userEvent.click(button)
  await userEvent.keyboard('{Enter}')
  await userEvent.keyboard(' ')
  expect(onClick).toHaveBeenCalledTimes(3)
})

test('while it works a button keeps its name and the focus, says that it is busy, and ignores presses', async () => {
  const onClick = vi.fn<() => void>()
  const { rerender } = render(<Button onClick={onClick}>Save</Button>)
  const button = screen.getByRole('button', { name: 'Save' })
  button.focus()
  rerender(
    <Button working onClick={onClick}>
      Save
    </Button>,
  )
  await userEvent.keyboard('{Enter}')
  expect(onClick).not.toHaveBeenCalled()
  expect(screen.getByRole('button', { name: 'Save', busy: true })).toBe(document.activeElement)
  expect(button.getAttribute('aria-disabled')).toBe('true')
})

test('a button sends a form only if it is the submit button', async () => {
  const onSubmit = vi.fn<(event: React.FormEvent) => void>((event) => event.preventDefault())
  render(
    <form onSubmit={onSubmit}>
      <Button>Cancel</Button>
      <Button type="submit">Send</Button>
    </form>,
  )
  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }))
  expect(onSubmit).not.toHaveBeenCalled()
  await userEvent.click(screen.getByRole('button', { name: 'Send' }))
  expect(onSubmit).toHaveBeenCalledOnce()
})

test('a spinner replaces the icon', () => {
  const { rerender } = render(<Button icon="bell">Save</Button>)
  const button = screen.getByRole('button')
  expect(button.querySelector('use')?.getAttribute('href')).toBe('#i-bell')
  rerender(
    <Button icon="bell" working>
      Save
    </Button>,
  )
  expect(button.querySelector('use')).toBeNull()
  expect(button.querySelectorAll('svg')).toHaveLength(1)
})

test('a button that is only an icon has a name, and says so as a toggle only if it is one', () => {
  const { rerender } = render(<IconButton icon="bell" label="Mute" />)
  const button = screen.getByRole('button', { name: 'Mute' })
  expect(button.hasAttribute('aria-pressed')).toBe(false)
  rerender(<IconButton icon="bell" label="Mute" pressed={false} />)
  expect(screen.getByRole('button', { name: 'Mute', pressed: false })).toBe(button)
  rerender(<IconButton icon="bell" label="Mute" pressed />)
  expect(screen.getByRole('button', { name: 'Mute', pressed: true })).toBe(button)
})

test('its tooltip shows the name and the keys', () => {
  vi.useFakeTimers()
  render(<IconButton icon="search" label="Search" keys={['Ctrl', 'K']} />)
  fireEvent.pointerEnter(screen.getByRole('button', { name: 'Search' }))
  act(() => void vi.advanceTimersByTime(500))
  expect(screen.getByRole('tooltip').textContent).toBe('SearchCtrlK')
})
