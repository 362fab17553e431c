import { expect, test } from 'vitest'
import { asMessageId } from '#shared/lib/brand.ts'
import { aWindow } from '../../../../tests/kit/fake-bridge/builders.ts'
import type { Row } from '../model/rows.ts'
import { AT_UNREAD, Course, type Target } from './course.ts'
import { AT_END } from './list-view.ts'

const KEY = 'timeline:messaging:general'
const rowsOf = (...ids: readonly string[]): readonly Row[] =>
  ids.map((id) => ({ kind: 'message', key: id, id: asMessageId(id) }) as Row)
const to = (id: string): Target => ({ kind: 'message', id: asMessageId(id) })
const LINE: Row = { kind: 'unread', key: 'unread', count: 2, partial: false }

test('a list that has just come shows nothing before its place is there, then rows and place as one', () => {
  const course = new Course(to('b'))
  const elsewhere = aWindow(KEY, ['x', 'y'])
  expect(course.isBare(undefined)).toBe(true)
  expect(course.isBare(elsewhere)).toBe(true)
  const there = aWindow(KEY, ['a', 'b', 'c'])
  expect(course.isBare(there)).toBe(false)
  const landing = course.landingIn(there, rowsOf('a', 'b', 'c'))
  expect(landing).toMatchObject({ position: { key: 'b' }, isTarget: true })
  course.settle(landing)
  expect(course.unfinished).toBeUndefined()
})

test('opening stands at the unread line, else at the end, and only beside the newest page', () => {
  const course = new Course({ kind: 'newest' })
  expect(course.isBare(aWindow(KEY, ['a'], { hasNext: true }))).toBe(true)
  const newest = aWindow(KEY, ['a', 'b'])
  expect(new Course({ kind: 'newest' }).landingIn(newest, rowsOf('a', 'b'))?.position).toEqual(AT_END)
  const landing = course.landingIn(newest, [LINE, ...rowsOf('a', 'b')])
  expect(landing?.position).toEqual(AT_UNREAD)
  course.settle(landing)
  course.go({ kind: 'newest' })
  expect(course.landingIn(newest, rowsOf('a', 'b'))?.position).toEqual(AT_END)
})

test('a jump inside a list leaves the rows until the others are there; the last wish wins', () => {
  const course = new Course({ kind: 'newest' })
  const first = aWindow(KEY, ['y', 'z'])
  course.settle(course.landingIn(first, rowsOf('y', 'z')))
  course.go(to('b'))
  expect(course.isBare(first)).toBe(false)
  expect(course.isWaiting(first)).toBe(true)
  course.go(to('m'))
  const late = aWindow(KEY, ['a', 'b'])
  const before = course.landingIn(first, rowsOf('y', 'z'))
  expect(course.landingIn(late, rowsOf('a', 'b'))).toBe(before)
  const there = aWindow(KEY, ['l', 'm'])
  expect(course.landingIn(there, rowsOf('l', 'm'))?.position).toMatchObject({ key: 'm' })
})

test('beside a hole a message is not where it is looked for, unless the window answers this very way', () => {
  const course = new Course({ kind: 'newest' })
  const visit = course.go(to('a'))
  const torn = { gapsBefore: ['y'] }
  expect(course.isWaiting(aWindow(KEY, ['a', 'y'], torn))).toBe(true)
  const landed = { visit, id: asMessageId('a') }
  expect(course.isWaiting(aWindow(KEY, ['a', 'y'], { ...torn, landed }))).toBe(false)
  expect(course.isWaiting(aWindow(KEY, ['a', 'y'], { ...torn, landed: { ...landed, visit: visit - 1 } }))).toBe(true)
})

test('a time is where the window says, coming back is the row that was left or the message nearest to it', () => {
  const course = new Course({ kind: 'newest' })
  const visit = course.go({ kind: 'time', at: 5 })
  const window = aWindow(KEY, ['a', 'b'], { landed: { visit, id: asMessageId('b') } })
  const landing = course.landingIn(window, rowsOf('a', 'b'))
  expect(landing?.position).toMatchObject({ key: 'b' })
  course.settle(landing)
  const position = { key: 'gone', offset: 33 }
  const next = course.go({ kind: 'back', position, near: asMessageId('gone'), at: 5 })
  const back = aWindow(KEY, ['a', 'b'], { landed: { visit: next, id: asMessageId('a') } })
  expect(course.landingIn(back, rowsOf('a', 'b'))?.position).toEqual({ key: 'a', offset: 33 })
})

test('the first unread message that is not known here is waited for; one that is held stands at its line at once', () => {
  const course = new Course({ kind: 'unread' })
  const visit = course.unfinished?.visit ?? 0
  const newest = aWindow(KEY, ['y', 'z'])
  expect(course.isBare(newest)).toBe(true)
  expect(course.landingIn(newest, rowsOf('y', 'z'))).toBeUndefined()
  const found = aWindow(KEY, ['a', 'b', 'c'], {
    hasNext: true,
    landed: { visit, id: asMessageId('b'), unread: 'first' },
  })
  const [a, ...rest] = rowsOf('a', 'b', 'c')
  expect(course.landingIn(found, [a, LINE, ...rest] as Row[])?.position).toEqual(AT_UNREAD)
  const held = new Course({ kind: 'unread', id: asMessageId('y') })
  expect(held.landingIn(newest, [LINE, ...rowsOf('y', 'z')])?.position).toEqual(AT_UNREAD)
  const mute = new Course({ kind: 'unread', id: asMessageId('z') })
  expect(mute.landingIn(newest, rowsOf('y', 'z'))?.position).toEqual({ ...AT_UNREAD, key: 'z' })
})

test('a render that is thrown away leaves no place behind', () => {
  const course = new Course({ kind: 'newest' })
  const newest = aWindow(KEY, ['a', 'b'])
  course.landingIn(newest, [LINE, ...rowsOf('a', 'b')])
  expect(course.unfinished).toBeDefined()
  expect(course.landingIn(newest, rowsOf('a', 'b'))?.position).toEqual(AT_END)
  course.go(to('q'))
  expect(course.landingIn(newest, rowsOf('a', 'b'))).toBeUndefined()
})
