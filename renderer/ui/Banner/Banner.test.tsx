import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { Banner } from './Banner.tsx'

afterEach(cleanup)

test('a banner is announced as a status, unless its text is announced elsewhere', () => {
  const { rerender } = render(<Banner icon="bell">No connection</Banner>)
  expect(screen.getByRole('status').textContent).toBe('No connection')
  rerender(
    <Banner icon="bell" silent>
      No connection
    </Banner>,
  )
  expect(screen.queryByRole('status')).toBeNull()
  expect(screen.getByText('No connection')).toBeTruthy()
})

test('without an action it has no button; with one, the button runs it once at a time', async () => {
  const onAction = vi.fn<() => void>()
  const { rerender } = render(<Banner icon="bell">No connection</Banner>)
  expect(screen.queryByRole('button')).toBeNull()
  rerender(
    <Banner icon="bell" action="Try again" onAction={onAction}>
      No connection
    </Banner>,
  )
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
  rerender(
    <Banner icon="bell" action="Try again" working onAction={onAction}>
      No connection
    </Banner>,
  )
  const button = screen.getByRole('button', { name: 'Try again' })
  expect(button.getAttribute('aria-busy')).toBe('true')
  await userEvent.click(button)
  expect(onAction).toHaveBeenCalledOnce()
})
