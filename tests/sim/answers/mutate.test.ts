import { expect, test } from 'vitest'
import { seededIds } from '#kit/seeded-ids.ts'
import { mutated } from './mutate.ts'

test('a changed answer is one that a server can write: no value is inside itself, whatever was changed before', () => {
  const answer = { channel: { cid: 'team:a', members: [{ id: 'ann' }] }, own: [1, [2, [3]]] }
  const unwritable: number[] = []
  for (let seed = 1; seed <= 3_000; seed += 1) {
    const changed = mutated(answer, seededIds(seed))
    try {
      JSON.stringify(changed)
    } catch {
      unwritable.push(seed)
    }
  }
  expect(unwritable.slice(0, 5)).toEqual([])
})
