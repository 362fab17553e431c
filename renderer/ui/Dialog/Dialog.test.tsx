import { createRef } from 'react'
import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { startI18n } from '../../i18n/index.ts'
import { Dialog, DialogText, Refusal } from './Dialog.tsx'
import { TopMost } from '../Modal/Modal.tsx'
import { TypedDialog } from './TypedDialog.tsx'

beforeEach(() => startI18n('en'))
afterEach(cleanup)

const nothing = (): void => undefined

test('a dialog is named by its title; its first field has the focus', () => {
  render(
    <Dialog title="Rename" onClose={nothing} actions={<button>Save</button>}>
      <a href="https://example.org">Help</a>
      <input aria-label="Name" />
    </Dialog>,
  )
  expect(screen.getByRole('dialog', { name: 'Rename' })).toBeTruthy()
  expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'Name' }))
})

test('without a field the first control after the close button has the focus; without a control the dialog itself', () => {
  const { unmount } = render(
    <Dialog title="Leave?" onClose={nothing} actions={<button>Stay</button>}>
      Text
    </Dialog>,
  )
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Stay' }))
  unmount()
  render(
    <Dialog title="About" onClose={nothing}>
      Text
    </Dialog>,
  )
  expect(document.activeElement).toBe(screen.getByRole('dialog', { name: 'About' }))
})

test('what stays visible above a dialog does not get its focus', () => {
  render(
    <>
      <TopMost>
        <button>Show reminders</button>
      </TopMost>
      <Dialog title="About" onClose={nothing}>
        Text
      </Dialog>
    </>,
  )
  const dialog = screen.getByRole('dialog', { name: 'About' })
  expect(dialog.contains(screen.getByRole('button', { name: 'Show reminders' }))).toBe(true)
  expect(document.activeElement).toBe(dialog)
})

test('a question that needs an answer is an alert dialog, read out with its text, and starts on the safe button', () => {
  const safe = createRef<HTMLButtonElement>()
  render(
    <Dialog
      alert
      title="Delete?"
      initialFocus={safe}
      onClose={nothing}
      actions={
        <>
          <button>Delete</button>
          <button ref={safe}>Cancel</button>
        </>
      }
    >
      <DialogText>It cannot be undone.</DialogText>
    </Dialog>,
  )
  expect(screen.getByRole('alertdialog', { name: 'Delete?', description: 'It cannot be undone.' })).toBeTruthy()
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Cancel' }))
})

test('Escape and the close button close it; a hint is in its footer', async () => {
  const onClose = vi.fn<() => void>()
  render(
    <Dialog title="About" hint="Version 1" actions={<button>Copy</button>} onClose={onClose}>
      Text
    </Dialog>,
  )
  expect(screen.getByText('Version 1')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Close' }))
  await userEvent.keyboard('{Escape}')
  expect(onClose).toHaveBeenCalledTimes(2)
})

test('a dialog that is a form is submitted with Enter, and the page is not left', async () => {
  const onSubmit = vi.fn<() => void>()
  render(
    <Dialog title="Rename" onSubmit={onSubmit} onClose={nothing} actions={<button type="submit">Save</button>}>
      <input aria-label="Name" />
    </Dialog>,
  )
  await userEvent.type(screen.getByRole('textbox'), 'Ola{Enter}')
  expect(onSubmit).toHaveBeenCalledOnce()
})

test('a refusal is read out when it appears, and renders nothing without a text', () => {
  const { container, rerender } = render(<Refusal text={undefined} />)
  expect(container.innerHTML).toBe('')
  rerender(<Refusal text="The server is not reachable." />)
  expect(screen.getByRole('alert').textContent).toBe('The server is not reachable.')
})

function deleting(more: Partial<Parameters<typeof TypedDialog>[0]> = {}) {
  return (
    <TypedDialog
      title="Delete #release?"
      text="All messages are deleted."
      confirm="Delete"
      name="release"
      working={false}
      error={undefined}
      onTyped={nothing}
      onConfirm={nothing}
      onClose={nothing}
      {...more}
    />
  )
}
const field = () => screen.getByRole('textbox', { name: 'Type release to confirm' })

test('what cannot be undone is done only after its name was typed, ignoring spaces around it', async () => {
  const onConfirm = vi.fn<() => void>()
  const onTyped = vi.fn<() => void>()
  render(deleting({ onConfirm, onTyped }))
  const button = screen.getByRole('button', { name: 'Delete' })
  expect(button.getAttribute('aria-disabled')).toBe('true')
  await userEvent.type(field(), 'relea{Enter}')
  expect(onConfirm).not.toHaveBeenCalled()
  expect(screen.getByRole('alert').textContent).toBe('The name doesn’t match')
  await userEvent.type(field(), 'se ')
  expect(screen.queryByRole('alert')).toBeNull()
  expect(button.hasAttribute('aria-disabled')).toBe(false)
  await userEvent.click(button)
  expect(onConfirm).toHaveBeenCalledOnce()
  expect(onTyped).toHaveBeenCalledTimes(8)
})

test('it shows errors and that it is busy, and Cancel closes it', async () => {
  const onClose = vi.fn<() => void>()
  const { rerender } = render(deleting({ error: 'No connection', onClose }))
  expect(screen.getByRole('alert').textContent).toBe('No connection')
  rerender(deleting({ working: true, onClose }))
  expect(screen.getByRole('button', { name: 'Delete', busy: true })).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }))
  expect(onClose).toHaveBeenCalledOnce()
})
