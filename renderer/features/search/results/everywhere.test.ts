import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { SearchHit, SearchPage } from '#shared/domain/search.ts'
import { AppError } from '#shared/lib/app-error.ts'
import { asCid, asMessageId, asUserId } from '#shared/lib/brand.ts'
import { Everywhere } from './use-results.ts'
import { type Ask, keyIn } from './results.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const aHit = (id: string, createdAt: number, more: Partial<SearchHit> = {}): SearchHit => ({
  messageId: asMessageId(id),
  cid: asCid('team:plans'),
  userId: asUserId('ola'),
  createdAt,
  edited: false,
  pinned: false,
  replyCount: 0,
  attachmentKinds: [],
  parts: [],
  ...more,
})

const aPage = (hits: readonly SearchHit[], over: Partial<SearchPage> = {}): SearchPage => ({
  hits,
  people: [],
  channels: [],
  notes: [],
  indexing: false,
  server: 'asked',
  ...over,
})

const answering =
  (...hits: readonly SearchHit[]): Ask =>
  () =>
    Promise.resolve(aPage(hits))

/** Both accounts have the same ids. */
function make(own: Ask, others: Readonly<Record<string, Ask>>) {
  const asked: string[] = []
  const results = new Everywhere(own, (key) => (input) => {
    asked.push(`${key} ${input.ask}`)
    return others[key]?.(input) ?? Promise.reject(new AppError('session/no-account'))
  })
  const ids = (): readonly string[] => results.found().hits.map(({ account, messageId }) => keyIn(account, messageId))
  const states = (): readonly string[] => results.found().others.map(({ key, state }) => `${key} ${state}`)
  return { results, ids, states, asked }
}
const settle = (): Promise<unknown> => vi.advanceTimersByTimeAsync(1_000)

test('hits of all accounts are one list, and equal ids of two accounts are two messages', async () => {
  const { results, ids } = make(answering(aHit('m', 5), aHit('x', 1)), { work: answering(aHit('m', 3)) })
  results.ask({ text: 'plan' }, ['work'])
  await settle()
  expect(ids()).toEqual(['m', 'work m', 'x'])
  expect(results.found()).toMatchObject({ busy: 'none', others: [{ key: 'work', state: 'done' }] })
})

test('by relevance they are in the order of their ranks', async () => {
  const ranked = (id: string, rank: number) => aHit(id, 1, { rank })
  const { results, ids } = make(answering(ranked('a', 1.2), ranked('b', 0.4)), { work: answering(ranked('c', 0.9)) })
  results.ask({ text: 'plan', order: 'relevance' }, ['work'])
  await settle()
  expect(ids()).toEqual(['a', 'work c', 'b'])
})

test('an account that never answers holds up nothing, and is soon called slow', async () => {
  const { results, ids, states } = make(answering(aHit('m', 5)), { work: () => new Promise(() => {}) })
  results.ask({ text: 'plan' }, ['work'])
  await settle()
  expect(ids()).toEqual(['m'])
  expect(states()).toEqual(['work searching'])
  await vi.advanceTimersByTimeAsync(3_000)
  expect(states()).toEqual(['work slow'])
  expect(results.found().busy).toBe('none')
})

test('an account that refuses or has no connection is named with its reason, and asked again when something has changed', async () => {
  let isIn = false
  const { results, ids, states } = make(answering(aHit('m', 5)), {
    out: () => (isIn ? Promise.resolve(aPage([aHit('o', 4)])) : Promise.reject(new AppError('session/signed-out'))),
    far: () => Promise.resolve(aPage([aHit('f', 3)], { server: 'unreachable', knownUntil: 7 })),
  })
  results.ask({ text: 'plan' }, ['out', 'far'])
  await settle()
  expect(results.found().others).toEqual([
    { key: 'out', state: 'refused', code: 'session/signed-out' },
    { key: 'far', state: 'unreachable', knownUntil: 7 },
  ])
  expect(ids()).toEqual(['m', 'far f'])
  results.retry('sign-in offline')
  isIn = true
  results.retry('connected offline')
  await settle()
  expect(states()).toEqual(['out done', 'far unreachable'])
  expect(ids()).toEqual(['m', 'out o', 'far f'])
})

