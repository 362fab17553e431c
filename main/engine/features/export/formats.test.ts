import { array, assert, constantFrom, oneof, property, string } from 'fast-check'
import MarkdownIt from 'markdown-it'
import { describe, expect, onTestFinished, test } from 'vitest'
import { aLoneEngine, aWireMessage, aWireUser, CID, FakeApi, withChannel, WORDS } from '#kit/lone-engine.ts'
import { asCid } from '#shared/lib/brand.ts'
import { parseMessage } from '#shared/rules/markdown/parse.ts'
import { plainText } from '#shared/rules/markdown/plain.ts'
import { csvOf } from '#shared/rules/server/csv.ts'
import { escapeHtml, textHtml } from './html-writer.ts'
import { markdownOf } from './markdown-writer.ts'
import type { ExportOrder } from './pieces.ts'

const cid = asCid(CID)

async function exported(messages: Record<string, unknown>[], what: Partial<ExportOrder>) {
  const lone = await aLoneEngine({ api: withChannel(new FakeApi(), messages) })
  onTestFinished(() => lone.engine.stop())
  await lone.online()
  const order = { format: 'json', at: Date.UTC(2026, 10, 22), words: WORDS, cid, ...what } as const
  return [...lone.engine.exported(order)].map(({ text }) => text).join('')
}

const POLL = {
  id: 'p1',
  name: 'Lunch?',
  options: [
    { id: 'a', text: 'Soup' },
    { id: 'b', text: 'Cake' },
  ],
  vote_counts_by_option: { a: 2 },
  vote_count: 2,
  created_by_id: 'ana',
}
const KINDS = [
  aWireMessage('m1', 1_000, { text: '**bold** and https://a.example/x', user: aWireUser('bo') }),
  aWireMessage('m2', 2_000, { text: '', type: 'deleted', deleted_at: '2026-03-02T10:00:00Z' }),
  aWireMessage('m3', 3_000, { text: 'changed', message_text_updated_at: '2026-03-02T10:00:00Z', pinned: true }),
  aWireMessage('m4', 4_000, { text: 'quoting', quoted_message_id: 'm1', quoted_message: aWireMessage('m1', 1_000) }),
  aWireMessage('m5', 5_000, {
    text: '',
    attachments: [
      { type: 'file', title: 'plan.pdf', asset_url: 'https://f.example/plan.pdf', file_size: 900 },
      { type: 'image', title: 'sea.png', image_url: 'https://f.example/sea.png' },
    ],
  }),
  aWireMessage('m6', 6_000, { text: '', poll_id: 'p1', poll: POLL }),
  aWireMessage('m7', 7_000, {
    text: '',
    shared_location: { message_id: 'm7', latitude: 52.2297, longitude: 21.0122, created_at: '2026-03-02T10:00:00Z' },
  }),
  aWireMessage('m8', 8_000, {
    text: 'liked',
    reaction_groups: {
      like: {
        count: 2,
        sum_scores: 2,
        first_reaction_at: '2026-03-02T10:00:00Z',
        last_reaction_at: '2026-03-02T10:00:00Z',
      },
    },
  }),
  aWireMessage('m9', 9_000, { text: 'ana was added', type: 'system' }),
  aWireMessage('r1', 9_500, { text: 'an answer', parent_id: 'm1', show_in_channel: true }),
]
const FILES = new Map([['att/m5.1', { path: 'files/0001 sea.png', mimeType: 'image/png', opens: true }]])

