import { cleanup, render, renderHook, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startI18n } from '../../i18n/index.ts'
import { MessageTime, useWhen } from './MessageTime.tsx'

beforeEach(() => startI18n('en'))
afterEach(cleanup)

const AT = new Date(2026, 10, 22, 10, 30).getTime()
const year = (at: number): string => String(new Date(at).getFullYear())

test('the time of a message is shown in the requested format, and in full on hover', () => {
  render(<MessageTime message={{ createdAt: AT }} format={year} className="small" />)
  const time = screen.getByRole('time')
  expect(time.textContent).toBe('2026')
  expect(time.getAttribute('datetime')).toBe(new Date(AT).toISOString())
  expect(time.title).toContain('November 22, 2026')
  expect(time.className).toBe('small')
})

test('a time without a credible value from the server is shown as unknown, and has no machine-readable value', () => {
  render(<MessageTime message={{ createdAt: AT, timeUnsure: true }} format={year} />)
  expect(screen.queryByRole('time')).toBeNull()
  expect(screen.getByText('time unknown')).toBeTruthy()
})

test('the same text is there for names of messages', () => {
  const { result } = renderHook(() => useWhen())
  expect(result.current({ createdAt: AT }, year)).toBe('2026')
  expect(result.current({ createdAt: AT, timeUnsure: true }, year)).toBe('time unknown')
})
