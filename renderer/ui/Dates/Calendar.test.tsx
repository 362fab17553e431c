import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { startI18n } from '../../i18n/index.ts'
import { Calendar } from './DateField.tsx'
import { MomentFields } from './MomentDialog.tsx'

beforeEach(() => startI18n('en'))
afterEach(cleanup)

const day = (name: string) => screen.getByRole('button', { name })
const press = (name: string) => userEvent.click(day(name))

test('the buttons in the header change months and years, and keep the focus', async () => {
  render(<Calendar today="2026-11-22" chosen={undefined} onChoose={() => undefined} />)
  expect(document.activeElement).toBe(day('Sunday, November 22, 2026'))
  await press('Next month')
  await press('Next year')
  await press('Previous month')
  expect(document.activeElement).toBe(day('Previous month'))
  await press('Previous year')
  expect(screen.getByRole('grid', { name: 'November 2026' })).toBeTruthy()
})

test('today and the selected day are marked as such; one day is a tab stop', () => {
  render(<Calendar today="2026-11-22" chosen="2026-11-24" onChoose={() => undefined} />)
  expect(document.querySelector('[aria-current="date"]')?.textContent).toBe('22')
  expect(screen.getAllByRole('gridcell', { selected: true }).map((cell) => cell.textContent)).toEqual(['24'])
  expect([...document.querySelectorAll('[role="gridcell"] [tabindex="0"]')].map((one) => one.textContent)).toEqual([
    '24',
  ])
})

test('the days of the adjacent months fill the weeks and can be selected', async () => {
  const onChoose = vi.fn<(day: string) => void>()
  render(<Calendar today="2026-11-22" chosen={undefined} onChoose={onChoose} />)
  expect(screen.getAllByRole('gridcell')).toHaveLength(35)
  await press('Saturday, December 5, 2026')
  expect(onChoose).toHaveBeenCalledExactlyOnceWith('2026-12-05')
})

test('it opens on the nearest day that can be selected', () => {
  render(<Calendar today="2026-11-22" chosen={undefined} min="2026-12-24" onChoose={() => undefined} />)
  expect(document.activeElement).toBe(day('Thursday, December 24, 2026'))
})

test('a date and a time are changed independently; an error belongs to the date', async () => {
  const onChange = vi.fn<(fields: { date: string; time: string }) => void>()
  render(<MomentFields fields={{ date: '2026-11-24', time: '09:30' }} error="Over" onChange={onChange} />)
  await userEvent.type(screen.getByRole('spinbutton', { name: 'Time' }), '{PageUp}')
  expect(onChange).toHaveBeenLastCalledWith({ date: '2026-11-24', time: '10:30' })
  const field = screen.getByRole('textbox', { name: 'Day', description: 'Over' })
  await userEvent.clear(field)
  expect(onChange).toHaveBeenLastCalledWith({ date: '', time: '09:30' })
})
