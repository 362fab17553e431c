import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { Menu, type MenuItem, useMenu, useMenuOf } from './Menu.tsx'

afterEach(cleanup)

const onSelect = vi.fn<(id: string) => void>()
afterEach(() => onSelect.mockClear())
const item = (id: string, more: object = {}): MenuItem => ({ id, label: id, onSelect: () => onSelect(id), ...more })

function Trigger({ items }: { readonly items: readonly MenuItem[] }) {
  const menu = useMenu({ label: 'Actions', items: () => items })
  return (
    <>
      <button {...menu.triggerProps} onContextMenu={menu.onContextMenu}>
        More
      </button>
      <button onClick={({ currentTarget }) => menu.openAt(currentTarget)}>Elsewhere</button>
      {menu.menu}
    </>
  )
}

/** A menu that knows its items itself. */
function OwnTrigger() {
  const menu = useMenuOf((anchor, onClose) => (
    <Menu label="Own" items={[item('Rename')]} anchor={anchor} onClose={onClose} />
  ))
  return (
    <>
      <button {...menu.triggerProps}>More</button>
      {menu.menu}
    </>
  )
}

const trigger = () => screen.getByRole('button', { name: 'More' })
const focused = () => document.activeElement?.textContent

test('a menu that is a component of its own opens, and closes after a choice', async () => {
  render(<OwnTrigger />)
  await userEvent.click(trigger())
  await userEvent.click(screen.getByRole('menuitem', { name: 'Rename' }))
  expect(onSelect).toHaveBeenCalledWith('Rename')
  expect(screen.queryByRole('menu')).toBeNull()
})

test('the button says that it opens a menu, which takes the focus and returns it on Escape', async () => {
  render(<Trigger items={[item('Copy'), item('Delete')]} />)
  expect(trigger().getAttribute('aria-haspopup')).toBe('menu')
  await userEvent.click(trigger())
  expect(trigger().getAttribute('aria-expanded')).toBe('true')
  expect(screen.getByRole('menu', { name: 'Actions' })).toBeTruthy()
  expect(focused()).toBe('Copy')
  await userEvent.keyboard('{Escape}')
  expect(screen.queryByRole('menu')).toBeNull()
  expect(document.activeElement).toBe(trigger())
  expect(trigger().getAttribute('aria-expanded')).toBe('false')
})

test('arrows wrap around, Home and End move to the ends, a letter to the next item that begins with it', async () => {
  render(<Trigger items={[item('Copy'), { kind: 'separator', id: 'line' }, item('Delete'), item('Cut')]} />)
  await userEvent.click(trigger())
  for (const [keys = '', label] of [
    ['{ArrowDown}', 'Delete'],
    ['{End}', 'Cut'],
    ['{ArrowDown}', 'Copy'],
    ['{ArrowUp}', 'Cut'],
    ['{Home}', 'Copy'],
    ['c', 'Cut'],
    ['d', 'Delete'],
    ['x', 'Delete'],
  ]) {
    await userEvent.keyboard(keys)
    expect(focused(), keys).toEqual(label)
  }
})

test('an item closes the menu before it acts; Enter is the same as a click', async () => {
  render(<Trigger items={[item('Copy')]} />)
  await userEvent.click(trigger())
  await userEvent.keyboard('{Enter}')
  expect(onSelect).toHaveBeenCalledExactlyOnceWith('Copy')
  expect(screen.queryByRole('menu')).toBeNull()
})

test('an item that cannot be used can be focused, says why, and does nothing', async () => {
  render(<Trigger items={[item('Delete', { disabledReason: 'Offline' })]} />)
  await userEvent.click(trigger())
  const off = screen.getByRole('menuitem', { name: /Delete\s*Offline/ })
  expect(document.activeElement).toBe(off)
  expect(off.getAttribute('aria-disabled')).toBe('true')
  await userEvent.click(off)
  expect(onSelect).not.toHaveBeenCalled()
  expect(screen.getByRole('menu')).toBeTruthy()
})

test('items that toggle something say whether they are on; a hint and keys are shown at the end', async () => {
  render(
    <Trigger
      items={[item('Mute', { checked: true }), item('Pin', { checked: false, hint: '5 pinned', keys: ['P'] })]}
    />,
  )
  await userEvent.click(trigger())
  expect(screen.getByRole('menuitemcheckbox', { name: 'Mute', checked: true })).toBeTruthy()
  expect(screen.getByRole('menuitemcheckbox', { checked: false }).textContent).toBe('Pin5 pinnedP')
})

