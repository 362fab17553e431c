import { act, cleanup, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { aPlaceToWrite, field, sentBy, showComposer, write } from '#kit/a-composer.tsx'
import { MATCHING } from './use-suggestions.ts'

beforeEach(() => localStorage.clear())
afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

/** What finds the items of the list is on its way until it arrives, or fails. */
function lateCode() {
  const { load } = MATCHING
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const isReady = vi.spyOn(MATCHING, 'ready').mockReturnValue(undefined)
  vi.spyOn(MATCHING, 'load').mockImplementation(async () => {
    await promise
    isReady.mockRestore()
    return load()
  })
  return {
    arrives: () =>
      act(async () => {
        resolve()
        await load()
      }),
    fails: () => act(async () => reject(new Error('No such file'))),
  }
}

test('Enter pressed before the list has loaded sends nothing, and takes the suggestion when it has', async () => {
  const code = lateCode()
  const bridge = aPlaceToWrite()
  await showComposer(bridge)
  write('ask @zak')
  await userEvent.keyboard('{Enter}')
  expect(sentBy(bridge)).toEqual([])
  expect(field().value).toBe('ask @zak')
  await code.arrives()
  expect(field().value).toBe('ask @Łukasz Żak ')
  expect(sentBy(bridge)).toEqual([])
})

test('Enter pressed before the list has loaded sends when there turns out to be nothing to choose', async () => {
  const code = lateCode()
  const bridge = aPlaceToWrite()
  await showComposer(bridge)
  write('see you @5pm')
  await userEvent.keyboard('{Enter}')
  expect(sentBy(bridge)).toEqual([])
  await code.arrives()
  await waitFor(() => expect(sentBy(bridge)).toHaveLength(1))
  expect(sentBy(bridge)[0]).toMatchObject({ text: 'see you @5pm' })
})

test('where Enter does not send, it starts a line when there turns out to be nothing to choose', async () => {
  const code = lateCode()
  const bridge = aPlaceToWrite({ settings: { enterSends: false } })
  await showComposer(bridge)
  write('see you @5pm')
  await userEvent.keyboard('{Enter}')
  await code.arrives()
  await waitFor(() => expect(field().value).toBe('see you @5pm\n'))
  expect(sentBy(bridge)).toEqual([])
})

test('what is written after Enter, or leaving the field, takes it back', async () => {
  const code = lateCode()
  const bridge = aPlaceToWrite()
  await showComposer(bridge)
  write('ask @zak')
  await userEvent.keyboard('{Enter}!')
  await userEvent.keyboard('{Backspace}{Enter}')
  act(() => field().blur())
  await code.arrives()
  expect(field().value).toBe('ask @zak')
  expect(sentBy(bridge)).toEqual([])
})

test('Enter sends the text as it is when the list cannot be loaded', async () => {
  const code = lateCode()
  const bridge = aPlaceToWrite()
  await showComposer(bridge)
  write('ask @zak')
  await userEvent.keyboard('{Enter}')
  await code.fails()
  await waitFor(() => expect(sentBy(bridge)).toHaveLength(1))
  expect(sentBy(bridge)[0]).toMatchObject({ text: 'ask @zak' })
})

test('Enter after the first letters of an emoji waits for the list of all', async () => {
  const bridge = aPlaceToWrite()
  await showComposer(bridge)
  await act(async () => void (await MATCHING.load()))
  write('nice :tad')
  await userEvent.keyboard('{Enter}')
  expect(sentBy(bridge)).toEqual([])
  await waitFor(() => expect(field().value).toBe('nice 🎉 '), { timeout: 3_000 })
})
