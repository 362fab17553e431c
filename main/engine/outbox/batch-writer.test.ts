import { expect, test } from 'vitest'
import { ManualClock } from '#kit/manual-clock.ts'
import { createBatchWriter } from './runner.ts'

function notebook(refuses: (items: readonly string[]) => boolean = () => false) {
  const clock = new ManualClock()
  const written: string[][] = []
  const together = createBatchWriter<string>(clock, (items) => {
    if (refuses(items)) throw new Error(`refused ${items.join()}`)
    written.push([...items])
  })
  return { clock, written, together }
}

test('items of one turn are written together, in order', async () => {
  const { clock, written, together } = notebook()
  const all = Promise.all([together.add('a'), together.add('b'), together.add('c')])
  expect(written).toEqual([])
  expect(together.count()).toBe(3)
  await clock.settle()
  await all
  expect(written).toEqual([['a', 'b', 'c']])
  expect(together.count()).toBe(0)
  expect(clock.pending).toBe(0)
})

test('a flush writes the queued items at once, and only once', async () => {
  const { clock, written, together } = notebook()
  const one = together.add('a')
  together.flush()
  await one
  together.flush()
  await clock.settle()
  expect(written).toEqual([['a']])
  expect(clock.pending).toBe(0)
})

test('an item that cannot be written blocks no other one and rejects with the reason', async () => {
  const { clock, written, together } = notebook((items) => items.includes('b'))
  const all = Promise.allSettled([together.add('a'), together.add('b'), together.add('c')])
  await clock.settle()
  expect((await all).map((each) => (each.status === 'rejected' ? String(each.reason) : 'written'))).toEqual([
    'written',
    'Error: refused b',
    'written',
  ])
  expect(written).toEqual([['a'], ['c']])
})
