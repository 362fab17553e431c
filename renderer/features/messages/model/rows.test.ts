import { describe, expect, test } from 'vitest'
import { asMessageId } from '#shared/lib/brand.ts'
import { aMessage } from '../../../../tests/kit/fake-bridge/builders.ts'
import { buildRows, continues } from './rows.ts'

const MINUTE = 60_000
const start = new Date(2026, 10, 20, 10, 0).getTime()
const dayOf = (at: number): string => new Date(at).toDateString()
const messageFrom = (id: string, userId: string, minutes: number, over: Parameters<typeof aMessage>[0] = {}) =>
  aMessage({ ...over, id, userId, createdAt: start + minutes * MINUTE })
const kinds = (rows: readonly { kind: string; key: string }[]) => rows.map((row) => `${row.kind} ${row.key}`)

describe('groups', () => {
  test('a message continues the previous one of the same author and day within five minutes', () => {
    expect(continues(messageFrom('a', 'ola', 0), messageFrom('b', 'ola', 4))).toBe(true)
    expect(continues(messageFrom('a', 'ola', 0), messageFrom('b', 'ola', 5))).toBe(false)
    expect(continues(messageFrom('a', 'ola', 0), messageFrom('b', 'jonas', 1))).toBe(false)
  })

  test('a quote, a system message and a reply shown in the channel start a new group', () => {
    const quoted = {
      id: messageFrom('q', 'ola', 0).id,
      userId: messageFrom('q', 'ola', 0).userId,
      text: '',
      deleted: false,
    }
    expect(continues(messageFrom('a', 'ola', 0), messageFrom('b', 'ola', 1, { quoted }))).toBe(false)
    expect(continues(messageFrom('a', 'ola', 0, { type: 'system' }), messageFrom('b', 'ola', 1))).toBe(false)
    expect(continues(messageFrom('a', 'ola', 0), messageFrom('b', 'ola', 1, { parentId: 'p' }))).toBe(false)
  })

  test('a day line, the unread line and a gap end a group', () => {
    const messages = [
      messageFrom('a', 'ola', 0),
      messageFrom('b', 'ola', 1),
      messageFrom('c', 'ola', 2),
      messageFrom('d', 'ola', 3),
    ]
    const rows = buildRows(messages, { dayOf, unreadLine: { id: asMessageId('c'), count: 2 }, gapsBefore: ['d'] })
    const continued = rows.flatMap((row) => (row.kind === 'message' ? [row.continued] : []))
    expect(continued).toEqual([false, true, false, false])
  })
})

describe('rows', () => {
  test('a lost connection is shown before the messages written since, and ends the group', () => {
    const messages = [messageFrom('a', 'ola', 0), messageFrom('b', 'ola', 2)]
    const lost = (minutes: number) =>
      kinds(buildRows(messages, { dayOf, days: false, lostAt: start + minutes * MINUTE }))
    expect(lost(1)).toEqual(['message a', 'lost lost', 'message b'])
    expect(lost(3)).toEqual(['message a', 'message b', 'lost lost'])
    const rows = buildRows(messages, { dayOf, days: false, lostAt: start + MINUTE })
    expect(rows.at(-1)).toMatchObject({ id: 'b', continued: false })
  })

  test('each day starts with one divider, above the unread line', () => {
    const messages = [messageFrom('a', 'ola', -24 * 60), messageFrom('b', 'ola', 0), messageFrom('c', 'jonas', 1)]
    const rows = buildRows(messages, { dayOf, unreadLine: { id: asMessageId('b'), count: 2 } })
    expect(kinds(rows)).toEqual([
      `day day:${dayOf(messages[0]?.createdAt ?? 0)}`,
      'message a',
      `day day:${dayOf(start)}`,
      'unread unread',
      'message b',
      'message c',
    ])
  })

  test('a thread has no day dividers', () => {
    expect(kinds(buildRows([messageFrom('a', 'ola', 0)], { dayOf, days: false }))).toEqual(['message a'])
  })

  test('unchanged rows keep their identity when an older page arrives', () => {
    const newer = [messageFrom('b', 'ola', 0), messageFrom('c', 'jonas', 1)]
    const before = buildRows(newer, { dayOf })
    const after = buildRows([messageFrom('a', 'priya', -10), ...newer], { dayOf }, before)
    expect(after.at(-1)).toBe(before.at(-1))
    expect(after.find((row) => row.key === 'b')).toBe(before.find((row) => row.key === 'b'))
  })

  test('without changes the same list is returned', () => {
    const messages = [messageFrom('a', 'ola', 0)]
    const before = buildRows(messages, { dayOf })
    expect(buildRows(messages, { dayOf }, before)).toBe(before)
  })
})
