import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { Toast, ToastActions } from './Toast.tsx'

afterEach(cleanup)

test('a toast is an alert or a status, or a group named by its title where the text is announced elsewhere', () => {
  const toast = (role: 'alert' | 'status' | 'group') => (
    <Toast icon="bell" tone="info" role={role} title="Not sent" dismissLabel="Dismiss" onDismiss={() => undefined}>
      <p>Try again later.</p>
    </Toast>
  )
  const { rerender } = render(toast('alert'))
  expect(screen.getByRole('alert').textContent).toBe('Not sentTry again later.')
  rerender(toast('status'))
  expect(screen.getByRole('status').hasAttribute('aria-label')).toBe(false)
  rerender(toast('group'))
  expect(screen.getByRole('group', { name: 'Not sent' })).toBeTruthy()
})

test('a toast is dismissed by its named button, and its actions are separate buttons', async () => {
  const onDismiss = vi.fn<() => void>()
  const onUndo = vi.fn<() => void>()
  render(
    <Toast icon="bell" tone="success" role="status" title="Archived" dismissLabel="Dismiss" onDismiss={onDismiss}>
      <ToastActions>
        <button onClick={onUndo}>Undo</button>
      </ToastActions>
    </Toast>,
  )
  await userEvent.click(screen.getByRole('button', { name: 'Undo' }))
  expect(onDismiss).not.toHaveBeenCalled()
  await userEvent.click(screen.getByRole('button', { name: 'Dismiss' }))
  expect(onDismiss).toHaveBeenCalledOnce()
  expect(onUndo).toHaveBeenCalledOnce()
})
