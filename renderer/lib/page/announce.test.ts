import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { announce, dropAnnouncements, onAnnouncement } from './announce.ts'

let texts: string[] = []
let leave: () => void = () => {}

const listen = (): void => {
  leave = onAnnouncement(({ text }) => texts.push(text))
}

beforeEach(() => {
  vi.useFakeTimers()
  texts = []
})
afterEach(() => {
  leave()
  vi.runAllTimers()
  vi.useRealTimers()
})

test('polite announcements follow each other after a pause, and an assertive one does not wait', () => {
  listen()
  announce('first')
  announce('second')
  announce('lost', { assertive: true })
  expect(texts).toEqual(['first', 'lost'])
  vi.runAllTimers()
  expect(texts).toEqual(['first', 'lost', 'second'])
})

test('an announcement before there is a listener is made once there is one, once', () => {
  announce('lost', { assertive: true })
  listen()
  leave()
  listen()
  expect(texts).toEqual(['lost'])
})

test('after a drop no waiting announcement is made, but later ones are', () => {
  listen()
  announce('first')
  announce('of the account before')
  dropAnnouncements()
  vi.runAllTimers()
  expect(texts).toEqual(['first'])
  announce('of this account')
  expect(texts).toEqual(['first', 'of this account'])
})

test('a drop also removes announcements from before there was a listener', () => {
  announce('lost', { assertive: true })
  dropAnnouncements()
  listen()
  expect(texts).toEqual([])
})
