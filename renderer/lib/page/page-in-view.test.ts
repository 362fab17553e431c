import { act, renderHook } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { setAway, usePageInView } from './page-in-view.ts'

test('a focused page is not in view while the user is away, until there is input', () => {
  vi.spyOn(document, 'hasFocus').mockReturnValue(true)
  const { result } = renderHook(() => usePageInView())
  expect(result.current).toBe(true)
  act(() => setAway(true))
  expect(result.current).toBe(false)
  act(() => void window.dispatchEvent(new Event('pointermove')))
  expect(result.current).toBe(true)
  act(() => setAway(true))
  act(() => setAway(false))
  expect(result.current).toBe(true)
})
