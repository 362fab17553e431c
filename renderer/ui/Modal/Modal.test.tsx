import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { Modal, modalOpened, onTopModal, topModal, TopMost } from './Modal.tsx'

afterEach(cleanup)

function Opener({ onClose = () => {} }: { readonly onClose?: () => void }) {
  const [isOpen, setOpen] = useState(false)
  const close = (): void => {
    setOpen(false)
    onClose()
  }
  return (
    <>
      <button onClick={() => setOpen(true)}>Open</button>
      {isOpen ? (
        <Modal aria-label="Question" firstFocus={() => screen.getByLabelText('Answer')} onClose={close}>
          <div>
            <input aria-label="Answer" />
          </div>
        </Modal>
      ) : null}
      <TopMost>
        <p>News of the window</p>
      </TopMost>
    </>
  )
}

test('a modal moves the focus to its first field, and back to the opener when Escape closes it', async () => {
  render(<Opener />)
  await userEvent.click(screen.getByRole('button', { name: 'Open' }))
  expect(screen.getByRole('textbox', { name: 'Answer' })).toBe(document.activeElement)
  expect(screen.getByRole<HTMLDialogElement>('dialog', { name: 'Question' }).open).toBe(true)
  await userEvent.keyboard('{Escape}')
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(screen.getByRole('button', { name: 'Open' })).toBe(document.activeElement)
})

test('the request of the system to close it is left to the caller, as is a click outside the content', async () => {
  const onClose = vi.fn<() => void>()
  render(
    <Modal aria-label="Question" onClose={onClose}>
      <p>Text</p>
    </Modal>,
  )
  const dialog = screen.getByRole<HTMLDialogElement>('dialog')
  const cancel = new Event('cancel', { cancelable: true })
  act(() => void dialog.dispatchEvent(cancel))
  expect(cancel.defaultPrevented).toBe(true)
  expect(dialog.open).toBe(true)
  await userEvent.pointer({ keys: '[MouseLeft]', target: screen.getByText('Text') })
  expect(onClose).toHaveBeenCalledTimes(1)
  await userEvent.pointer({ keys: '[MouseLeft]', target: dialog })
  expect(onClose).toHaveBeenCalledTimes(2)
})

test('a press that begins or ends on the content does not close it', () => {
  const onClose = vi.fn<() => void>()
  render(
    <Modal aria-label="Question" onClose={onClose}>
      <p>Text</p>
    </Modal>,
  )
  const dialog = screen.getByRole('dialog')
  const pressed = (from: Element, to: Element): void => {
    fireEvent.pointerDown(from)
    fireEvent.pointerUp(to)
    // The browser sends the click to what is around both places.
    fireEvent.click(dialog)
  }
  pressed(screen.getByText('Text'), dialog)
  pressed(dialog, screen.getByText('Text'))
  expect(onClose).not.toHaveBeenCalled()
  pressed(dialog, dialog)
  expect(onClose).toHaveBeenCalledOnce()
})

test('canceling a file chooser inside it does not close it', () => {
  const onClose = vi.fn<() => void>()
  render(
    <Modal aria-label="Question" onClose={onClose}>
      <input type="file" aria-label="File" />
    </Modal>,
  )
  act(() => void screen.getByLabelText('File').dispatchEvent(new Event('cancel', { bubbles: true })))
  expect(onClose).not.toHaveBeenCalled()
})

test('what belongs to the whole window is inside the topmost modal while one is open, and outside afterwards', async () => {
  render(<Opener />)
  const news = screen.getByText('News of the window')
  expect(news.closest('dialog')).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: 'Open' }))
  expect(news.closest('dialog')).toBe(topModal())
  await userEvent.keyboard('{Escape}')
  expect(news.isConnected).toBe(true)
  expect(news.closest('dialog')).toBeNull()
  expect(topModal()).toBeUndefined()
})

test('of two open modals the later one is on top, whichever closes first; listeners are called at each change', () => {
  const changes: (HTMLDialogElement | undefined)[] = []
  const stop = onTopModal(() => void changes.push(topModal()))
  const [first, second] = [document.createElement('dialog'), document.createElement('dialog')]
  const closeFirst = modalOpened(first)
  const closeSecond = modalOpened(second)
  closeFirst()
  closeSecond()
  stop()
  modalOpened(first)()
  expect(changes).toEqual([first, second, second, undefined])
})