test('what an account found is dropped as soon as it is no longer searched', async () => {
  const { results, ids, asked } = make(answering(aHit('m', 5)), { work: answering(aHit('w', 3)) })
  results.ask({ text: 'plan' }, ['work'])
  await settle()
  results.ask({ text: 'plan' }, [])
  expect(ids()).toEqual(['m'])
  results.ask({ text: 'plan' }, ['work'])
  expect(ids()).toEqual(['m'])
  await settle()
  expect(ids()).toEqual(['m', 'work w'])
  expect(asked).toEqual(['work cache', 'work server', 'work cache', 'work server'])
})

test('pages of several accounts join without gaps: no row is inserted above what was read', async () => {
  const paged =
    (...times: readonly number[]): Ask =>
    ({ cursor }) => {
      const from = cursor !== undefined && 'createdAt' in cursor ? cursor.createdAt : Number.POSITIVE_INFINITY
      const rest = times.filter((time) => time < from)
      const hits = rest.slice(0, 2).map((time) => aHit(`m${time}`, time))
      const last = hits.at(-1)
      const next = rest.length > 2 && last ? { createdAt: last.createdAt, id: last.messageId } : undefined
      return Promise.resolve(aPage(hits, { next }))
    }
  const { results, ids } = make(paged(90, 80, 20, 10), { work: paged(70, 60, 50, 40) })
  results.ask({ text: 'plan' }, ['work'])
  await settle()
  expect(ids()).toEqual(['m90', 'm80'])
  await results.more()
  expect(ids()).toEqual(['m90', 'm80', 'work m70', 'work m60'])
  await results.more()
  expect(ids()).toEqual(['m90', 'm80', 'work m70', 'work m60', 'work m50', 'work m40', 'm20', 'm10'])
  expect(results.found().next).toBeUndefined()
})

test('an account that is signed out between two pages holds up no pages of the others, and is named', async () => {
  const paged =
    (...times: readonly number[]): Ask =>
    ({ cursor }) => {
      const from = cursor !== undefined && 'createdAt' in cursor ? cursor.createdAt : Number.POSITIVE_INFINITY
      const [time, ...rest] = times.filter((each) => each < from)
      if (time === undefined) return Promise.resolve(aPage([]))
      const next = rest.length > 0 ? { createdAt: time, id: `m${time}` } : undefined
      return Promise.resolve(aPage([aHit(`m${time}`, time)], { next }))
    }
  const signedOut: Ask = (input) =>
    input.cursor === undefined ? paged(80, 70)(input) : Promise.reject(new AppError('session/signed-out'))
  const { results, ids, states } = make(paged(90, 60, 50), { work: signedOut })
  results.ask({ text: 'plan' }, ['work'])
  await settle()
  for (let page = 0; page < 4; page += 1) await results.more()
  expect(ids()).toEqual(['m90', 'work m80', 'm60', 'm50'])
  expect(states()).toEqual(['work refused'])
  expect(results.found().next).toBeUndefined()
})

test('what an account found is dropped with it, also where its results are not on screen', async () => {
  const { results, ids } = make(answering(aHit('m', 5)), {
    work: answering(aHit('w', 3)),
    club: answering(aHit('c', 1)),
  })
  results.ask({ text: 'plan' }, ['work', 'club'])
  await settle()
  results.retain(new Set(['club']))
  expect(ids()).toEqual(['m', 'club c'])
})

test('“nobody” is said of a name only if no account knows it', async () => {
  const nobody = { start: 0, end: 8, code: 'search/nobody' } as const
  const without: Ask = () => Promise.resolve(aPage([], { notes: [nobody] }))
  const { results } = make(without, { work: answering(aHit('w', 3)), club: without })
  results.ask({ text: 'from:ola' }, ['club'])
  await settle()
  expect(results.found().notes).toEqual([nobody])
  results.ask({ text: 'from:ola' }, ['club', 'work'])
  await settle()
  expect(results.found().notes).toEqual([])
})
