import { act, renderHook } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { setAway, usePageInView } from './page-in-view.ts'

test('a page that has the focus is not looked at while no one is there, until someone touches it', () => {
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
