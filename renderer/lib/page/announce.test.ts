import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { announce, dropAnnouncements, dropArrivals, onAnnouncement } from './announce.ts'

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

test('two errors at once are both read: the later one is announced with the one that it would cut off', () => {
  listen()
  announce('Not sent.', { assertive: true })
  announce('Connection lost.', { assertive: true })
  announce('Connection lost.', { assertive: true })
  expect(texts.at(-1)).toBe('Not sent. Connection lost.')
  vi.advanceTimersByTime(2_000)
  announce('Disk full', { assertive: true })
  expect(texts.at(-1)).toBe('Disk full')
})

test('what was announced before there is a listener is all announced once there is one', () => {
  announce('Reading your messages')
  announce('Not saved', { assertive: true })
  announce('Disk full', { assertive: true })
  listen()
  expect(texts).toEqual(['Reading your messages', 'Not saved. Disk full.'])
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

const arrive = (text: string, place = 'release-4-2', count = 1): void =>
  announce(text, { arrivals: { place, count, many: (all) => `${all} new messages` } })

test('there is at most one polite announcement in two seconds, and what waited comes together', () => {
  listen()
  announce('Message sent')
  announce('Message pinned')
  announce('Ready?')
  announce('Message pinned')
  vi.advanceTimersByTime(1_999)
  expect(texts).toEqual(['Message sent'])
  vi.advanceTimersByTime(1)
  expect(texts).toEqual(['Message sent', 'Message pinned. Ready?'])
})

test('messages that arrive in a burst are announced as the first one and the number of the others', () => {
  listen()
  for (const text of ['Priya: one', 'Priya: two', 'Priya: three']) arrive(text)
  arrive('8 new messages', 'release-4-2', 8)
  vi.runAllTimers()
  expect(texts).toEqual(['Priya: one', '10 new messages'])
})

test('a single message that waited is announced with its text', () => {
  listen()
  arrive('Priya: one')
  arrive('Priya: two')
  vi.runAllTimers()
  expect(texts).toEqual(['Priya: one', 'Priya: two'])
})

test('the language of a text is announced with it, and none where texts of several are', () => {
  const languages: (string | undefined)[] = []
  onTestFinished(onAnnouncement(({ language }) => void languages.push(language)))
  announce('Priya: dzień dobry', { language: 'pl' })
  announce('Priya: до свидания', { language: 'ru' })
  vi.advanceTimersByTime(2_000)
  announce('Message sent')
  announce('Priya: dobranoc', { language: 'pl' })
  vi.runAllTimers()
  expect(languages).toEqual(['pl', 'ru', undefined])
})

test('messages of a channel that was left are not announced, those of the channel on screen are', () => {
  listen()
  for (const text of ['one', 'two', 'three']) arrive(text, 'left')
  arrive('four', 'shown')
  dropArrivals('left')
  vi.runAllTimers()
  expect(texts).toEqual(['one', 'four'])
})
