import Database from 'better-sqlite3'
import { asUserId } from '#shared/lib/brand.ts'
import { parseQuery } from '#shared/rules/search/search-query.ts'
import type { SearchRequest } from '#main/cache/search/query.ts'
import { threadWorker, type CacheWorker } from '#main/cache/worker.ts'
import { logger, silentSink } from '#main/lib/logger.ts'
import { cacheWorker } from '../processes.ts'
import { personId, VIEWER } from '../seeds.ts'
import { figure, median, type Figure } from '../stats.ts'
import { END, wordOf, type History } from './fill.ts'

/**
 * Searches through the thread that the app searches with, from the query to the ids of the first page, compared with
 * SQLite's own index on the same file, queried for the newest 20 with the same words and nothing else.
 */
type Case = {
  readonly name: string
  readonly text: string
  readonly bare: string
  readonly more?: Partial<SearchRequest>
}

const LIMIT = 20
const TODAY = { year: 2026, month: 1, day: 1 }

const bareWord = (rank: number): string => `body : "${wordOf(rank).replaceAll('ż', 'z').replaceAll('ł', 'l')}"`

const casesOf = (total: number): readonly Case[] => [
  { name: 'common word', text: `${wordOf(0)} `, bare: bareWord(0) },
  { name: 'rare word', text: `${wordOf(20_000)} `, bare: bareWord(20_000) },
  { name: 'two words', text: `${wordOf(40)} ${wordOf(60)} `, bare: `${bareWord(40)} AND ${bareWord(60)}` },
  { name: 'beginning of a word', text: wordOf(300).slice(0, 3), bare: `${bareWord(300).slice(0, 11)}" *` },
  { name: 'Polish letters', text: `${wordOf(8)} `, bare: bareWord(8) },
  { name: 'from: a rare writer', text: `${wordOf(0)} from:${personId(990)} `, bare: bareWord(0) },
  { name: 'from: a user without messages', text: `${wordOf(0)} from:${VIEWER} `, bare: bareWord(0) },
  { name: 'in: one channel', text: `${wordOf(0)} in:"Room 7" `, bare: bareWord(0) },
  { name: 'has:image', text: `${wordOf(100)} has:image `, bare: bareWord(100) },
  { name: 'oldest tenth by date', text: `${wordOf(0)} `, bare: bareWord(0), more: { until: END(total / 10) } },
  { name: 'no hits, an unused word', text: 'qqqqqq ', bare: 'body : "qqqqqq"' },
  {
    name: 'no hits, two rare words',
    text: `${wordOf(25_000)} ${wordOf(26_001)} `,
    bare: `${bareWord(25_000)} AND ${bareWord(26_001)}`,
  },
]

export type SearchTimes = {
  readonly name: string
  readonly samples: readonly number[]
  readonly bare: readonly number[]
  /** Processor time of one search, all threads, and of the bare query; microseconds. */
  readonly cpu: readonly [number, number]
}

export async function searchTimes({ stores, total }: History, runs: number): Promise<readonly SearchTimes[]> {
  const { path } = stores.cache
  const reader = threadWorker(
    cacheWorker,
    { path, viewerId: asUserId(VIEWER) },
    { after: () => () => undefined },
    logger('bench', silentSink),
  )
  const raw = new Database(path, { readonly: true })
  const bare = raw.prepare('SELECT rowid FROM search_words WHERE search_words MATCH ? ORDER BY rowid DESC LIMIT 20')
  const found: SearchTimes[] = []
  for (const one of casesOf(total)) {
    await searchOnce(reader, one)
    bare.all(one.bare)
    const searched = await measured(runs, () => searchOnce(reader, one))
    const floor = await measured(runs, () => timed(() => bare.all(one.bare)))
    found.push({ name: one.name, samples: searched.samples, bare: floor.samples, cpu: [searched.cpu, floor.cpu] })
  }
  await reader.close()
  raw.close()
  return found
}

async function searchOnce(reader: CacheWorker, { text, more }: Case): Promise<number> {
  const startedAt = performance.now()
  await reader.search({ query: parseQuery(text, TODAY), limit: LIMIT, ...more })
  return performance.now() - startedAt
}

async function measured(runs: number, work: () => number | Promise<number>) {
  const before = process.cpuUsage()
  const samples: number[] = []
  for (let run = 0; run < runs; run += 1) samples.push(await work())
  const { user, system } = process.cpuUsage(before)
  return { samples, cpu: Math.round((user + system) / runs) }
}

function timed(work: () => unknown): number {
  const startedAt = performance.now()
  work()
  return performance.now() - startedAt
}

export function searchFigures(times: readonly SearchTimes[], total: number): Figure[] {
  return times.map(({ name, samples, bare, cpu }) =>
    figure(`search of ${total} messages, ${name}`, 'ms', samples, {
      limit: { name: 'bare FTS5, newest 20', values: bare },
      note: `${cpu[0]} µs of processor time, bare ${cpu[1]}`,
    }),
  )
}

/** How much longer the same takes in the large history than in the small one. */
export function searchGrowth(small: readonly SearchTimes[], large: readonly SearchTimes[]): Figure[] {
  return large.map(({ name, samples, cpu }, index) =>
    figure(`growth of search, ${name}`, 'ms', samples, {
      limit: { name: 'in the small history', values: small[index]?.samples ?? [median(samples)] },
      note: `${cpu[0]} µs of processor time, in the small history ${small[index]?.cpu[0] ?? 0}`,
    }),
  )
}
