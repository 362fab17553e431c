import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { at, aWireMessage, aWireUser, CID } from '#kit/lone-engine.ts'
import { reading, type Lone } from '#kit/lone-talk.ts'

const DAY_MS = 24 * 3_600_000
const CANARY = 'canary-9f2c'

const hardDelete = (id: string) => ({
  type: 'message.deleted',
  cid: CID,
  created_at: at(2_000),
  hard_delete: true,
  user: aWireUser('ana'),
  message: aWireMessage(id, 1, { type: 'deleted', text: '' }),
})

/** Files of the cache that contain this text. */
const filesWith = (lone: Lone, text: string): string[] =>
  readdirSync(lone.folder)
    .filter((name) => name.startsWith('cache.db'))
    .filter((name) => readFileSync(join(lone.folder, name)).includes(text))

test('text deleted permanently is erased from disk within five seconds', async () => {
  const lone = await reading([aWireMessage('m1', 1, { text: CANARY })])
  expect(filesWith(lone, CANARY)).not.toEqual([])
  await lone.hear(hardDelete('m1'))
  await lone.clock.advance(5_000)
  expect(filesWith(lone, CANARY)).toEqual([])
  await lone.engine.stop()
})

test('a tombstone exists only while an old event may still arrive', async () => {
  const lone = await reading()
  const tombstones = () => lone.engine.stores.cache.reader.db.all('SELECT id FROM tombstones')
  await lone.hear(hardDelete('m1'))
  await lone.clock.advance(29 * DAY_MS)
  expect(tombstones()).toEqual([{ id: 'm1' }])
  await lone.clock.advance(2 * DAY_MS)
  expect(tombstones()).toEqual([])
  await lone.engine.stop()
  expect(lone.clock.pending).toBe(0)
})