/** What each kind of message is in each format. */
const SHOWN: Readonly<Record<'html' | 'markdown' | 'csv' | 'json', readonly string[]>> = {
  html: [
    '<strong>bold</strong>',
    '<a href="https://a.example/x" rel="noopener noreferrer">',
    '<div class="gone">deleted</div>',
    '<span class="marks">edited, pinned</span>',
    '<a class="quote" href="#m-m1">',
    'notIncludedSized plan.pdf 900 B',
    '<img src="files/0001%20sea.png" alt="sea.png"',
    '<li><span dir="auto">Soup</span><span>votes 2</span></li>',
    'location 52.22970, 21.01220',
    '<li>👍 2</li>',
    '<article id="m-m9" class="system">',
    '<section class="thread"><h3>thread</h3>',
  ],
  markdown: [
    '> **bold** and',
    '> *deleted*',
    'edited, pinned',
    '> > **bo**',
    'notIncludedSized plan.pdf 900 B',
    '![sea.png](<files/0001%20sea.png>)',
    '> - Soup: votes 2',
    'location 52.22970, 21.01220',
    '> 👍 2',
    '> ana was added',
    '> > an answer',
  ],
  csv: [
    '"**bold** and https://a.example/x"',
    '"deleted"',
    '"2026-03-02T10:00:00.000Z"',
    '"m1"',
    '"plan.pdf\nfiles/0001 sea.png"',
    '"Lunch?\nSoup: 2\nCake: 0"',
    '"52.22970, 21.01220"',
    '"👍 2"',
    '"system"',
  ],
  json: [
    '"text":"**bold** and https://a.example/x"',
    '"type":"deleted"',
    '"editedAt":"2026-03-02T10:00:00.000Z"',
    '"quotedId":"m1"',
    '"path":"files/0001 sea.png"',
    '"options":[{"text":"Soup","votes":2},{"text":"Cake","votes":0}]',
    '"latitude":52.2297',
    '"reactions":[{"type":"like","count":2}]',
    '"parentId":"m1"',
  ],
}

test.each(Object.entries(SHOWN))('each kind of message is in an export as %s', async (format, shown) => {
  const text = await exported(KINDS, { format: format as 'html', files: FILES })
  expect(shown.filter((part) => !text.includes(part))).toEqual([])
})

