import { useRef, useState, type ReactNode } from 'react'
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import {
  focusOnce,
  tabStops,
  useFocusKeeper,
  usePassFocus,
  usePressOutside,
  useReturnFocus,
  optionPress,
} from './focus.ts'

afterEach(cleanup)

const named = (name: string) => screen.getByRole('button', { name })

test('Tab reaches links, buttons and fields that are not disabled, and nothing that was excluded', () => {
  const { container } = render(
    <>
      <a href="#a">a</a>
      <button>b</button>
      <button disabled>off</button>
      <input aria-label="c" />
      <p tabIndex={0}>d</p>
      <button tabIndex={-1}>programs only</button>
    </>,
  )
  expect(tabStops(container).map((stop) => stop.getAttribute('aria-label') ?? stop.textContent)).toEqual([
    'a',
    'b',
    'c',
    'd',
  ])
})

function Panel({ onClose }: { readonly onClose: () => void }) {
  useReturnFocus()
  return (
    <div data-returns-focus="">
      <button ref={focusOnce} onClick={onClose}>
        Close
      </button>
    </div>
  )
}

function Page({ opener = true }: { readonly opener?: boolean }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      {opener ? <button onClick={() => setOpen(true)}>Open</button> : null}
      {isOpen ? <Panel onClose={() => setOpen(false)} /> : null}
      <textarea data-composer="" aria-label="Message" />
      <button>Other</button>
    </>
  )
}

test('a part that is removed returns the focus to where it was before', async () => {
  render(<Page />)
  await userEvent.click(named('Open'))
  expect(document.activeElement).toBe(named('Close'))
  await userEvent.click(named('Close'))
  expect(document.activeElement).toBe(named('Open'))
})

test('when the opener was removed the composer has the focus', async () => {
  const { rerender } = render(<Page />)
  await userEvent.click(named('Open'))
  rerender(<Page opener={false} />)
  await userEvent.click(named('Close'))
  expect(document.activeElement).toBe(screen.getByRole('textbox'))
})

test('when the opener was a control of a row that is gone with the focus, the row has it', async () => {
  const { rerender } = render(<ListPage tools />)
  await userEvent.click(named('Open'))
  rerender(<ListPage tools={false} />)
  await userEvent.click(named('Close'))
  expect(document.activeElement).toBe(screen.getByRole('article'))
})

function ListPage({ tools }: { readonly tools: boolean }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <article data-roving-id="m-1" tabIndex={-1}>
        {tools ? <button onClick={() => setOpen(true)}>Open</button> : null}
      </article>
      {isOpen ? <Panel onClose={() => setOpen(false)} /> : null}
      <textarea data-composer="" aria-label="Message" />
    </>
  )
}

test('a focus that has moved elsewhere on the page stays there', async () => {
  render(<Page />)
  await userEvent.click(named('Open'))
  const close = named('Close')
  named('Other').focus()
  fireEvent.click(close)
  expect(document.activeElement).toBe(named('Other'))
})

function Row() {
  const [isShown, setShown] = useState(true)
  const ref = useRef<HTMLButtonElement>(null)
  return (
    <div data-row="" tabIndex={-1}>
      {isShown ? <Passing element={ref} onPress={() => setShown(false)} /> : null}
    </div>
  )
}

function Passing({
  element,
  onPress,
}: {
  readonly element: React.RefObject<HTMLButtonElement | null>
  onPress: () => void
}) {
  usePassFocus(element, '[data-row]')
  return (
    <button ref={element} onClick={onPress}>
      Undo
    </button>
  )
}

test('a button that is removed while it has the focus passes it to its row', async () => {
  render(<Row />)
  await userEvent.click(named('Undo'))
  expect(document.activeElement).toBe(document.querySelector('[data-row]'))
})

test('a press outside calls the latest listener, one inside does not', () => {
  const [first, second] = [vi.fn<() => void>(), vi.fn<() => void>()]
  const Box = ({ onOutside }: { readonly onOutside: () => void }) => {
    const ref = useRef<HTMLDivElement>(null)
    usePressOutside(ref, onOutside)
    return (
      <div ref={ref}>
        <button>Inside</button>
      </div>
    )
  }
  const { rerender, unmount } = render(<Box onOutside={first} />)
  fireEvent.pointerDown(named('Inside'))
  rerender(<Box onOutside={second} />)
  fireEvent.pointerDown(document.body)
  expect(first).not.toHaveBeenCalled()
  expect(second).toHaveBeenCalledOnce()
  act(unmount)
  fireEvent.pointerDown(document.body)
  expect(second).toHaveBeenCalledOnce()
})

test('the first field of a screen takes the focus when it appears', () => {
  render(<input aria-label="Name" ref={focusOnce} />)
  expect(document.activeElement).toBe(screen.getByRole('textbox'))
  focusOnce(null)
  expect(document.activeElement).toBe(screen.getByRole('textbox'))
})

function Keeper({ children }: { readonly children: ReactNode }) {
  useFocusKeeper()
  return <main>{children}</main>
}

const PATIENCE = 100

async function removeFocused(name: string): Promise<void> {
  vi.useFakeTimers()
  named(name).focus()
  named(name).closest('li')?.remove()
  await vi.advanceTimersByTimeAsync(PATIENCE)
  vi.useRealTimers()
}

const files = (...names: readonly string[]) => (
  <Keeper>
    <ul>
      {names.map((name) => (
        <li key={name}>
          <button>{name}</button>
        </li>
      ))}
    </ul>
    <textarea data-composer="" aria-label="Message" />
  </Keeper>
)

test('the focus of an element that is removed goes to the next one', async () => {
  render(files('a', 'b', 'c'))
  await removeFocused('b')
  expect(document.activeElement).toBe(named('c'))
})

test('after the last one it goes to the one before, and without any to what comes after the list', async () => {
  render(files('a', 'b'))
  await removeFocused('b')
  expect(document.activeElement).toBe(named('a'))
  await removeFocused('a')
  expect(document.activeElement).toBe(screen.getByRole('textbox'))
})

test('after a whole screen the focus waits for the next one and does not go to what stands beside it', async () => {
  const { container } = render(
    <Keeper>
      <nav>
        <button>Account</button>
      </nav>
      <section>
        <h1>Start</h1>
        <button>Create</button>
      </section>
    </Keeper>,
  )
  vi.useFakeTimers()
  named('Create').focus()
  container.querySelector('section')?.remove()
  await vi.advanceTimersByTimeAsync(PATIENCE)
  vi.useRealTimers()
  expect(document.activeElement).toBe(document.body)
})

test('a focus that the user took away stays away', async () => {
  render(files('a', 'b'))
  vi.useFakeTimers()
  named('a').focus()
  named('a').blur()
  await vi.advanceTimersByTimeAsync(0)
  named('a').closest('li')?.remove()
  await vi.advanceTimersByTimeAsync(PATIENCE)
  vi.useRealTimers()
  expect(document.activeElement).toBe(document.body)
})

afterEach(cleanup)

test('an option is chosen where the press ends, and the focus stays in the field', () => {
  const onChoose = vi.fn<() => void>()
  render(
    <div role="option" aria-selected={false} tabIndex={-1} {...optionPress(onChoose)}>
      Ola
    </div>,
  )
  const option = screen.getByRole('option')
  expect(fireEvent.pointerDown(option)).toBe(false)
  fireEvent.pointerUp(document.body)
  expect(onChoose).not.toHaveBeenCalled()
  fireEvent.click(option)
  expect(onChoose).toHaveBeenCalledOnce()
})
