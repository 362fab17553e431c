import { expect, test, vi, afterEach } from 'vitest'
import { whenIdle } from './idle.ts'

afterEach(() => vi.unstubAllGlobals())

/** A page whose idle time the test gives. */
function aPage() {
  const waiting = new Map<number, { readonly run: () => void; readonly withinMs: number }>()
  vi.stubGlobal('requestIdleCallback', (run: () => void, { timeout }: { readonly timeout: number }) => {
    waiting.set(waiting.size + 1, { run, withinMs: timeout })
    return waiting.size
  })
  vi.stubGlobal('cancelIdleCallback', (request: number) => waiting.delete(request))
  return {
    limits: () => [...waiting.values()].map(({ withinMs }) => withinMs),
    idle: () => {
      for (const { run } of waiting.values()) run()
    },
  }
}

test('what nobody waits for runs when the page is idle, and a page that never is gets to it within 200 ms', () => {
  const { idle, limits } = aPage()
  const run = vi.fn<() => void>()
  whenIdle(run)
  expect(run).not.toHaveBeenCalled()
  expect(limits()).toEqual([200])
  idle()
  expect(run).toHaveBeenCalledOnce()
})

test('what was cancelled does not run', () => {
  const { idle } = aPage()
  const run = vi.fn<() => void>()
  whenIdle(run)()
  idle()
  expect(run).not.toHaveBeenCalled()
})
