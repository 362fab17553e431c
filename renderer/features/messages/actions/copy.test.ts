import { describe, expect, test } from 'vitest'
import { asPollId } from '#shared/lib/brand.ts'
import { aMessage, anAttachment } from '#kit/fake-bridge/index.ts'
import { copyOf, copyOfMany } from './copied-text.ts'

const copied = (text: string): Promise<string> => copyOf(aMessage({ text }), 'plain')
describe('copied as plain text', () => {
  test.each([
    ['formatting marks are removed, lines stay', '**Ship** it\n_today_', 'Ship it\ntoday'],
    ['lists get bullets', '- one\n- two', '• one\n• two'],
    ['numbered lists keep their numbers', '3. three\n4. four', '3. three\n4. four'],
    ['tasks show whether they are done', '- [x] a\n- [ ] b', '• ☑ a\n• ☐ b'],
    ['code is unchanged', '```ts\nconst a = 1\n```', 'const a = 1'],
    ['a link with other text shows its address', '[docs](https://example.com/a)', 'docs (https://example.com/a)'],
    ['a bare address is not repeated', 'https://example.com/a', 'https://example.com/a'],
    ['table cells are separated by tabs', '| a | b |\n|---|---|\n| 1 | 2 |', 'a\tb\n1\t2'],
  ])('%s', async (_rule, text, expected) => {
    expect(await copied(text)).toBe(expected)
  })
})

test('copied as Markdown is the unchanged source', async () => {
  const text = '**Ship**  it\n\n* x\n'
  expect(await copyOf(aMessage({ text }), 'markdown')).toBe(text)
})

test('several messages are copied with authors, times and file names', async () => {
  const createdAt = Date.UTC(2026, 10, 20, 9, 40, 5, 123)
  const messages = [
    aMessage({ userId: 'ola', text: '*one*', createdAt }),
    aMessage({ userId: 'jonas', createdAt, attachments: [anAttachment({ title: 'plan.pdf' })] }),
  ]
  expect(await copyOfMany(messages, 'plain', { nameOf: (id) => id.toUpperCase() })).toBe(
    'OLA, 2026-11-20T09:40:05Z\none\n\nJONAS, 2026-11-20T09:40:05Z\nplan.pdf',
  )
})

test('a poll is copied with its options, a location with its coordinates', async () => {
  const pollId = asPollId('p1')
  const options = ['Soup', 'Cake'].map((text) => ({ id: text, text, votes: 0, own: false, voterIds: [] }))
  const polls = { p1: { name: 'Lunch?', description: '', options } }
  expect(await copyOf(aMessage({ text: '', pollId }), 'plain', { polls })).toBe('Lunch?\n- Soup\n- Cake')
  const location = { latitude: 49.2746, longitude: 19.8683, updatedAt: 0 }
  expect(await copyOf(aMessage({ text: '', location }), 'markdown')).toBe('49.27460, 19.86830')
})
