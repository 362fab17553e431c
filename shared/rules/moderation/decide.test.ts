import { describe, expect, test } from 'vitest'
import type { BlockList, ListKind, Rule, RuleCondition } from '../../domain/manage/rules.ts'
import { asCid } from '../../lib/brand.ts'
import {
  decideBy,
  hitsIn,
  masked,
  type RuleSubject,
  configRules,
  positionOf,
  readRule,
  writeRule,
  listMatcher,
  readText,
} from './decide.ts'

const DAY = 86_400_000
const aSubject = (text: string, more: Partial<RuleSubject> = {}): RuleSubject => ({
  text,
  attachments: 0,
  cid: 'messaging:one',
  role: 'user',
  at: 100 * DAY,
  ...more,
})
const aRule = (name: string, conditions: readonly RuleCondition[], more: Partial<Rule> = {}): Rule => ({
  id: name,
  name,
  enabled: true,
  conditions,
  action: 'flag',
  ...more,
})
const words = (...each: string[]): RuleCondition => ({ kind: 'words', words: each })
const hits = (kind: ListKind, entries: readonly string[], text: string): string[] =>
  hitsIn(text, listMatcher({ kind, words: entries })(readText(text)))

describe('words', () => {
  test.each<[string, string, string, string[]]>([
    ['a whole word', 'skull', 'Skull and skulls', ['Skull']],
    ['without accents', 'łódź', 'do lodz i ŁÓDŹ', ['lodz', 'ŁÓDŹ']],
    ['a phrase over punctuation and lines', 'write me', 'Write,\n me!', ['Write,\n me']],
    ['the beginning of a word', 'скидк*', 'Скидки, скидка, наскидку', ['Скидки', 'скидка']],
    ['the end of a word', '*shop', 'webshop shops', ['webshop']],
    ['a part of a word', '*cash*', 'fastcash2 ca sh', ['fastcash2']],
    ['a phrase with an open word', 'pisz* na priv', 'piszcie na priv', ['piszcie na priv']],
    ['a script without spaces', '割引', '今日は大割引です', ['割引']],
    ['invisible characters inside a word', 'casino', 'ca\u200Bsi\u00ADno', ['ca\u200Bsi\u00ADno']],
    ['wide letters', 'casino', 'ｃａｓｉｎｏ', ['ｃａｓｉｎｏ']],
    ['a regular expression is no pattern', '(a+)+$', 'aaaa!', []],
    ['only a star matches nothing', '*', 'anything', []],
  ])('%s', (_name, entry, text, found) => {
    expect(hits('word', [entry], text)).toEqual(found)
  })

  test('ten thousand entries and a hostile text come to an end', () => {
    const many = Array.from({ length: 10_000 }, (_, index) => `a a a a b${index}${index % 2 ? '*' : ''}`)
    const text = 'a '.repeat(2_500)
    expect(hits('word', [...many, '*aaaaab*', '*b'], text + 'a'.repeat(5_000))).toEqual([])
  })
})

describe('addresses', () => {
  test.each<[string, ListKind, string, string, string[]]>([
    ['a host', 'domain', 'shop.example', 'see https://shop.example/deal.', ['shop.example']],
    ['a subdomain', 'domain', 'shop.example', 'x.Shop.Example', ['x.Shop.Example']],
    ['no other host that ends alike', 'domain', 'shop.example', 'myshop.example', []],
    [
      'a host behind what looks like a mailbox',
      'domain',
      'evil.example',
      'http://bank.example@evil.example/',
      ['bank.example@evil.example'],
    ],
    ['an address', 'email', 'bob@mail.example', 'write to Bob@mail.example!', ['Bob@mail.example']],
    ['a domain of addresses', 'email', '@mail.example', 'bob@sub.mail.example', ['bob@sub.mail.example']],
    ['no link for a list of addresses', 'email', 'mail.example', 'https://mail.example', []],
  ])('%s', (_name, kind, entry, text, found) => {
    expect(hits(kind, [entry], text)).toEqual(found)
  })
})

