import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { Anchored } from './Anchored.tsx'

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
