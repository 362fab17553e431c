import { act, cleanup, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { announce } from '../../lib/page/announce.ts'
import { modalOpened } from '../Modal/Modal.tsx'
import { Announcer } from './Toast.tsx'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))
afterEach(() => {
  // Until the gap after the last announcement is over.
  act(() => void vi.runAllTimers())
  cleanup()
  vi.useRealTimers()
})

const polite = () => screen.getByRole('status').textContent
const assertive = () => screen.getByRole('alert').textContent
const say = (...args: Parameters<typeof announce>) => act(() => announce(...args))
const pass = (ms: number) => act(() => void vi.advanceTimersByTime(ms))

test('polite announcements wait for each other, an urgent one does not', () => {
  render(<Announcer />)
  say('Two new messages')
  say('Connected')
  say('Not sent', { assertive: true })
  expect(polite()).toBe('Two new messages')
  expect(assertive()).toBe('Not sent')
  pass(2_000)
  expect(polite()).toBe('Connected')
})

test('a repeated sentence is a new element, so that it is read out twice', () => {
  render(<Announcer />)
  say('Copied')
  const first = screen.getByText('Copied')
  say('Copied')
  pass(2_000)
  expect(screen.getByText('Copied')).not.toBe(first)
})

test('what is announced in another language than that of the window is marked with it', () => {
  render(<Announcer />)
  say('Do zobaczenia', { language: 'pl' })
  expect(screen.getByText('Do zobaczenia').lang).toBe('pl')
  say('Message sent')
  pass(2_000)
  expect(screen.getByText('Message sent').hasAttribute('lang')).toBe(false)
})

test('a modal that opens clears the regions, and only the latest announcement is repeated', () => {
  render(<Announcer />)
  say('Connected')
  pass(5_000)
  let close = (): void => undefined
  act(() => void (close = modalOpened(document.createElement('dialog'))))
  pass(100)
  expect(polite()).toBe('')
  say('Saved')
  act(close)
  expect(polite()).toBe('')
  pass(100)
  expect(polite()).toBe('Saved')
})

test('announcements from before the regions existed are made in them', () => {
  announce('No connection', { assertive: true })
  render(<Announcer />)
  expect(assertive()).toBe('No connection')
})
