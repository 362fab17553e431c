import { expect, test } from 'vitest'
import type { Cid } from '#shared/lib/brand.ts'
import { asCid, asMessageId, asUserId } from '#shared/lib/brand.ts'
import { aChannelRow, aMessageRow } from '#kit/rows.ts'
import { seededIds } from '#kit/seeded-ids.ts'
import { openTestStores } from '#kit/stores.ts'
import type { Store } from '../files/open.ts'
import type { MessageRow } from '../rows.ts'
import type { Reader, Tx } from '../store.ts'
import * as channels from '../channels/channels.ts'
import * as messages from './messages.ts'
import * as removal from './removal.ts'
import * as timeline from './timeline.ts'

const ROOMS = 3
const EACH = 8
const cidOf = (room: number) => asCid(`messaging:room-${room}`)
const ids = Array.from({ length: ROOMS * EACH }, (_, index) => asMessageId(`m${index}`))
const placeOf = (index: number): Cid => cidOf(index % ROOMS)

const rowAt = (index: number, at: number, row: Partial<MessageRow> = {}): MessageRow =>
  aMessageRow({ id: ids[index], cid: placeOf(index), createdAt: 1_000 + index, updatedAt: at, asOf: at, ...row })

const like = (at: number) => ({ type: 'like', userId: asUserId('bo'), score: 1, createdAt: at })
const likes = (at: number) => ({ type: 'like', count: 1, sumScores: 1, firstAt: at, lastAt: at })
const aFile = { kind: 'file', title: 'plan.pdf', raw: { type: 'file' } } as const

type Step = (tx: Tx, index: number, at: number) => void

/** Changes to one message, or around it, at time `at`. */
const STEPS: readonly Step[] = [
  (tx, index, at) => void timeline.receive(tx, rowAt(index, at), at % 2 === 0),
  (tx, index, at) => void timeline.receive(tx, rowAt(index, at, { quotedId: ids[at % ids.length] }), true),
  (tx, index, at) => void timeline.receive(tx, rowAt(index, at, { pinned: true, pinnedAt: at }), true),
  (tx, index, at) => void messages.put(tx, rowAt(index, at, { text: `said at ${at}`, editedAt: at })),
  (tx, index, at) => void messages.put(tx, rowAt(index, at, { text: 'long '.repeat(2_000) })),
  (tx, index, at) => void messages.put(tx, rowAt(index, 1, { asOf: at, latestReactions: [like(at)] })),
  (tx, index, at) => void messages.put(tx, rowAt(index, 1, { asOf: at, reactionGroups: [likes(at)], replyCount: 2 })),
  (tx, index, at) => void messages.put(tx, rowAt(index, at, { ownReactions: [], attachments: [aFile] })),
  (tx, index, at) => void messages.put(tx, rowAt(index, at, { pinned: true, pinnedAt: at, custom: { at } })),
  (tx, index, at) => messages.replace(tx, rowAt(index, at, { type: 'deleted', text: '', deletedAt: at })),
  (tx, index, at) => removal.removeForGood(tx, rowAt(index, at), at),
  (tx, index) => removal.drop(tx, ids[index] ?? ''),
  (tx, index) => removal.truncate(tx, placeOf(index), 1_000 + index),
  (tx, index, at) => removal.deleteOfUser(tx, asUserId('ana'), { cid: placeOf(index), hard: at % 2 === 0, at }),
  (tx, index) => channels.remove(tx, placeOf(index)),
]
/** Most of what happens: messages come and change. */
const OFTEN = 9

function cacheWithRooms(): Store {
  const { cache } = openTestStores()
  cache.transaction((tx) => {
    for (let room = 0; room < ROOMS; room += 1) channels.put(tx, aChannelRow({ cid: cidOf(room) }))
  })
  return cache
}

/** All messages, each as one that is looked for by its id; and as they are in the file, with valid checksums. */
const remembered = (reader: Reader) => ids.flatMap((id) => messages.byId(reader, id) ?? [])
const stored = (reader: Reader) => messages.byIds(reader, ids)

const rooms = Array.from({ length: ROOMS }, (_, room) => cidOf(room))
const pinsIn = ({ reader }: Store, cid: Cid): number => messages.pinnedIds(reader, cid).length

test('a message that is remembered is the one in the file, and pins are counted, whatever happened to it', () => {
  const cache = cacheWithRooms()
  const random = seededIds(21)
  const pick = (count: number): number => Math.floor(random.random() * count)
  const someSteps = (tx: Tx, at: number): void => {
    for (let count = 1 + pick(6); count > 0; count -= 1) {
      STEPS[pick(pick(6) === 0 ? STEPS.length : OFTEN)]?.(tx, pick(ids.length), at)
    }
  }
  /** Some steps that are undone, in a transaction of their own or as a part of one. */
  const undoneSteps = (at: number): void => {
    const undone = new Error('undone')
    try {
      cache.transaction((tx) => {
        someSteps(tx, at)
        throw undone
      })
    } catch (error) {
      if (error !== undone) throw error
    }
  }
  for (let at = 2_000; at < 2_600; at += 1) {
    if (pick(4) === 0) undoneSteps(at)
    cache.transaction((tx) => {
      someSteps(tx, at)
      if (pick(4) === 0) undoneSteps(at)
      someSteps(tx, at)
      expect(remembered(tx)).toEqual(stored(tx))
    })
    expect(remembered(cache.reader)).toEqual(stored(cache.reader))
    expect(rooms.map((cid) => messages.pinnedCount(cache.reader, cid))).toEqual(rooms.map((cid) => pinsIn(cache, cid)))
  }
})
