import { describe, expect, test } from 'vitest'
import { fold } from '#shared/rules/markdown/fold.ts'
import { parseMessage } from '#shared/rules/markdown/parse.ts'
import { splitMentions } from '#shared/rules/markdown/people.ts'
import { plainText } from '#shared/rules/markdown/plain.ts'
import { isEmojiOnly } from './shown.ts'
import { highlight } from './Markdown.tsx'
import { toPlainText } from '../actions/copied-text.ts'

const OLA = { id: 'ola', name: 'Ola Wiśniewska' }
const kinds = (text: string) => parseMessage(text).map((block) => block.kind)

test('a link into Parlor is a link, bare or with text; an invalid one stays text', () => {
  const links = (text: string) => JSON.stringify(parseMessage(text)).match(/"href":"[^"]*"/g)
  const place = 'parlor://open/demo/message/team:plans/m-1'
  expect(links(`see ${place}, please`)).toEqual([`"href":"${place}"`])
  expect(links(`[here](${place})`)).toEqual([`"href":"${place}"`])
  expect(links('parlor://evil/x and [this](parlor://open/demo/run/x)')).toBeNull()
})

test('channel mentions are separate nodes, but not in a link, in code or in a person’s name', () => {
  const named = (text: string, people: { id: string; name: string }[] = []) =>
    [...JSON.stringify(parseMessage(text, people)).matchAll(/"kind":"channel","name":"([^"]*)"/g)].map(
      ([, name]) => name,
    )
  expect(named('**#map-data** and #random')).toEqual(['map-data', 'random'])
  expect(named('[see #random](https://a.example) `#random` https://a.example/#random')).toEqual([])
  expect(named('@Ola #1', [{ id: 'ola', name: 'Ola #1' }])).toEqual([])
})

test.each(['-', '****', '- ', '> >', '1.', '---'])('%j alone stays as it was written', (text) => {
  expect(parseMessage(text)).toEqual([{ kind: 'paragraph', children: [{ kind: 'text', text: text.trim() }] }])
})

test.each(['> ', '- ', '1. '])('text after 400 times %j is not lost', (marker) => {
  expect(plainText(parseMessage(`before\n\n${marker.repeat(400)}deepword`))).toMatch(/^before.*deepword$/)
})

test('the text of a link cannot disguise its address with direction marks', () => {
  const shown = (text: string) => plainText(parseMessage(text))
  expect(shown('[https://example.com/\u202Egpj.exe](https://example.com/exe.jpg)')).toBe('https://example.com/gpj.exe')
  expect(shown('https://example.com/\u202Egpj.exe')).not.toContain('\u202E')
})

describe('blocks', () => {
  test('common Markdown blocks are parsed', () => {
    expect(kinds('# Head\n\ntext\n\n- a\n- b\n\n> quote\n\n```ts\ncode\n```\n\n|a|b|\n|-|-|\n|1|2|')).toEqual([
      'heading',
      'paragraph',
      'list',
      'quote',
      'codeBlock',
      'table',
    ])
  })

  test('indented text is text, not code', () => {
    expect(kinds('    four spaces')).toEqual(['paragraph'])
  })

  test('a line of dashes under text does not make it a heading', () => {
    expect(kinds('Agenda\n---')).not.toContain('heading')
  })

  test('a line break is preserved', () => {
    expect(parseMessage('a\nb')).toEqual([
      { kind: 'paragraph', children: [{ kind: 'text', text: 'a' }, { kind: 'break' }, { kind: 'text', text: 'b' }] },
    ])
  })

  test('checkboxes at the start of items make a task list', () => {
    const [list] = parseMessage('- [x] done\n- [ ] open\n- plain')
    expect(list?.kind === 'list' && list.items.map((item) => item.checked)).toEqual([true, false, undefined])
  })

  test('a numbered list keeps its first number', () => {
    expect(parseMessage('7. seven\n8. eight')[0]).toMatchObject({ kind: 'list', ordered: true, start: 7 })
  })

  test('thousands of nested quotes or brackets do not throw', () => {
    expect(() => parseMessage('>'.repeat(10_000) + ' deep')).not.toThrow()
    expect(() => parseMessage('['.repeat(5_000))).not.toThrow()
    expect(() => parseMessage('*a '.repeat(5_000))).not.toThrow()
  })

  test('a reference definition does not swallow its line', () => {
    expect(plainText(parseMessage('[note]: https://example.org keep this'))).toContain('keep this')
  })
})

