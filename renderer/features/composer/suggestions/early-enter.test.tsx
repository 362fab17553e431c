import { act, cleanup, fireEvent, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { asUserId } from '#shared/lib/brand.ts'
import { aPlaceToWrite, field, sentBy, showComposer, write } from '#kit/a-composer.tsx'
import { aUser, byId } from '#kit/fake-bridge/index.ts'
import { MATCHING } from './use-suggestions.ts'

beforeEach(() => localStorage.clear())
afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
  vi.useRealTimers()
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

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))

/** A channel with so many members that the server is asked for a name; its answer takes this long. */
async function aCrowd({ finds, after, offline = false }: { finds: boolean; after: number; offline?: boolean }) {
  await MATCHING.load()
  const bridge = aPlaceToWrite({ offline })
  const many = Array.from({ length: 120 }, (_, at) => asUserId(`u${at}`))
  bridge.on('channels.members', async ({ text = '' }: { text?: string }) => {
    if (text === '') return many
    await new Promise((resolve) => setTimeout(resolve, after))
    if (finds && text === 'zo') bridge.change({ users: byId([aUser({ id: 'zoe', name: 'Zoe Far' })]) })
    return many
  })
  await showComposer(bridge)
  vi.useFakeTimers()
  // The members are known since the first name of the text.
  write('hi @ola')
  await pass(1_000)
  return bridge
}

const enter = () => fireEvent.keyDown(field(), { key: 'Enter' })

test('Enter while the server is asked for a name sends nothing, and takes the suggestion when there is one', async () => {
  const bridge = await aCrowd({ finds: true, after: 200 })
  write('ask @zo')
  await pass(50)
  enter()
  await pass(400)
  expect(sentBy(bridge)).toEqual([])
  expect(field().value).toBe('ask @zo')
  await pass(200)
  expect(field().value).toBe('ask @Zoe Far ')
  expect(sentBy(bridge)).toEqual([])
})

test('Enter sends as soon as the server has answered that no one has the name', async () => {
  const bridge = await aCrowd({ finds: false, after: 50 })
  write('see you @5pm')
  await pass(50)
  enter()
  await pass(200)
  expect(sentBy(bridge)).toEqual([])
  await pass(300)
  expect(sentBy(bridge)[0]).toMatchObject({ text: 'see you @5pm' })
})

test('Enter waits no longer than a second for the server', async () => {
  const bridge = await aCrowd({ finds: true, after: 30_000 })
  write('ask @zo')
  enter()
  await pass(900)
  expect(sentBy(bridge)).toEqual([])
  await pass(200)
  expect(sentBy(bridge)[0]).toMatchObject({ text: 'ask @zo' })
})

test('Enter sends at once where the server cannot be asked', async () => {
  const bridge = await aCrowd({ finds: false, after: 50, offline: true })
  write('see you @5pm')
  enter()
  await pass(0)
  expect(sentBy(bridge)[0]).toMatchObject({ text: 'see you @5pm' })
})

test('Enter sends at once when no one had a name with the same beginning', async () => {
  const bridge = await aCrowd({ finds: false, after: 50 })
  write('see you @5')
  await pass(1_000)
  write('see you @5pm')
  enter()
  await pass(0)
  expect(sentBy(bridge)[0]).toMatchObject({ text: 'see you @5pm' })
})
