import { cleanup, render } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { useSaveOnLeave } from './saving.ts'

afterEach(cleanup)

function Writing({ save }: { readonly save: () => void }) {
  useSaveOnLeave(save)
  return null
}

test.each(['pagehide', 'beforeunload', 'blur'])(
  'what is being written is saved at %s, by the latest function',
  (event) => {
    const [first, second] = [vi.fn<() => void>(), vi.fn<() => void>()]
    const { rerender } = render(<Writing save={first} />)
    first.mockClear()
    rerender(<Writing save={second} />)
    window.dispatchEvent(new Event(event))
    expect(first).not.toHaveBeenCalled()
    expect(second).toHaveBeenCalledTimes(1)
  },
)

test('it is saved when the component goes, and not after it', () => {
  const save = vi.fn<() => void>()
  const { unmount } = render(<Writing save={save} />)
  save.mockClear()
  unmount()
  expect(save).toHaveBeenCalledTimes(1)
  window.dispatchEvent(new Event('blur'))
  expect(save).toHaveBeenCalledTimes(1)
})