describe('mentions', () => {
  test('full name, first name and id of a mentioned person are mentions', () => {
    for (const text of ['@Ola Wiśniewska', '@Ola', '@ola']) {
      expect(splitMentions(`Hi ${text}, look`, [OLA])).toEqual([
        { kind: 'text', text: 'Hi ' },
        { kind: 'mention', userId: 'ola', text },
        { kind: 'text', text: ', look' },
      ])
    }
  })

  test('a broadcast mention has no user', () => {
    expect(splitMentions('@channel look', [{ id: 'channel', name: 'channel', all: true }])).toEqual([
      { kind: 'mention', text: '@channel' },
      { kind: 'text', text: ' look' },
    ])
  })

  test('part of a word, an email address and other people are not', () => {
    for (const text of ['@Olaf', 'mail@Ola', '@Jonas']) {
      expect(splitMentions(text, [OLA])).toEqual([{ kind: 'text', text }])
    }
  })

  test('code is left alone', () => {
    expect(parseMessage('`@Ola`', [OLA])).toEqual([{ kind: 'paragraph', children: [{ kind: 'code', text: '@Ola' }] }])
  })
})

describe('emoji alone', () => {
  test.each(['🎉', '🎉 🥾', '👩‍👩‍👧', '❤️', '🇵🇱'])('%s is drawn large', (text) => {
    expect(isEmojiOnly(text)).toBe(true)
  })
  test.each(['', '1', '#', 'ok 🎉', '🎉'.repeat(9)])('"%s" is not', (text) => {
    expect(isEmojiOnly(text)).toBe(false)
  })

  test('custom ones count if the workspace has them', () => {
    const isCustom = (name: string) => name === 'parrot'
    expect([':parrot:', ':parrot: 🎉', ':parrot:'.repeat(8)].map((text) => isEmojiOnly(text, isCustom))).toEqual([
      true,
      true,
      true,
    ])
    expect([':other:', 'a :parrot:', ':parrot:'.repeat(9)].map((text) => isEmojiOnly(text, isCustom))).toEqual([
      false,
      false,
      false,
    ])
  })
})

describe('custom emoji', () => {
  const of = (text: string) => parseMessage(text).flatMap((block) => (block.kind === 'paragraph' ? block.children : []))

  test('a name between colons may be one; plain text keeps its source', async () => {
    expect(of('so **:_a_:**!')).toEqual([
      { kind: 'text', text: 'so ' },
      { kind: 'strong', children: [{ kind: 'emoji', name: '_a_', text: ':_a_:' }] },
      { kind: 'text', text: '!' },
    ])
    expect(plainText(parseMessage('so **:_a_:**!'))).toBe('so :_a_:!')
    expect(await toPlainText('- so **:_a_:**!')).toBe('• so :_a_:!')
  })

  test('code, times and addresses are left alone', () => {
    expect(of('`:ab:` 12:30:45')).toEqual([
      { kind: 'code', text: ':ab:' },
      { kind: 'text', text: ' 12:30:45' },
    ])
    expect(of('https://a.example/:ab:/c')).toMatchObject([{ kind: 'link', children: [{ kind: 'text' }] }])
  })
})

describe('long texts', () => {
  test('are cut between lines, with the number of hidden lines', () => {
    const { text, lines } = fold(Array.from({ length: 100 }, (_, index) => `line ${index}`).join('\n'))
    expect(text.split('\n')).toHaveLength(40)
    expect(lines).toBe(60)
  })

  test('a cut inside a fence closes it', () => {
    const { text } = fold(['```', ...Array.from({ length: 100 }, () => 'code')].join('\n'))
    expect(text.endsWith('\n```')).toBe(true)
  })

  test('a very long line is cut too, never inside a character', () => {
    const { text, lines } = fold('😀'.repeat(6_000))
    expect(text.length).toBeLessThan(4_100)
    expect(text.isWellFormed()).toBe(true)
    expect(lines).toBe(1)
  })

  test('short ones are left alone', () => {
    expect(fold('a\nb')).toEqual({ text: 'a\nb', lines: 0 })
  })
})

describe('code', () => {
  test('highlighting keeps every character', () => {
    const code = 'const a = "x" // note\nif (a) go(12.5) /* b */\n`t`'
    expect(
      highlight(code, 'ts')
        .map((run) => run.text)
        .join(''),
    ).toBe(code)
  })

  test('distinguishes keywords, strings, numbers, calls and comments', () => {
    const kindOf = (text: string) => highlight("const a = f('s', 6) // c", 'ts').find((run) => run.text === text)?.kind
    expect(kindOf('const')).toBe('keyword')
    expect(kindOf("'s'")).toBe('string')
    expect(kindOf('6')).toBe('number')
    expect(kindOf('f')).toBe('fn')
    expect(kindOf('// c')).toBe('comment')
  })

  test('an unclosed string does not eat the rest', () => {
    const runs = highlight("it's\nconst x = 1", 'js')
    expect(runs.some((run) => run.kind === 'keyword')).toBe(true)
  })
})