describe('rules', () => {
  test('the first rule whose conditions all hold decides', () => {
    const decide = decideBy(
      [
        aRule('off', [words('deal')], { enabled: false }),
        aRule('empty', []),
        aRule('new people', [words('deal'), { kind: 'joined', days: 30 }]),
        aRule('everyone', [words('deal')]),
      ],
      [],
    )
    expect(decide(aSubject('a deal', { joinedAt: 90 * DAY }))?.rule.name).toBe('new people')
    expect(decide(aSubject('a deal', { joinedAt: 60 * DAY }))?.rule.name).toBe('everyone')
    expect(decide(aSubject('a deal'))?.rule.name).toBe('everyone')
    expect(decide(aSubject('nothing'))).toBeUndefined()
  })

  test('moderators and administrators are not checked, unless a configuration says so', () => {
    const rules = [aRule('rule', [words('deal')])]
    for (const role of ['admin', 'moderator']) expect(decideBy(rules, [])(aSubject('deal', { role }))).toBeUndefined()
    const strict = decideBy([aRule('all', [words('deal')], { everyone: true })], [])
    expect(strict(aSubject('deal', { role: 'admin' }))?.rule.name).toBe('all')
  })

  test('a rule of a list that does not exist matches nothing', () => {
    expect(decideBy([aRule('gone', [{ kind: 'list', list: 'gone' }])], [])(aSubject('x'))).toBeUndefined()
  })

  test.each<[string, RuleCondition, Partial<RuleSubject>, boolean]>([
    ['a link', { kind: 'has', what: 'link' }, { text: 'go to example.com now' }, true],
    ['no link', { kind: 'has', what: 'link' }, { text: 'version 1.2 of it. Then' }, false],
    ['an e-mail address', { kind: 'has', what: 'email' }, { text: 'a@b.example' }, true],
    ['a telephone number', { kind: 'has', what: 'phone' }, { text: 'call +48 (601) 234-567' }, true],
    ['a long number', { kind: 'has', what: 'phone' }, { text: '12345678901234567' }, false],
    ['a file', { kind: 'has', what: 'attachment' }, { attachments: 1 }, true],
    ['a role', { kind: 'role', role: 'guest' }, { role: 'guest' }, true],
    ['another role', { kind: 'role', role: 'guest' }, {}, false],
    ['a channel', { kind: 'channel', cid: asCid('messaging:one') }, {}, true],
    ['another channel', { kind: 'channel', cid: asCid('messaging:two') }, {}, false],
  ])('%s', (_name, condition, more, matches) => {
    expect(decideBy([aRule('rule', [condition])], [])(aSubject('', more)) !== undefined).toBe(matches)
  })

  test('the matching parts are masked and the spaces stay', () => {
    const text = 'call me: пишите в личку, ok'
    const decision = decideBy([aRule('mask', [words('пишите в личку', 'личку ok')])], [])(aSubject(text))
    expect(masked(text, decision?.ranges ?? [])).toBe('call me: •••••• • •••••• ••')
  })
})

/** The next numbers of a seed. */
function random(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const ALPHABET = ['a', 'b', 'ą', 'Ж', ' ', '.', '@', '*', '\u200D', '😀', '割', '1', '-', '\n', '+', '(']

test.each([1, 2, 3, 4, 5, 6, 7, 8])(
  'whatever is written, ranges are in order and inside the text (seed %i)',
  (seed) => {
    const next = random(seed)
    const some = (length: number): string =>
      Array.from({ length: next(length) }, () => ALPHABET[next(ALPHABET.length)] ?? '').join('')
    for (let round = 0; round < 300; round += 1) {
      const lists: BlockList[] = (['word', 'domain', 'email'] as const).map((kind) => ({
        name: kind,
        kind,
        words: Array.from({ length: 8 }, () => some(5)),
      }))
      const rules = [
        ...lists.map(({ name }) => aRule(name, [{ kind: 'list', list: name }])),
        aRule('phone', [{ kind: 'has', what: 'phone' }]),
      ]
      const text = some(40)
      const decision = decideBy(rules, lists)(aSubject(text))
      let at = 0
      for (const { start, end } of decision?.ranges ?? []) {
        expect(start).toBeGreaterThanOrEqual(at)
        expect(end).toBeGreaterThan(start)
        at = end
      }
      expect(at).toBeLessThanOrEqual(text.length)
      const hidden = masked(text, decision?.ranges ?? [])
      expect(hidden !== text).toBe((decision?.ranges.length ?? 0) > 0)
      // What a list matches in a text, it matches in the same text in capitals with accents and with more around it.
      const listed = decision?.rule.conditions[0]
      const again = listed?.kind === 'list' ? decideBy(rules, lists)(aSubject(`… ${text.toUpperCase()} …`)) : decision
      expect(again !== undefined).toBe(decision !== undefined)
    }
  },
)

test('a rule is read as it was written, and one of another shape is none', () => {
  const rule = aRule(
    'name',
    [words('a'), { kind: 'joined', days: 3 }, { kind: 'has', what: 'link' }, { kind: 'list', list: 'x' }],
    { action: 'bounce', text: 'why' },
  )
  expect(readRule(writeRule(rule))).toEqual(rule)
  for (const other of [
    undefined,
    [],
    { ...writeRule(rule), action: 'explode' },
    { ...writeRule(rule), conditions: [{ kind: 'words', words: [1] }] },
    { ...writeRule(rule), conditions: [{ kind: 'joined', days: -1 }] },
    { ...writeRule(rule), conditions: undefined },
  ]) {
    expect(readRule(other)).toBeUndefined()
  }
  expect([{ position: 2 }, {}, { position: 1 }].map(positionOf)).toEqual([2, Number.MAX_SAFE_INTEGER, 1])
})

test('the lists of a configuration are rules for everyone', () => {
  const config = { block_list_config: { rules: [{ name: 'bad', action: 'remove' }, { name: 'odd', action: 'x' }, {}] } }
  expect(configRules('chat', config)).toMatchObject([
    { id: 'chat/bad', action: 'block', everyone: true },
    { id: 'chat/odd', action: 'flag' },
  ])
  expect(configRules('chat', { block_list_config: { enabled: false, rules: [{ name: 'bad' }] } })).toEqual([])
})
