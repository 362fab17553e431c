import { useState } from 'react'
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { Popover, Anchored, HoverTimer, Tooltip } from './Popover.tsx'

afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

function Opener() {
  const [anchor, setAnchor] = useState<Element>()
  return (
    <>
      <button onClick={({ currentTarget }) => setAnchor(currentTarget)}>Open</button>
      {anchor === undefined ? null : (
        <Popover label="Choose" anchor={anchor} onClose={() => setAnchor(undefined)}>
          <button ref={(button) => button?.focus()}>First</button>
          <button>Last</button>
        </Popover>
      )}
    </>
  )
}

const named = (name: string) => screen.getByRole('button', { name })

test('a popover is a named dialog; Escape closes it and the focus returns to its opener', async () => {
  render(<Opener />)
  await userEvent.click(named('Open'))
  expect(screen.getByRole('dialog', { name: 'Choose' })).toBeTruthy()
  await userEvent.keyboard('{Escape}')
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(document.activeElement).toBe(named('Open'))
})

test('Tab cycles inside it', async () => {
  render(<Opener />)
  await userEvent.click(named('Open'))
  await userEvent.tab()
  expect(document.activeElement).toBe(named('Last'))
  await userEvent.tab()
  expect(document.activeElement).toBe(named('First'))
  await userEvent.tab({ shift: true })
  expect(document.activeElement).toBe(named('Last'))
})

test('a click outside closes it, a click inside does not', async () => {
  render(<Opener />)
  await userEvent.click(named('Open'))
  fireEvent.pointerDown(named('Last'))
  expect(screen.getByRole('dialog')).toBeTruthy()
  fireEvent.pointerDown(document.body)
  expect(screen.queryByRole('dialog')).toBeNull()
})

const tooltip = () => screen.queryByRole('tooltip')?.textContent
const pass = (ms: number) => act(() => void vi.advanceTimersByTime(ms))

const HOUR_MS = 3_600_000
let hours = 0

/** Long after the tooltip of another test was hidden: each test has a clock that begins at nought. */
function startCold(): void {
  vi.useFakeTimers()
  hours += 1
  pass(hours * HOUR_MS)
}

test('a tooltip appears after half a second of hovering, and disappears when the pointer leaves or presses', () => {
  startCold()
  render(
    <Tooltip text="Bold" keys={['Ctrl', 'B']}>
      <button>B</button>
    </Tooltip>,
  )
  fireEvent.pointerEnter(named('B'))
  pass(499)
  expect(tooltip()).toBeUndefined()
  pass(1)
  expect(tooltip()).toBe('BoldCtrlB')
  fireEvent.pointerLeave(named('B'))
  pass(200)
  expect(tooltip()).toBeUndefined()
  pass(1_000)
  fireEvent.pointerEnter(named('B'))
  fireEvent.pointerDown(named('B'))
  pass(1_000)
  expect(tooltip()).toBeUndefined()
})

test('a touch shows no tooltip', () => {
  startCold()
  render(
    <Tooltip text="Bold">
      <button>B</button>
    </Tooltip>,
  )
  fireEvent.pointerEnter(named('B'), { pointerType: 'touch' })
  pass(1_000)
  expect(tooltip()).toBeUndefined()
})

test('right after one tooltip the next appears at once', () => {
  startCold()
  render(
    <>
      <Tooltip text="Bold">
        <button>B</button>
      </Tooltip>
      <Tooltip text="Italic">
        <button>I</button>
      </Tooltip>
    </>,
  )
  fireEvent.pointerEnter(named('B'))
  pass(500)
  fireEvent.pointerLeave(named('B'))
  fireEvent.pointerEnter(named('I'))
  pass(0)
  expect(tooltip()).toBe('Italic')
})

test('the keyboard focus shows it too, Escape hides it; the handlers of the control still run', () => {
  startCold()
  const heard = vi.fn<(name: string) => void>()
  render(
    <Tooltip text="Bold">
      <button onFocus={() => heard('focus')} onKeyDown={({ key }) => heard(key)}>
        B
      </button>
    </Tooltip>,
  )
  const button = named('B')
  act(() => button.focus())
  pass(500)
  expect(tooltip()).toBe('Bold')
  fireEvent.keyDown(button, { key: 'Escape' })
  expect(tooltip()).toBeUndefined()
  expect(heard.mock.calls.flat()).toEqual(['focus', 'Escape'])
})

