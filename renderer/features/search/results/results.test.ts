import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { SearchHit, SearchPage } from '#shared/domain/search.ts'
import { asCid, asMessageId, asUserId } from '#shared/lib/brand.ts'
import { createEngineClient } from '../../../bridge/client.ts'
import { createFakeBridge } from '../../../../tests/kit/fake-bridge/index.ts'
import { mergeHits, Results } from './results.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const aHit = (id: string, createdAt: number): SearchHit => ({
  messageId: asMessageId(id),
  cid: asCid('team:plans'),
  userId: asUserId('ola'),
  createdAt,
  edited: false,
  pinned: false,
  replyCount: 0,
  attachmentKinds: [],
  parts: [],
})

const aPage = (over: Partial<SearchPage> = {}): SearchPage => ({
  hits: [],
  people: [],
  channels: [],
  notes: [],
  indexing: false,
  server: 'not-asked',
  ...over,
})

type SearchInput = { readonly text: string; readonly ask: string; readonly cursor?: unknown }

function make(answer: (input: SearchInput) => SearchPage) {
  const fake = createFakeBridge()
  fake.on('search.messages', answer)
  const results = new Results((input) => createEngineClient(fake).search.messages(input))
  const ids = (): readonly string[] => results.found().hits.map(({ messageId }) => messageId)
  return { fake, results, ids }
}
const settle = (): Promise<unknown> => vi.advanceTimersByTimeAsync(1_000)

test('cached results come first, and those of the server are merged by time', async () => {
  const { results, ids } = make(({ ask }) =>
    ask === 'cache'
      ? aPage({ hits: [aHit('new', 3), aHit('old', 1)] })
      : aPage({ hits: [aHit('new', 3), aHit('far', 2)], server: 'asked' }),
  )
  results.ask({ text: 'plan' })
  await vi.advanceTimersByTimeAsync(150)
  expect(ids()).toEqual(['new', 'old'])
  expect(results.found().busy).toBe('server')
  await settle()
  expect(ids()).toEqual(['new', 'far', 'old'])
  expect(results.found()).toMatchObject({ busy: 'none', server: 'asked' })
})

test('keys typed quickly make one query', async () => {
  const { fake, results } = make(() => aPage())
  for (const text of ['p', 'pl', 'pla', 'plan']) results.ask({ text })
  await settle()
  expect(fake.inputsOf('search.messages')).toMatchObject([
    { text: 'plan', ask: 'cache' },
    { text: 'plan', ask: 'server' },
  ])
})

test('the response to an older query is dropped', async () => {
  const { results, ids } = make(({ text }) => aPage({ hits: [aHit(text, 1)] }))
  results.ask({ text: 'one' })
  await vi.advanceTimersByTimeAsync(120)
  results.ask({ text: 'two' })
  await settle()
  expect(ids()).toEqual(['two'])
})

test('the next page continues after the last one', async () => {
  const cursor = { createdAt: 2, id: 'b' }
  const { fake, results, ids } = make((input) =>
    input.cursor === undefined
      ? aPage({ hits: [aHit('a', 3), aHit('b', 2)], next: cursor, server: 'asked' })
      : aPage({ hits: [aHit('c', 1)], server: 'asked' }),
  )
  results.ask({ text: 'plan' })
  await settle()
  await results.more()
  expect(ids()).toEqual(['a', 'b', 'c'])
  expect(fake.inputsOf('search.messages').at(-1)).toMatchObject({ cursor, ask: 'server' })
  expect(results.found().next).toBeUndefined()
  await results.more()
  expect(fake.inputsOf('search.messages')).toHaveLength(3)
})

test('offline, pages come from the cache', async () => {
  const { fake, results } = make(() =>
    aPage({ hits: [aHit('a', 3)], next: { createdAt: 3, id: 'a' }, server: 'unreachable' }),
  )
  results.ask({ text: 'plan' })
  await settle()
  await results.more()
  expect(fake.inputsOf('search.messages').at(-1)).toMatchObject({ ask: 'cache' })
})

test('the same query keeps the list and its position', async () => {
  const { fake, results } = make(() => aPage({ hits: [aHit('a', 3)] }))
  results.ask({ text: 'plan' })
  await settle()
  results.leave({ scrollTop: 400 })
  results.ask({ text: 'plan' })
  await settle()
  expect(fake.inputsOf('search.messages')).toHaveLength(2)
  expect(results.place().scrollTop).toBe(400)
})

test('a failed search is reported and can be retried', async () => {
  let broken = true
  const { results, ids } = make(() => {
    if (broken) throw Object.assign(new Error('no'), { code: 'search/unavailable' })
    return aPage({ hits: [aHit('a', 1)] })
  })
  results.ask({ text: 'plan' })
  await settle()
  expect(results.found()).toMatchObject({ busy: 'none', error: { code: 'search/unavailable' } })
  broken = false
  results.again()
  await settle()
  expect(ids()).toEqual(['a'])
  expect(results.found().error).toBeUndefined()
})

test('a page that failed is not requested again until the user asks for it', async () => {
  const next = { createdAt: 3, id: 'a' }
  let broken = true
  const { fake, results, ids } = make(({ cursor }) => {
    if (cursor === undefined) return aPage({ hits: [aHit('a', 3)], next, server: 'asked' })
    if (broken) throw Object.assign(new Error('no'), { code: 'search/unavailable' })
    return aPage({ hits: [aHit('b', 1)], server: 'asked' })
  })
  results.ask({ text: 'plan' })
  await settle()
  await results.more()
  expect(results.found()).toMatchObject({ busy: 'none', error: { code: 'search/unavailable' } })
  await results.more()
  expect(fake.inputsOf('search.messages')).toHaveLength(3)
  broken = false
  results.again()
  await settle()
  await results.more()
  expect(ids()).toEqual(['a', 'b'])
})

test('no message is listed twice, and the later response wins', () => {
  const edited = { ...aHit('a', 5), edited: true }
  expect(mergeHits([aHit('a', 5), aHit('b', 7)], [edited])).toEqual([aHit('b', 7), edited])
})
