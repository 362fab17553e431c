import { act, cleanup, renderHook } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import {
  openBrowserWindow,
  isMotionReduced,
  useBreakpoint,
  isSaving,
  setSaving,
  subscribeSaving,
  createUserInput,
  setAway,
  usePageInView,
} from './environment.ts'

afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

test('a new browser window has the requested size and cannot script this one', () => {
  const opened = { opener: window }
  const open = vi.spyOn(window, 'open').mockReturnValue(opened as never)
  expect(openBrowserWindow('/thread', { width: 480, height: 640 })).toBe(true)
  expect(open.mock.lastCall?.[2]).toMatch(/^popup,.*width=480,height=640$/)
  expect(opened.opener).toBeNull()
  openBrowserWindow('/thread')
  expect(open.mock.lastCall?.[2]).toContain(`width=${window.outerWidth},height=${window.outerHeight}`)
})

test('a window that the browser blocked is reported as not opened', () => {
  vi.spyOn(window, 'open').mockReturnValue(null)
  expect(openBrowserWindow('/thread')).toBe(false)
})

test('motion is reduced by the setting, or else by the system', () => {
  const system = vi.fn<(query: string) => { matches: boolean }>(() => ({ matches: false }))
  vi.stubGlobal('matchMedia', system)
  expect(isMotionReduced()).toBe(false)
  document.documentElement.dataset['motion'] = 'reduced'
  expect(isMotionReduced()).toBe(true)
  delete document.documentElement.dataset['motion']
  system.mockReturnValue({ matches: true })
  expect(isMotionReduced()).toBe(true)
})

test('listeners are called when battery saving is turned on or off, and only then', () => {
  const heard: boolean[] = []
  const stop = subscribeSaving(() => void heard.push(isSaving()))
  setSaving(false)
  setSaving(true)
  setSaving(true)
  setSaving(false)
  stop()
  setSaving(true)
  setSaving(false)
  expect(heard).toEqual([true, false])
})

test('the width of the window is reported as one of four steps, also after a resize', () => {
  const { result } = renderHook(() => useBreakpoint())
  const stepAt = (width: number): string => {
    vi.stubGlobal('innerWidth', width)
    act(() => void window.dispatchEvent(new Event('resize')))
    return result.current
  }
  expect([1180, 1179, 900, 899, 640, 639].map(stepAt)).toEqual(['wide', 'medium', 'medium', 'small', 'small', 'narrow'])
})

test('the user has acted after the first input, and listeners hear of it once', () => {
  const input = createUserInput()
  const heard = vi.fn<() => void>()
  input.subscribe(heard)
  window.dispatchEvent(new Event('resize'))
  expect(input.hasActed()).toBe(false)
  window.dispatchEvent(new Event('keydown'))
  window.dispatchEvent(new Event('keydown'))
  expect(input.hasActed()).toBe(true)
  expect(heard).toHaveBeenCalledOnce()
  expect(createUserInput().hasActed()).toBe(false)
})

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
