import { expect, test } from 'vitest'
import { openStore } from '../store/open.ts'
import { SECOND } from '../store/time.ts'
import { applyPlan } from './plan.ts'
import { demoPlan } from './demo.ts'

const NOW = Date.UTC(2026, 10, 29, 12) * 1000
const VOTES =
  'SELECT v.created_at AS cast, m.created_at AS asked FROM poll_votes v JOIN messages m ON m.poll_id = v.poll_id'

test('the people of the demo voted within a minute after the poll was posted', () => {
  const db = openStore(':memory:')
  applyPlan(db, { ...demoPlan(), emoji: [] }, NOW, ({ title }) => ({
    id: title,
    url: `http://localhost/${title}`,
    sizeBytes: 1,
  }))
  const votes = db.raw.prepare<[], { cast: number; asked: number }>(VOTES).all()
  db.close()
  expect(votes.length).toBeGreaterThan(20)
  expect(votes.filter(({ cast, asked }) => cast < asked - SECOND || cast > asked + 60 * SECOND)).toEqual([])
})
