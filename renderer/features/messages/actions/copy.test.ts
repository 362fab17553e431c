import { describe, expect, test } from 'vitest'
import { asPollId } from '#shared/lib/brand.ts'
import { aMessage, anAttachment } from '#kit/fake-bridge/index.ts'
import { copyOf, copyOfMany } from './copy.ts'

const label = (text: string): string => copyOf(aMessage({ text }), 'words')

describe('copied as words', () => {
  test.each([
    ['marks go, lines stay', '**Ship** it\n_today_', 'Ship it\ntoday'],
    ['lists keep their marks', '- one\n- two', '• one\n• two'],
    ['numbers go on', '3. three\n4. four', '3. three\n4. four'],
    ['tasks say whether they are done', '- [x] a\n- [ ] b', '• ☑ a\n• ☐ b'],
    ['code stays as it is', '```ts\nconst a = 1\n```', 'const a = 1'],
    ['a link that hides its address shows it', '[docs](https://example.com/a)', 'docs (https://example.com/a)'],
    ['a bare address is not doubled', 'https://example.com/a', 'https://example.com/a'],
    ['cells are parted by tabs', '| a | b |\n|---|---|\n| 1 | 2 |', 'a\tb\n1\t2'],
  ])('%s', (_rule, text, copied) => {
    expect(label(text)).toBe(copied)
  })
})

test('copied as Markdown is the source, letter by letter', () => {
  const text = '**Ship**  it\n\n* x\n'
  expect(copyOf(aMessage({ text }), 'markdown')).toBe(text)
})

test('several carry their authors, times and the names of their files', () => {
  const createdAt = Date.UTC(2026, 10, 20, 9, 40, 5, 123)
  const messages = [
    aMessage({ userId: 'ola', text: '*one*', createdAt }),
    aMessage({ userId: 'jonas', createdAt, attachments: [anAttachment({ title: 'plan.pdf' })] }),
  ]
  expect(copyOfMany(messages, 'words', { nameOf: (id) => id.toUpperCase() })).toBe(
    'OLA, 2026-11-20T09:40:05Z\none\n\nJONAS, 2026-11-20T09:40:05Z\nplan.pdf',
  )
})

test('a poll is copied with its options, a place with its coordinates', () => {
  const pollId = asPollId('p1')
  const options = ['Soup', 'Cake'].map((text) => ({ id: text, text, votes: 0, own: false, voterIds: [] }))
  const polls = { p1: { name: 'Lunch?', description: '', options } }
  expect(copyOf(aMessage({ text: '', pollId }), 'words', { polls })).toBe('Lunch?\n- Soup\n- Cake')
  const location = { latitude: 49.2746, longitude: 19.8683, updatedAt: 0 }
  expect(copyOf(aMessage({ text: '', location }), 'markdown')).toBe('49.27460, 19.86830')
})