test('headings and separators are not items', async () => {
  render(
    <Trigger items={[{ kind: 'heading', id: 'h', content: 'Ola' }, { kind: 'separator', id: 's' }, item('Copy')]} />,
  )
  await userEvent.click(trigger())
  expect(screen.getByText('Ola')).toBeTruthy()
  expect(screen.getByRole('separator')).toBeTruthy()
  expect(screen.getAllByRole('menuitem')).toHaveLength(1)
  expect(focused()).toBe('Copy')
})

test('Tab, a click outside and leaving the window close it', async () => {
  const onClose = vi.fn<() => void>()
  render(<button>Outside</button>)
  render(<Menu label="Actions" items={[item('Copy')]} anchor={new DOMRect(1, 2, 0, 0)} onClose={onClose} />)
  await userEvent.keyboard('{Tab}')
  expect(onClose).toHaveBeenCalledTimes(1)
  fireEvent.pointerDown(screen.getByRole('menuitem'))
  expect(onClose).toHaveBeenCalledTimes(1)
  fireEvent.pointerDown(screen.getByRole('button', { name: 'Outside' }))
  expect(onClose).toHaveBeenCalledTimes(2)
  act(() => void window.dispatchEvent(new Event('blur')))
  expect(onClose).toHaveBeenCalledTimes(3)
})

test('the focus follows the pointer, and a menu that opens under a resting one highlights nothing until it moves', async () => {
  render(<Trigger items={[item('Copy'), item('Cut')]} />)
  await userEvent.click(trigger())
  const menu = screen.getByRole('menu')
  const cut = screen.getByRole('menuitem', { name: 'Cut' })
  const move = (distance: number) =>
    cut.dispatchEvent(new MouseEvent('pointermove', { bubbles: true, movementX: distance, movementY: 0 }))
  act(() => void move(0))
  expect(menu.dataset['pointed']).toBeUndefined()
  expect(document.activeElement).not.toBe(cut)
  act(() => void move(2))
  expect(menu.dataset['pointed']).toBe('true')
  expect(document.activeElement).toBe(cut)
})

test('an item that leads to more leaves the menu open; Right follows it, Left goes back', async () => {
  const onBack = vi.fn<() => void>()
  const onClose = vi.fn<() => void>()
  const items = [item('More', { leads: 'here' })]
  render(<Menu label="Actions" items={items} anchor={new DOMRect(1, 2, 0, 0)} onBack={onBack} onClose={onClose} />)
  expect(screen.getByRole('menuitem', { name: 'More' }).getAttribute('aria-haspopup')).toBe('menu')
  await userEvent.keyboard('{ArrowRight}')
  expect(onSelect).toHaveBeenCalledExactlyOnceWith('More')
  expect(onClose).not.toHaveBeenCalled()
  await userEvent.keyboard('{ArrowLeft}')
  expect(onBack).toHaveBeenCalledTimes(1)
})

test('items side by side are one step of the vertical arrows, and the menu starts below them', async () => {
  const small = (id: string) => ({ id, label: id, content: id, onSelect: () => onSelect(id) })
  render(
    <Trigger items={[{ kind: 'strip', id: 's', name: 'React', items: [small('one'), small('two')] }, item('Copy')]} />,
  )
  await userEvent.click(trigger())
  expect(screen.getByRole('group', { name: 'React' })).toBeTruthy()
  for (const [keys = '', label] of [
    ['', 'Copy'],
    ['{ArrowUp}', 'one'],
    ['{ArrowRight}', 'two'],
    ['{ArrowRight}', 'two'],
    ['{ArrowDown}', 'Copy'],
    ['{ArrowDown}', 'one'],
  ]) {
    if (keys !== '') await userEvent.keyboard(keys)
    expect(focused(), keys).toEqual(label)
  }
  await userEvent.keyboard('{Enter}')
  expect(onSelect).toHaveBeenCalledExactlyOnceWith('one')
})

test('a right click opens the menu at the pointer, the context menu key at the element', async () => {
  render(<Trigger items={[item('Copy')]} />)
  fireEvent.contextMenu(trigger(), { clientX: 30, clientY: 40 })
  const point = [...document.querySelectorAll('span')].find(({ style }) => style.left === '30px')
  expect(point?.style.top).toBe('40px')
  await userEvent.keyboard('{Escape}')
  fireEvent.contextMenu(trigger())
  expect(trigger().style.getPropertyValue('anchor-name')).not.toBe('')
  expect(focused()).toBe('Copy')
})

test('a menu can be opened at another element', async () => {
  render(<Trigger items={[item('Copy')]} />)
  const elsewhere = screen.getByRole('button', { name: 'Elsewhere' })
  await userEvent.click(elsewhere)
  expect(elsewhere.style.getPropertyValue('anchor-name')).not.toBe('')
  await userEvent.keyboard('{Escape}')
  expect(document.activeElement).toBe(elsewhere)
})
