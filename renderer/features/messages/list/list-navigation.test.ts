import { expect, test } from 'vitest'
import { asMessageId } from '#shared/lib/brand.ts'
import { aWindow } from '../../../../tests/kit/fake-bridge/builders.ts'
import type { Row } from '../model/rows.ts'
import { AT_UNREAD, ListNavigation, type Target } from './list-navigation.ts'
import { AT_END } from './list-view.ts'

const KEY = 'timeline:messaging:general'
const rowsOf = (...ids: readonly string[]): readonly Row[] =>
  ids.map((id) => ({ kind: 'message', key: id, id: asMessageId(id) }) as Row)
const to = (id: string): Target => ({ kind: 'message', id: asMessageId(id) })
const LINE: Row = { kind: 'unread', key: 'unread', count: 2, partial: false }

test('a list that was just mounted shows nothing before its target is loaded, then rows and position together', () => {
  const navigation = new ListNavigation(to('b'))
  const elsewhere = aWindow(KEY, ['x', 'y'])
  expect(navigation.isHidden(undefined)).toBe(true)
  expect(navigation.isHidden(elsewhere)).toBe(true)
  const there = aWindow(KEY, ['a', 'b', 'c'])
  expect(navigation.isHidden(there)).toBe(false)
  const landing = navigation.landingIn(there, rowsOf('a', 'b', 'c'))
  expect(landing).toMatchObject({ position: { key: 'b' }, isTarget: true })
  navigation.settle(landing)
  expect(navigation.pending).toBeUndefined()
})

test('a list opens at the unread line, else at the end, and only with the newest page', () => {
  const navigation = new ListNavigation({ kind: 'newest' })
  expect(navigation.isHidden(aWindow(KEY, ['a'], { hasNext: true }))).toBe(true)
  const newest = aWindow(KEY, ['a', 'b'])
  expect(new ListNavigation({ kind: 'newest' }).landingIn(newest, rowsOf('a', 'b'))?.position).toEqual(AT_END)
  const landing = navigation.landingIn(newest, [LINE, ...rowsOf('a', 'b')])
  expect(landing?.position).toEqual(AT_UNREAD)
  navigation.settle(landing)
  navigation.go({ kind: 'newest' })
  expect(navigation.landingIn(newest, rowsOf('a', 'b'))?.position).toEqual(AT_END)
})

test('a jump inside a list leaves the rows until the target is loaded; the last request wins', () => {
  const navigation = new ListNavigation({ kind: 'newest' })
  const first = aWindow(KEY, ['y', 'z'])
  navigation.settle(navigation.landingIn(first, rowsOf('y', 'z')))
  navigation.go(to('b'))
  expect(navigation.isHidden(first)).toBe(false)
  expect(navigation.isWaiting(first)).toBe(true)
  navigation.go(to('m'))
  const late = aWindow(KEY, ['a', 'b'])
  const before = navigation.landingIn(first, rowsOf('y', 'z'))
  expect(navigation.landingIn(late, rowsOf('a', 'b'))).toBe(before)
  const there = aWindow(KEY, ['l', 'm'])
  expect(navigation.landingIn(there, rowsOf('l', 'm'))?.position).toMatchObject({ key: 'm' })
})

test('a message beside a gap is not taken for the target, unless the window was loaded for this navigation', () => {
  const navigation = new ListNavigation({ kind: 'newest' })
  const visit = navigation.go(to('a'))
  const torn = { gapsBefore: ['y'] }
  expect(navigation.isWaiting(aWindow(KEY, ['a', 'y'], torn))).toBe(true)
  const landed = { visit, id: asMessageId('a') }
  expect(navigation.isWaiting(aWindow(KEY, ['a', 'y'], { ...torn, landed }))).toBe(false)
  expect(navigation.isWaiting(aWindow(KEY, ['a', 'y'], { ...torn, landed: { ...landed, visit: visit - 1 } }))).toBe(
    true,
  )
})

test('a jump to a time goes to the message that the window names, going back to the previous row or the nearest message', () => {
  const navigation = new ListNavigation({ kind: 'newest' })
  const visit = navigation.go({ kind: 'time', at: 5 })
  const window = aWindow(KEY, ['a', 'b'], { landed: { visit, id: asMessageId('b') } })
  const landing = navigation.landingIn(window, rowsOf('a', 'b'))
  expect(landing?.position).toMatchObject({ key: 'b' })
  navigation.settle(landing)
  const position = { key: 'gone', offset: 33 }
  const next = navigation.go({ kind: 'back', position, near: asMessageId('gone'), at: 5 })
  const back = aWindow(KEY, ['a', 'b'], { landed: { visit: next, id: asMessageId('a') } })
  expect(navigation.landingIn(back, rowsOf('a', 'b'))?.position).toEqual({ key: 'a', offset: 33 })
})

test('an unknown first unread message is waited for; a loaded one is shown at the unread line at once', () => {
  const navigation = new ListNavigation({ kind: 'unread' })
  const visit = navigation.pending?.visit ?? 0
  const newest = aWindow(KEY, ['y', 'z'])
  expect(navigation.isHidden(newest)).toBe(true)
  expect(navigation.landingIn(newest, rowsOf('y', 'z'))).toBeUndefined()
  const found = aWindow(KEY, ['a', 'b', 'c'], {
    hasNext: true,
    landed: { visit, id: asMessageId('b'), unread: 'first' },
  })
  const [a, ...rest] = rowsOf('a', 'b', 'c')
  expect(navigation.landingIn(found, [a, LINE, ...rest] as Row[])?.position).toEqual(AT_UNREAD)
  const held = new ListNavigation({ kind: 'unread', id: asMessageId('y') })
  expect(held.landingIn(newest, [LINE, ...rowsOf('y', 'z')])?.position).toEqual(AT_UNREAD)
  const mute = new ListNavigation({ kind: 'unread', id: asMessageId('z') })
  expect(mute.landingIn(newest, rowsOf('y', 'z'))?.position).toEqual({ ...AT_UNREAD, key: 'z' })
})

test('a discarded render leaves no position behind', () => {
  const navigation = new ListNavigation({ kind: 'newest' })
  const newest = aWindow(KEY, ['a', 'b'])
  navigation.landingIn(newest, [LINE, ...rowsOf('a', 'b')])
  expect(navigation.pending).toBeDefined()
  expect(navigation.landingIn(newest, rowsOf('a', 'b'))?.position).toEqual(AT_END)
  navigation.go(to('q'))
  expect(navigation.landingIn(newest, rowsOf('a', 'b'))).toBeUndefined()
})