test('a page runs and loads nothing: its policy allows its own style, and files next to it', async () => {
  const page = await exported(KINDS, { format: 'html', portraits: new Map([['ana', 'data:image/png;base64,AAAA']]) })
  expect(page).toMatch(
    /http-equiv="Content-Security-Policy" content="default-src &#39;none&#39;; style-src &#39;sha256-/,
  )
  expect(page).not.toMatch(/<script|<link|<iframe|<object|\son\w+=|style="|url\(/i)
  expect(page.match(/<image id="portrait-0"/g)).toHaveLength(1)
  expect(page).toContain('<use href="#portrait-0"/>')
})

test('replies stand under their message once, and in the period only', async () => {
  const messages = [
    aWireMessage('m1', 0, { text: 'parent', reply_count: 1 }),
    aWireMessage('m2', 1_000, { text: 'later' }),
    aWireMessage('r1', 2_000, { text: 'an answer', parent_id: 'm1', show_in_channel: true }),
  ]
  const whole = await exported(messages, { format: 'html' })
  expect(whole.match(/an answer/g)).toHaveLength(1)
  expect(whole.indexOf('an answer')).toBeLessThan(whole.indexOf('later'))
  const start = Date.parse('2026-03-02T09:00:00Z')
  const after = await exported(messages, { format: 'html', span: { from: start + 500 } })
  expect(after).toContain('replyElsewhere')
  const before = await exported(messages, { format: 'html', span: { until: start + 1_000 } })
  expect(before).toContain('parent')
  expect(before).not.toMatch(/later|an answer/)
})

test('a page of many messages comes in small pieces', async () => {
  const many = Array.from({ length: 450 }, (_each, index) => aWireMessage(`m${index}`, index + 1))
  const lone = await aLoneEngine({ api: withChannel(new FakeApi(), many) })
  onTestFinished(() => lone.engine.stop())
  await lone.online()
  let pieces = 0
  for (const { text, messages } of lone.engine.exported({ format: 'html', at: 0, words: WORDS, cid })) {
    pieces += messages
    expect(messages).toBeLessThanOrEqual(1)
    expect(text.length).toBeLessThan(12_000)
  }
  expect(pieces).toBe(450)
})

test('what is only on the server is named, and fetched on request until the beginning', async () => {
  const all = Array.from({ length: 250 }, (_each, index) =>
    aWireMessage(`m${String(index).padStart(3, '0')}`, index * 1_000),
  )
  const api = withChannel(new FakeApi(), all.slice(-100))
  api.on('GetOrCreateChannel', ({ body }) => {
    const { id_lt: before, limit = 100 } = (body as { messages?: { id_lt?: string; limit?: number } }).messages ?? {}
    const end = before === undefined ? all.length : all.findIndex(({ id }) => id === before)
    const state = withChannel(new FakeApi(), all.slice(Math.max(0, end - limit), end))
    return state.send({ operation: 'GetOrCreateChannel' } as never, {})
  })
  const lone = await aLoneEngine({ api })
  onTestFinished(() => lone.engine.stop())
  await lone.online()
  const { engine } = lone
  await engine.handlers.channels.open({ cid, around: undefined }, lone.client)
  await lone.clock.settle()
  expect(engine.missingBefore(cid, {})).toBe(Date.parse('2026-03-02T09:00:00Z') + 150_000)
  const done: number[] = []
  const { signal } = new AbortController()
  await engine.loadOlder({ cid, span: {}, signal, onLoaded: (messages) => done.push(messages) })
  expect(engine.missingBefore(cid, {})).toBeUndefined()
  expect(done.at(-1)).toBe(250)
  expect([...engine.surveyed({ cid })]).toHaveLength(250)
})

test('loading older messages without a connection is refused', async () => {
  const lone = await aLoneEngine({ api: withChannel(new FakeApi(), [aWireMessage('m1', 1)]) })
  onTestFinished(() => lone.engine.stop())
  const { signal } = new AbortController()
  await expect(lone.engine.loadOlder({ cid, span: {}, signal, onLoaded: () => undefined })).rejects.toMatchObject({
    code: 'network/offline',
  })
})

describe('hostile content', () => {
  const MARKS = [
    '<',
    '>',
    '&',
    '"',
    "'",
    '`',
    '*',
    '_',
    '~',
    '[',
    ']',
    '(',
    ')',
    '!',
    '\\',
    '#',
    '|',
    '-',
    '=',
    '\n',
    ' ',
    ':',
  ]
  const WORDS_USED = [
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    'javascript:alert(1)',
    'https://a.example/',
  ]
  const text = array(oneof(constantFrom(...MARKS, ...WORDS_USED), string({ maxLength: 6, unit: 'grapheme' })), {
    maxLength: 24,
  }).map((parts) => parts.join(''))

  const ELEMENTS =
    /^<\/?(?:p|pre|code|blockquote|ul|ol|li|table|thead|tbody|tr|th|td|strong|em|s|span|a|hr|br)\b[^<>]*>/
  const ATTRIBUTES = /^(?: (?:dir|class|start|href|rel)="[^"<>`]*")*$/

  test('no text becomes an element or attribute of a page outside of a closed set', () => {
    assert(
      property(text, (source) => {
        const html = textHtml(source, [{ id: 'a', name: '<b>"' }])
        for (const tag of html.match(/<[^>]*>?/g) ?? []) {
          expect(tag).toMatch(ELEMENTS)
          expect(tag.replace(/^<\/?\w+/, '').replace(/>$/, '')).toMatch(ATTRIBUTES)
        }
        for (const [, href] of html.matchAll(/href="([^"]*)"/g)) expect(href).toMatch(/^(?:https?|mailto|parlor):/)
      }),
      { numRuns: 400 },
    )
  })

  test('no name leaves the quotes of an attribute', () => {
    assert(
      property(text, (source) => {
        expect(escapeHtml(source)).not.toMatch(/[<>"'`]/)
      }),
    )
  })

  test('Markdown says to every reader what Parlor shows, and no tag or picture from elsewhere', () => {
    const elsewhere = new MarkdownIt({ html: true, linkify: false })
    assert(
      property(text, (source) => {
        const written = markdownOf(source)
        const words = (shown: string): string => shown.replace(/\s+/g, ' ').trim()
        const again = words(plainText(parseMessage(written)))
        expect(again).toBe(words(plainText(parseMessage(source))))
        const tokens = elsewhere.parse(written, {}).flatMap((token) => [token, ...(token.children ?? [])])
        expect(tokens.map(({ type }) => type).filter((type) => /^html|^image/.test(type))).toEqual([])
      }),
      { numRuns: 400 },
    )
  })

  test.each([
    '**bold** *slanted* ~~gone~~ `code`',
    '- one\n- two\n  - three',
    '1. first\n2. second',
    '- [x] done\n- [ ] open',
    '> quoted\n> twice',
    '```ts\nconst a = `x`\n```',
    '[a link](https://a.example/x)',
    '| a | b |\n|---|:-:|\n| 1 | 2 |',
    'line\nbreak',
  ])('Markdown keeps the markup of %j', (source) => {
    expect(parseMessage(markdownOf(source))).toEqual(parseMessage(source))
  })

  test('no cell of a table is a formula', () => {
    assert(
      property(constantFrom('=', '+', '-', '@', '\t', ' =', '＝', '\n='), text, (start, source) => {
        const row = csvOf([[start + source]]).slice(1)
        expect(row).toMatch(/^"'/)
        expect(row.slice(1, -3).replaceAll('""', '')).not.toContain('"')
      }),
    )
  })
})
