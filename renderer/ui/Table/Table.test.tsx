import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Checkbox, Table, type TableColumn, type TableSort, toggled } from './Table.tsx'

beforeEach(() => void (window.innerWidth = 1440))
afterEach(cleanup)

type Person = { readonly id: string; readonly name: string; readonly role: string }

const PEOPLE: readonly Person[] = ['Ann', 'Bo', 'Cy'].map((name) => ({ id: name.toLowerCase(), name, role: 'member' }))
const idOf = ({ id }: Person): string => id
const COLUMNS: readonly TableColumn<Person>[] = [
  { id: 'name', title: 'Name', width: '2fr', sortable: true, render: ({ name }) => name },
  { id: 'role', title: 'Role', width: '1fr', priority: 1, render: ({ role }) => role },
]

type Given = { readonly rows?: readonly Person[]; readonly onOpen?: (row: Person) => void; readonly onEnd?: () => void }

function Whole({ rows = PEOPLE, onOpen, onEnd }: Given) {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set())
  const [sort, setSort] = useState<TableSort>({ column: 'name', direction: 1 })
  return (
    <Table
      label="People"
      columns={COLUMNS}
      rows={rows}
      idOf={idOf}
      sort={sort}
      onSort={setSort}
      onOpen={onOpen}
      onEnd={onEnd}
      selection={{ ids, labelOf: (id) => `Select ${id}`, allLabel: 'Select all', onChange: setIds }}
    />
  )
}

const row = (name: RegExp) => screen.getByRole('row', { name })

test('a table says how many rows it has, and which column it is sorted by', async () => {
  render(<Whole />)
  expect(screen.getByRole('table', { name: 'People' }).getAttribute('aria-rowcount')).toBe('4')
  const head = screen.getByRole('columnheader', { name: /Name/ })
  expect(head.getAttribute('aria-sort')).toBe('ascending')
  await userEvent.click(screen.getByRole('button', { name: /Name/ }))
  expect(head.getAttribute('aria-sort')).toBe('descending')
})

test('arrows move by row, Enter opens, Space selects, Ctrl A selects all, Escape clears', async () => {
  const onOpen = vi.fn<(row: Person) => void>()
  render(<Whole onOpen={onOpen} />)
  row(/Ann/).focus()
  await userEvent.keyboard('{ArrowDown}{Enter}')
  expect(onOpen.mock.lastCall?.[0]).toBe(PEOPLE[1])
  await userEvent.keyboard(' ')
  expect(row(/Bo/).getAttribute('aria-selected')).toBe('true')
  expect(row(/Ann/).getAttribute('aria-selected')).toBe('false')
  await userEvent.keyboard('{Control>}a{/Control}')
  expect(row(/Cy/).getAttribute('aria-selected')).toBe('true')
  await userEvent.keyboard('{Escape}')
  expect(row(/Bo/).getAttribute('aria-selected')).toBe('false')
  await userEvent.keyboard('{End}')
  expect(document.activeElement).toBe(row(/Cy/))
})

test('rows that stay in view are not rendered again while the table is scrolled', () => {
  const rendered = vi.fn<(id: string) => void>()
  const columns: readonly TableColumn<Person>[] = [
    { id: 'name', title: 'Name', width: '1fr', render: ({ id, name }) => (rendered(id), name) },
  ]
  const rows = Array.from({ length: 200 }, (_, at) => ({ id: `p${at}`, name: `Person ${at}`, role: 'member' }))
  const { container } = render(<Table label="People" columns={columns} rows={rows} idOf={idOf} />)
  const before = rendered.mock.calls.length
  const scroll = container.querySelector('[data-region="messages"]')
  if (scroll === null) throw new Error('no rows')
  scroll.scrollTop = 520
  fireEvent.scroll(scroll)
  const again = rendered.mock.calls.slice(before).map(([id]) => id)
  expect(again).toContain('p30')
  expect(again).not.toContain('p12')
})

test('a checkbox selects without opening the row, and the one in the head selects all', async () => {
  const onOpen = vi.fn<(row: Person) => void>()
  render(<Whole onOpen={onOpen} />)
  await userEvent.click(screen.getByRole('checkbox', { name: 'Select bo' }))
  expect(onOpen).not.toHaveBeenCalled()
  const all = screen.getByRole<HTMLInputElement>('checkbox', { name: 'Select all' })
  expect(all.indeterminate).toBe(true)
  await userEvent.click(all)
  expect(row(/Cy/).getAttribute('aria-selected')).toBe('true')
})

test('the least important columns leave where the window is narrow', () => {
  window.innerWidth = 480
  render(<Whole />)
  expect(screen.queryByRole('columnheader', { name: 'Role' })).toBeNull()
  expect(screen.getByRole('columnheader', { name: /Name/ })).toBeTruthy()
})

test('of thousands of rows only those near the view are drawn, and the end asks for more', () => {
  const onEnd = vi.fn<() => void>()
  const many = Array.from({ length: 5_000 }, (_, at) => ({ id: `p${at}`, name: `Person ${at}`, role: 'member' }))
  const { rerender } = render(<Whole rows={many} onEnd={onEnd} />)
  expect(screen.getAllByRole('row').length).toBeLessThan(60)
  expect(onEnd).not.toHaveBeenCalled()
  rerender(<Whole rows={many.slice(0, 5)} onEnd={onEnd} />)
  expect(onEnd).toHaveBeenCalled()
})

test('a checkbox that stands for some of its rows is neither on nor off', () => {
  const { rerender } = render(<Checkbox label="All" checked="mixed" onChange={() => undefined} />)
  const box = screen.getByRole<HTMLInputElement>('checkbox', { name: 'All' })
  expect(box.indeterminate).toBe(true)
  rerender(<Checkbox label="All" checked onChange={() => undefined} />)
  expect(box.indeterminate).toBe(false)
  expect(box.checked).toBe(true)
})

test('a value is added or removed, and the given set stays as it is', () => {
  const set = new Set(['a'])
  expect([...toggled(set, 'b')]).toEqual(['a', 'b'])
  expect([...toggled(set, 'a')]).toEqual([])
  expect([...set]).toEqual(['a'])
})
