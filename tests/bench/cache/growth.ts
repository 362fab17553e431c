import { asCid, asMessageId, asUserId } from '#shared/lib/brand.ts'
import { aMessageRow } from '#kit/rows.ts'
import * as pages from '#main/cache/messages/pages.ts'
import * as timeline from '#main/cache/messages/timeline.ts'
import * as unread from '#main/cache/channels/unread.ts'
import * as channels from '#main/cache/channels/channels.ts'
import { channelCid, personId } from '../seeds.ts'
import { figure, type Figure } from '../stats.ts'
import { END, type History } from './fill.ts'

/** The cost of one event, one page and one count in a small and in a large history, which should be equal. */
const ACTIONS: readonly (readonly [string, (history: History, turn: number) => unknown])[] = [
  [
    'one event stored',
    ({ stores, total }, turn) => stores.cache.transaction((tx) => timeline.receive(tx, aNew(total, turn), true)),
  ],
  ['newest 100 of a channel', ({ stores }, turn) => pages.newest(stores.cache.reader, scopeOf(turn), 100)],
  ['100 older ones in the middle', ({ stores, total }, turn) => older(stores, total, turn)],
  ['unread of a channel', ({ stores }, turn) => unread.ofChannel(stores.cache.reader, cidOf(turn), 0)],
  ['list of channels', ({ stores }) => channels.listedCids(stores.cache.reader)],
]

const cidOf = (turn: number) => asCid(channelCid(turn % 200))
const scopeOf = (turn: number) => `timeline:${cidOf(turn)}` as const

function aNew(total: number, turn: number) {
  const createdAt = END(total) + 1_000 + turn
  const id = asMessageId(`new-${turn}`)
  return aMessageRow({
    id,
    cid: cidOf(turn),
    userId: asUserId(personId(3)),
    text: 'one more',
    createdAt,
    asOf: createdAt,
  })
}

function older({ cache }: History['stores'], total: number, turn: number) {
  const middle = END(total / 2) + turn
  return pages.before(cache.reader, scopeOf(turn), { createdAt: middle, id: '' }, 100)
}

export function growthFigures(small: History, large: History, runs: number): Figure[] {
  return ACTIONS.map(([name, act]) =>
    figure(`growth from ${small.total} to ${large.total} messages, ${name}`, 'ms', times(large, act, runs), {
      limit: { name: 'in the small history', values: times(small, act, runs) },
    }),
  )
}

function times(history: History, act: (history: History, turn: number) => unknown, runs: number): number[] {
  for (let turn = 0; turn < 20; turn += 1) act(history, turn)
  return Array.from({ length: runs }, (_, index) => {
    const startedAt = performance.now()
    act(history, 20 + index)
    return performance.now() - startedAt
  })
}
