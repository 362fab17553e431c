import { expect, test } from 'vitest'
import { aMessageRow } from '#kit/rows.ts'
import { openTestStores } from '#kit/stores.ts'
import { asMessageId, asUserId } from '#shared/lib/brand.ts'
import * as messages from './messages.ts'
import * as reacted from './reacted.ts'

const ME = asUserId('me')
const given = (at: number) => ({
  reactionGroups: [{ type: 'heart', count: 1, sumScores: 1, firstAt: at, lastAt: at }],
  latestReactions: [{ type: 'heart', userId: asUserId('bob'), score: 1, createdAt: at }],
})

test('own messages are sorted by their newest reaction and paged; others’ and those without reactions are not listed', () => {
  const { cache } = openTestStores()
  cache.transaction((tx) => {
    for (const at of [30, 10, 20]) {
      messages.put(tx, aMessageRow({ id: asMessageId(`m${at}`), userId: tx.viewerId, ...given(at) }))
    }
    messages.put(tx, aMessageRow({ id: asMessageId('plain'), userId: tx.viewerId }))
    messages.put(tx, aMessageRow({ id: asMessageId('his'), userId: asUserId('bob'), ...given(40) }))
    messages.put(tx, aMessageRow({ id: asMessageId('gone'), userId: tx.viewerId, type: 'deleted', ...given(50) }))
  })
  const first = reacted.mine(cache.reader, 1_000, 2)
  expect(first.map(({ id }) => id)).toEqual(['m30', 'm20'])
  expect(reacted.mine(cache.reader, 20, 2).map(({ id }) => id)).toEqual(['m10'])
})

test('the query uses its index without sorting', () => {
  const { reader } = openTestStores().cache
  const plan = reader.db.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${reacted.MINE}`, ME, 1, 1)
  expect(plan.map(({ detail }) => detail).join()).toContain('USING INDEX messages_reacted')
  expect(plan.map(({ detail }) => detail).join()).not.toContain('TEMP B-TREE')
})