test('a tooltip that says more than the name is the description of its control while it is shown', () => {
  startCold()
  render(
    <Tooltip text="Also sent to the channel" describes>
      <button>Send</button>
    </Tooltip>,
  )
  expect(named('Send').hasAttribute('aria-describedby')).toBe(false)
  fireEvent.pointerEnter(named('Send'))
  pass(500)
  expect(screen.getByRole('button', { name: 'Send', description: 'Also sent to the channel' })).toBeTruthy()
})

test('the pointer can move onto a tooltip and rest there; it goes when the pointer leaves it', () => {
  startCold()
  render(
    <Tooltip text="Bold">
      <button>B</button>
    </Tooltip>,
  )
  fireEvent.pointerEnter(named('B'))
  pass(500)
  fireEvent.pointerLeave(named('B'))
  pass(100)
  fireEvent.pointerEnter(screen.getByRole('tooltip'))
  pass(5_000)
  expect(tooltip()).toBe('Bold')
  fireEvent.pointerLeave(screen.getByRole('tooltip'))
  pass(200)
  expect(tooltip()).toBeUndefined()
})

test('Escape hides a tooltip of the pointer while the focus is elsewhere', () => {
  startCold()
  render(
    <>
      <Tooltip text="Bold">
        <button>B</button>
      </Tooltip>
      <textarea aria-label="Message" />
    </>,
  )
  fireEvent.pointerEnter(named('B'))
  pass(500)
  fireEvent.keyDown(screen.getByRole('textbox'), { key: 'Escape' })
  expect(tooltip()).toBeUndefined()
})

test('a hover shows after half a second, can be hidden at once, and warms the next one for a moment', () => {
  startCold()
  const shown: (string | undefined)[] = []
  const timer = new HoverTimer((anchor) => void shown.push(anchor?.id))
  const anchor = Object.assign(document.createElement('i'), { id: 'bold' })
  timer.hide()
  timer.enter(anchor)
  pass(499)
  expect(shown).toEqual([])
  pass(1)
  timer.hide()
  expect(shown).toEqual(['bold', undefined])
  pass(399)
  timer.enter(anchor)
  pass(0)
  timer.hide()
  pass(401)
  timer.enter(anchor)
  pass(400)
  timer.stop()
  pass(1_000)
  expect(shown).toEqual(['bold', undefined, 'bold', undefined])
})

afterEach(cleanup)

const PLACEMENT = { side: 'below', align: 'start', gap: 4 } as const
const anchorNames = (element: HTMLElement): string => element.style.getPropertyValue('anchor-name')

test('two popovers of one button are both anchored to it, and leave nothing on it', () => {
  render(<button>Button</button>)
  const button = screen.getByRole('button')
  const first = render(
    <Anchored anchor={button} placement={PLACEMENT} role="note">
      First
    </Anchored>,
  )
  const second = render(
    <Anchored anchor={button} placement={PLACEMENT} role="note">
      Second
    </Anchored>,
  )
  const [one, two] = screen.getAllByRole('note').map((element) => element.style.getPropertyValue('position-anchor'))
  expect(anchorNames(button)).toBe(`${one}, ${two}`)
  first.unmount()
  expect(anchorNames(button)).toBe(two)
  second.unmount()
  expect(anchorNames(button)).toBe('')
})

test('a popover of a control in a dialog is in that dialog, where it is not inert', () => {
  render(
    <dialog open>
      <button>Button</button>
    </dialog>,
  )
  render(
    <Anchored anchor={screen.getByRole('button')} placement={PLACEMENT} role="note">
      Hint
    </Anchored>,
  )
  expect(screen.getByRole('note').closest('dialog')).toBe(screen.getByRole('dialog'))
})

test('a menu at a point has an element there to be anchored to', () => {
  render(
    <Anchored anchor={new DOMRect(20, 30, 0, 0)} placement={PLACEMENT} role="note">
      Menu
    </Anchored>,
  )
  const name = screen.getByRole('note').style.getPropertyValue('position-anchor')
  const point = [...document.querySelectorAll<HTMLElement>('span')].find((element) => anchorNames(element) === name)
  expect(point?.style.left).toBe('20px')
  expect(point?.style.top).toBe('30px')
})
