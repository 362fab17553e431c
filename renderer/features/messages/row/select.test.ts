import { describe, expect, test } from 'vitest'
import { asMessageId, asUserId } from '#shared/lib/brand.ts'
import { aChannel, aMessage } from '../../../../tests/kit/fake-bridge/builders.ts'
import { newestOwnOf, newSince, readersByMessage, unreadLineOf } from './select.ts'

const messages = [
  aMessage({ id: 'a', userId: 'jonas', createdAt: 10 }),
  aMessage({ id: 'b', userId: 'ola', createdAt: 20 }),
  aMessage({ id: 'c', userId: 'priya', createdAt: 30 }),
]

describe('the unread line', () => {
  test('is above the first unread message the engine reports', () => {
    const channel = aChannel({ unread: 1, firstUnreadId: asMessageId('c') })
    expect(unreadLineOf(channel, messages, 'ola')).toEqual({ id: 'c', count: 1 })
  })

  test('is found by the time of the last read message if that message is not loaded', () => {
    const channel = aChannel({ unread: 5, firstUnreadId: asMessageId('gone'), lastReadAt: 15 })
    expect(unreadLineOf(channel, messages, 'ola')).toEqual({ id: 'c', count: 5 })
  })

  test('is absent when everything is read', () => {
    expect(unreadLineOf(aChannel({ unread: 0, firstUnreadId: asMessageId('c') }), messages, 'ola')).toBeUndefined()
  })
})

test('each reader is at the last message they have read; one who answered is at the viewer’s newest message', () => {
  const reads = [
    { userId: asUserId('jonas'), lastReadAt: 25 },
    { userId: asUserId('priya'), lastReadAt: 99 },
    { userId: asUserId('ola'), lastReadAt: 99 },
  ]
  expect([...readersByMessage(messages, reads, 'ola')]).toEqual([['b', ['jonas', 'priya']]])
  expect([...readersByMessage(messages, reads, 'hana')]).toEqual([
    ['b', ['jonas']],
    ['c', ['ola']],
  ])
})

test('only messages of others count as new', () => {
  expect(newSince(messages, 10, 'ola')).toBe(1)
  expect(newSince(messages, 30, 'ola')).toBe(0)
})

test('the viewer’s newest message is found', () => {
  expect(newestOwnOf(messages, 'ola')?.id).toBe('b')
  expect(newestOwnOf(messages, 'nobody')).toBeUndefined()
})
