import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { focusOnce } from '../../lib/page/focus.ts'
import { Modal, modalOpened, onTopModal, topModal, TopMost, EarlyField, takeEarlyText } from './Modal.tsx'

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

afterEach(cleanup)

type Props = { readonly isLoaded: boolean; readonly written?: string; readonly onClose?: () => void }

/** A dialog whose code is loading at first, opened from a composer. */
function Page({ isLoaded, written = '', onClose = () => undefined }: Props) {
  const [name, setName] = useState(written)
  return (
    <>
      <textarea ref={focusOnce} aria-label="Message" />
      {isLoaded ? (
        <Modal aria-label="New channel" firstFocus={() => screen.getByLabelText('Name')} onClose={onClose}>
          <input aria-label="Name" value={name} onChange={(event) => setName(event.target.value)} />
        </Modal>
      ) : (
        <EarlyField label="Loading…" onClose={onClose} />
      )}
    </>
  )
}

const nameField = (): string => screen.getByLabelText<HTMLInputElement>('Name').value

test('what is typed while a dialog loads is in its first field, and not in the composer', async () => {
  const { rerender } = render(<Page isLoaded={false} />)
  await userEvent.keyboard('rel')
  rerender(<Page isLoaded />)
  expect(nameField()).toBe('rel')
  await userEvent.keyboard('ease')
  expect(nameField()).toBe('release')
  expect(screen.getByLabelText<HTMLTextAreaElement>('Message').value).toBe('')
})

test('what is typed while a dialog loads comes after what its field has', async () => {
  const { rerender } = render(<Page isLoaded={false} written="team " />)
  await userEvent.keyboard('A')
  rerender(<Page isLoaded written="team " />)
  expect(nameField()).toBe('team A')
})

test('Enter that is pressed while a dialog loads reaches its first field after the text, and what follows does not', async () => {
  const { rerender } = render(<Page isLoaded={false} />)
  await userEvent.keyboard('rel{Enter}ease')
  const pressed: string[] = []
  const stop = new AbortController()
  document.addEventListener(
    'keydown',
    ({ key, target }) => pressed.push(`${key} on “${(target as HTMLInputElement).value}”`),
    { signal: stop.signal },
  )
  rerender(<Page isLoaded />)
  await waitFor(() => expect(pressed).toEqual(['Enter on “rel”']))
  stop.abort()
})

test('what is typed while a dialog loads in two steps is in its first field, and the focus returns to where it was', async () => {
  const page = (step: 'none' | 'first' | 'second' | 'loaded') => (
    <>
      <textarea aria-label="Message" />
      {step === 'first' ? <EarlyField key="first" label="Loading…" /> : null}
      {step === 'second' ? <EarlyField key="second" label="Loading…" /> : null}
      {step === 'loaded' ? (
        <Modal aria-label="Reaction" firstFocus={() => screen.getByLabelText('Name')} onClose={() => undefined}>
          <input aria-label="Name" />
        </Modal>
      ) : null}
    </>
  )
  const { rerender } = render(page('none'))
  const message = screen.getByLabelText<HTMLTextAreaElement>('Message')
  message.focus()
  rerender(page('first'))
  await userEvent.keyboard('re')
  rerender(page('second'))
  await Promise.resolve()
  await userEvent.keyboard('le')
  rerender(page('loaded'))
  await userEvent.keyboard('ase')
  expect(nameField()).toBe('release')
  rerender(page('none'))
  expect(message.value).toBe('')
  expect(document.activeElement).toBe(message)
})

test('a dialog that is closed while it loads leaves nothing for the next one', async () => {
  const onClose = vi.fn<() => void>()
  const first = render(<Page isLoaded={false} onClose={onClose} />)
  await userEvent.keyboard('rel{Escape}')
  expect(onClose).toHaveBeenCalledOnce()
  first.unmount()
  await Promise.resolve()
  render(<Page isLoaded />)
  expect(nameField()).toBe('')
})

test('what is typed takes the place of what is selected in the field for that', async () => {
  render(<EarlyField label="Loading…" />)
  await userEvent.keyboard('banner')
  const field = document.createElement('input')
  field.value = 'the search before'
  expect(takeEarlyText(field, true)).toBe(true)
  expect(field.value).toBe('banner')
})

test('a first field that is not for text takes none', async () => {
  render(<EarlyField label="Loading…" onClose={() => undefined} />)
  await userEvent.keyboard('7')
  const volume = document.createElement('input')
  volume.type = 'range'
  volume.value = '50'
  takeEarlyText(volume)
  expect(volume.value).toBe('50')
})
