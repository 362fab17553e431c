import { useState } from 'react'
import { cleanup, render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { setWeekStart, startI18n } from '../../i18n/index.ts'
import { MomentDialog } from './MomentDialog.tsx'
import { DateField, TimeField } from './DateField.tsx'

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date(2026, 10, 22, 10, 30) })
  await startI18n('en')
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
  setWeekStart('auto')
  document.documentElement.dir = ''
})

function Field({ start = '2026-11-24', ...limits }: { start?: string; min?: string; max?: string }) {
  const [day, setDay] = useState(start)
  return (
    <>
      <DateField label="Day" value={day} onChange={setDay} {...limits} />
      <output>{day}</output>
    </>
  )
}

const chosen = () => screen.getByRole('status').textContent
const focusedLabel = () => document.activeElement?.getAttribute('aria-label')

test('the calendar opens on the selected day, is operated by keys, and returns the day and the focus', async () => {
  render(<Field />)
  const user = userEvent.setup()
  const opener = screen.getByRole('button', { name: 'Choose another day (currently Tuesday, November 24, 2026)' })
  await user.click(opener)
  const dialog = screen.getByRole('dialog', { name: 'Choose a day' })
  expect(within(dialog).getByRole('grid', { name: 'November 2026' })).toBeTruthy()
  expect(within(dialog).getByRole('gridcell', { selected: true }).textContent).toBe('24')
  const steps = [
    ['{ArrowRight}', 'Wednesday, November 25, 2026'],
    ['{ArrowDown}', 'Wednesday, December 2, 2026'],
    ['{Home}', 'Sunday, November 29, 2026'],
    ['{End}', 'Saturday, December 5, 2026'],
    ['{PageDown}', 'Tuesday, January 5, 2027'],
    ['{Shift>}{PageUp}{/Shift}', 'Monday, January 5, 2026'],
    ['{PageUp}', 'Friday, December 5, 2025'],
    ['{ArrowLeft}', 'Thursday, December 4, 2025'],
  ]
  for (const [keys = '', day] of steps) {
    await user.keyboard(keys)
    expect(focusedLabel()).toBe(day)
  }
  await user.keyboard('{Enter}')
  expect(chosen()).toBe('2025-12-04')
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(document.activeElement).toBe(opener)
})

test('weeks begin on the day of the settings, and arrow keys are mirrored in right-to-left text', async () => {
  setWeekStart('monday')
  document.documentElement.dir = 'rtl'
  render(<Field />)
  const user = userEvent.setup()
  await user.type(screen.getByLabelText('Day'), '{ArrowDown}')
  expect(screen.getAllByRole('columnheader').map((each) => each.getAttribute('aria-label'))[0]).toBe('Monday')
  await user.keyboard('{Home}')
  expect(focusedLabel()).toBe('Monday, November 23, 2026')
  await user.keyboard('{ArrowLeft}')
  expect(focusedLabel()).toBe('Tuesday, November 24, 2026')
  await user.keyboard('{Escape}')
  expect(chosen()).toBe('2026-11-24')
  expect(document.activeElement).toEqual(screen.getByLabelText('Day'))
})

test('a day out of range is shown but cannot be selected', async () => {
  render(<Field min="2026-11-22" />)
  const user = userEvent.setup()
  await user.click(screen.getByRole('button'))
  const before = screen.getByRole('button', { name: 'Saturday, November 21, 2026' })
  expect(before.getAttribute('aria-disabled')).toBe('true')
  await user.click(before)
  expect(chosen()).toBe('2026-11-24')
})

test('a day is typed in digits or words; text that is not a day stays as typed', async () => {
  render(<Field start="" />)
  const user = userEvent.setup()
  const field = screen.getByLabelText<HTMLInputElement>('Day')
  await user.type(field, 'in 3 days')
  expect(chosen()).toBe('2026-11-25')
  await user.tab()
  expect(field.value).toBe('11/25/2026')
  await user.clear(field)
  await user.type(field, 'some day')
  await user.tab()
  expect(chosen()).toBe('')
  expect(field.value).toBe('some day')
})

test('a time is typed, or changed by quarters of an hour and hours', async () => {
  const Time = () => {
    const [time, setTime] = useState('09:30')
    return <TimeField label="Time" value={time} onChange={setTime} />
  }
  render(<Time />)
  const user = userEvent.setup()
  const field = screen.getByRole<HTMLInputElement>('spinbutton', { name: 'Time' })
  expect(field.value).toBe('9:30 AM')
  await user.type(field, '{ArrowUp}{PageUp}')
  expect(field.getAttribute('aria-valuetext')).toBe('10:45 AM')
  await user.clear(field)
  await user.type(field, '2315')
  await user.tab()
  expect(field.value).toBe('11:15 PM')
  await user.type(field, '{PageUp}')
  expect(field.value).toBe('12:15 AM')
})

test('a time in the past says so and cannot be chosen; Escape in the calendar leaves the dialog open', async () => {
  const onChoose = vi.fn<(at: number) => void>()
  const result = (time: string) => `At ${time}`
  render(<MomentDialog title="Later" confirm="Go" result={result} onChoose={onChoose} onClose={() => undefined} />)
  const user = userEvent.setup()
  expect(screen.getByText('At Mon, Nov 23, 9:00 AM')).toBeTruthy()
  await user.clear(screen.getByLabelText('Day'))
  await user.type(screen.getByLabelText('Day'), 'today')
  expect(screen.getByRole('alert').textContent).toBe('This time has passed.')
  await user.click(screen.getByRole('button', { name: 'Go' }))
  expect(onChoose).not.toHaveBeenCalled()
  await user.type(screen.getByLabelText('Day'), '{ArrowDown}{Escape}')
  expect(screen.getByRole('dialog', { name: 'Later' })).toBeTruthy()
})
