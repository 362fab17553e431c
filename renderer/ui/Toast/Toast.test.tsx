import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { Announcer, Toast, ToastActions, useAnnouncedOnce } from './Toast.tsx'

afterEach(cleanup)

test('a toast is a group named by its title, announced once by the standing regions', () => {
  const toast = (text: string, id: string) => (
    <>
      <Announcer />
      <Toast
        icon="bell"
        tone="info"
        title="Not sent"
        announcement={{ text, id, assertive: true }}
        dismissLabel="Dismiss"
        onDismiss={() => undefined}
      >
        <p>Try again later.</p>
      </Toast>
    </>
  )
  const { rerender } = render(toast('Not sent. Try again later.', 'a'))
  expect(screen.getByRole('group', { name: 'Not sent' }).textContent).toBe('Not sentTry again later.')
  expect(screen.getByRole('alert').textContent).toBe('Not sent. Try again later.')
  rerender(toast('Not sent. Try again in 9 s.', 'a'))
  expect(screen.getByRole('alert').textContent).toBe('Not sent. Try again later.')
  rerender(toast('Sent', 'b'))
  expect(screen.getByRole('alert').textContent).toBe('Not sent. Try again later. Sent.')
})

test('a toast is dismissed by its named button, and its actions are separate buttons', async () => {
  const onDismiss = vi.fn<() => void>()
  const onUndo = vi.fn<() => void>()
  render(
    <Toast
      icon="bell"
      tone="success"
      title="Archived"
      announcement={{ text: 'Archived' }}
      dismissLabel="Dismiss"
      onDismiss={onDismiss}
    >
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

test('what has no toast is announced as a toast is: once, and again when it is about something else', () => {
  const Said = (announcement: { readonly text: string; readonly id: string }) => {
    useAnnouncedOnce(announcement)
    return <Announcer />
  }
  const { rerender } = render(<Said text="2 reminders" id="2" />)
  expect(screen.getByRole('status').textContent).toBe('2 reminders')
  rerender(<Said text="2 reminders, one of them late" id="2" />)
  expect(screen.getByRole('status').textContent).toBe('2 reminders')
})
