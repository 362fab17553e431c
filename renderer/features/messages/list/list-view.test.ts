import { expect, test } from 'vitest'
import { asMessageId } from '#shared/lib/brand.ts'
import type { Row } from '../model/rows.ts'
import { ListSizes } from './list-sizes.ts'
import { AT_END, ListView, type ListShape } from './list-view.ts'

const shapeOf = (...ids: readonly string[]): ListShape => ({
  rows: ids.map((id): Row => ({ kind: 'message', key: asMessageId(id), id: asMessageId(id), continued: false })),
  hasOlder: false,
  hasNewer: false,
  busy: false,
})
const keysOf = (rows: readonly Row[]): readonly string[] => rows.map(({ key }) => key)

test('a discarded render moves nothing, and a repeated one has the same result', () => {
  const view = new ListView(new ListSizes(900))
  view.commit(view.plan(shapeOf('a', 'b', 'c')))
  const landing = { visit: 1, position: { key: 'y', offset: 7 } }
  const other = shapeOf('x', 'y', 'z')
  const plan = view.plan(other, landing)
  expect(plan.position).toEqual({ key: 'y', offset: 7 })
  expect(view.plan(other, landing)).toEqual(plan)
  expect(view.where()).toEqual(AT_END)
  expect(keysOf(view.rows)).toEqual(['a', 'b', 'c'])
  view.commit(plan)
  expect(view.where()).toEqual({ key: 'y', offset: 7 })
  expect(keysOf(view.rows)).toEqual(['x', 'y', 'z'])
})

test('a plan that is committed twice lands once, and one made before the list was scrolled starts from its current position', () => {
  const view = new ListView(new ListSizes(900))
  const shape = shapeOf('a', 'b', 'c')
  const plan = view.plan(shape, { visit: 1, position: { key: 'b', offset: 7 } })
  view.commit(plan)
  view.reveal('c')
  const there = view.where()
  view.commit(plan)
  expect(view.where()).toBe(there)
  expect(view.isUntouched).toBe(false)
  const late = view.plan(shapeOf('a', 'b', 'c', 'd'))
  view.reveal('a')
  view.commit(late)
  expect(view.where()).toMatchObject({ key: 'a' })
  expect(keysOf(view.rows)).toEqual(['a', 'b', 'c', 'd'])
})

test('when the row at the scroll position is removed, the nearest remaining one takes its place', () => {
  const view = new ListView(new ListSizes(900))
  view.commit(view.plan(shapeOf('a', 'b', 'c'), { visit: 1, position: { key: 'b', offset: 7 } }))
  view.commit(view.plan(shapeOf('a', 'c')))
  expect(view.where()).toEqual({ key: 'c', offset: 7 })
})
