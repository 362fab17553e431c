import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { aChannelRow, aMessageRow, aUserRow, CID } from '#kit/rows.ts'
import { openTestStores } from '#kit/stores.ts'
import { asCid, asMessageId, asPollId, asUserId } from '#shared/lib/brand.ts'
import { parseQuery } from '#shared/rules/search/search-query.ts'
import type { Store } from '../files/open.ts'
import type { MessageRow, PollRow } from '../rows.ts'
import * as channels from '../channels/channels.ts'
import * as messages from '../messages/messages.ts'
import * as mutes from '../people/mutes.ts'
import * as polls from '../messages/polls.ts'
import * as removal from '../messages/removal.ts'
import * as users from '../people/users.ts'
import * as docs from './docs.ts'
import { searchableOf, searchHeld, type SearchRequest } from './query.ts'

const TODAY = { year: 2026, month: 11, day: 21 }

function index(cache: Store): void {
  const read = (id: string) => searchableOf(cache.reader, id)
  while (cache.transaction((tx) => docs.step(tx, { limit: 7, enough: () => false, read })));
}

function ask(cache: Store, text: string, more: Partial<SearchRequest> = {}): string[] {
  const request = { query: parseQuery(text, TODAY), limit: 50, ...more }
  return cache.read((reader) => searchHeld(reader, request)).keys.map(({ id }) => id)
}

const row = (id: string, text: string, more: Partial<MessageRow> = {}): MessageRow =>
  aMessageRow({ id: asMessageId(id), text, ...more })

function cacheWith(rows: readonly MessageRow[]): Store {
  const { cache } = openTestStores()
  cache.transaction((tx) => {
    channels.put(tx, aChannelRow())
    for (const one of rows) messages.put(tx, one)
  })
  return cache
}

/** Fresh messages are searched differently from indexed ones: everything must hold for both. */
const WAYS: readonly (readonly [string, (cache: Store) => Store])[] = [
  ['just arrived', (cache) => cache],
  [
    'indexed',
    (cache) => {
      index(cache)
      return cache
    },
  ],
]

describe.each(WAYS)('terms, %s', (_way, prepare) => {
  test('match ignoring accents and case, newest first', () => {
    const cache = prepare(
      cacheWith([
        row('a', 'Jadę do ŁODZI', { createdAt: 1 }),
        row('b', 'Łódź, ul. Piotrkowska', { createdAt: 2 }),
        row('c', 'ещё раз', { createdAt: 3 }),
        row('d', 'Die Straße', { createdAt: 4 }),
        row('e', 'lodz again', { createdAt: 5 }),
      ]),
    )
    expect(ask(cache, 'lodz ')).toEqual(['e', 'b'])
    expect(ask(cache, 'łódź ')).toEqual(['e', 'b'])
    expect(ask(cache, 'lod')).toEqual(['e', 'b', 'a'])
    expect(ask(cache, 'еще ')).toEqual(['c'])
    expect(ask(cache, 'STRASSE ')).toEqual(['d'])
  })

  test('of scripts without spaces match any substring', () => {
    const cache = prepare(
      cacheWith([row('a', '我住在東京都', { createdAt: 1 }), row('b', '京都に行く', { createdAt: 2 })]),
    )
    expect(ask(cache, '京都')).toEqual(['b', 'a'])
    expect(ask(cache, '東京都')).toEqual(['a'])
    expect(ask(cache, '都')).toEqual(['b', 'a'])
    expect(ask(cache, '都東')).toEqual([])
  })

  test('must all match in any order, phrases in order, and excluded ones not', () => {
    const cache = prepare(
      cacheWith([
        row('a', 'one two three', { createdAt: 1 }),
        row('b', 'three two one', { createdAt: 2 }),
        row('c', 'two three', { createdAt: 3 }),
      ]),
    )
    expect(ask(cache, 'one three ')).toEqual(['b', 'a'])
    expect(ask(cache, '"two three"')).toEqual(['c', 'a'])
    expect(ask(cache, 'two -one ')).toEqual(['c'])
    expect(ask(cache, '-one ')).toEqual(['c'])
    expect(ask(cache, 'thr* -"two three" ')).toEqual(['b'])
  })

  test('match titles of files and polls, and no phrase matches across fields', () => {
    const poll: PollRow = {
      id: asPollId('p'),
      name: 'Lunch?',
      description: '',
      enforceUniqueVote: false,
      allowAnswers: false,
      allowSuggestions: false,
      anonymous: false,
      closed: false,
      voteCount: 0,
      votesByOption: {},
      latestByOption: {},
      answersCount: 0,
      createdAt: 1,
      updatedAt: 1,
      custom: {},
      asOf: 1,
      options: [
        { id: '1', text: 'Żurek' },
        { id: '2', text: 'Pierogi' },
      ],
    }
    const cache = cacheWith([
      row('file', 'see this', { attachments: [{ kind: 'file', title: 'Budżet 2026.xlsx', raw: {} }] }),
      row('poll', '', { pollId: poll.id, createdAt: 1_001 }),
    ])
    cache.transaction((tx) => polls.put(tx, poll))
    prepare(cache)
    expect(ask(cache, 'budzet ')).toEqual(['file'])
    expect(ask(cache, 'pierogi ')).toEqual(['poll'])
    expect(ask(cache, '"this budzet"')).toEqual([])
    cache.transaction((tx) =>
      polls.put(tx, { ...poll, options: [{ id: '1', text: 'Barszcz' }], asOf: 2, updatedAt: 2 }),
    )
    prepare(cache)
    expect(ask(cache, 'pierogi ')).toEqual([])
    expect(ask(cache, 'barszcz ')).toEqual(['poll'])
  })
})

describe.each(WAYS)('filters, %s', (_way, prepare) => {
  const other = asCid('team:random')
  const known = (): Store => {
    const cache = cacheWith([
      row('a', 'x https://example.org', { createdAt: 10, userId: asUserId('u1') }),
      row('b', 'x', { createdAt: 20, userId: asUserId('u2'), attachments: [{ kind: 'image', raw: {} }] }),
      row('c', 'x', { createdAt: 30, cid: other, mentionedUserIds: [asUserId('me')], pinned: true, pinnedAt: 31 }),
      row('d', 'x', { createdAt: 40, userId: asUserId('me'), editedAt: 41, parentId: asMessageId('a') }),
      row('e', 'x', { createdAt: 50, custom: { shared_location: { latitude: 1 } }, replyCount: 1, reach: ['channel'] }),
    ])
    cache.transaction((tx) => {
      channels.put(tx, aChannelRow({ cid: other, id: 'random', name: 'Przypadki' }))
      users.put(tx, aUserRow({ id: asUserId('u1'), name: 'Anna Łoś' }))
      users.put(tx, aUserRow({ id: asUserId('u2'), name: 'Anna Maria Zięba' }))
    })
    return cache
  }
  test.each([
    ['from:anna', ['b', 'a']],
    ['from:"anna los"', ['a']],
    ['from:u2', ['b']],
    ['from:zieba x ', ['b']],
    ['-from:anna', ['e', 'd', 'c']],
    ['from:u1 from:u2', ['b', 'a']],
    ['from:nobody', []],
    ['from:me', ['d']],
    ['is:mine', ['d']],
    ['in:przypadki', ['c']],
    ['in:#general x ', ['e', 'd', 'b', 'a']],
    ['has:link', ['a']],
    ['has:image', ['b']],
    ['-has:image', ['e', 'd', 'c', 'a']],
    ['has:location', ['e']],
    ['mentions:me', ['e', 'c']],
    ['is:pinned', ['c']],
    ['is:edited', ['d']],
    ['is:thread', ['e', 'd']],
    ['has:link has:image', []],
  ])('%s finds %j', (text, expected) => {
    expect(ask(prepare(known()), text)).toEqual(expected)
  })

  test('replies to the viewer and unread messages are checked against other rows', () => {
    const by = (userId: string, more: Partial<MessageRow>) => ({ userId: asUserId(userId), ...more })
    const cache = prepare(
      cacheWith([
        row('mine', 'x', by('me', { createdAt: 10, replyCount: 2 })),
        row('theirs', 'x', by('u1', { createdAt: 20 })),
        row('answer', 'x', by('u1', { createdAt: 30, parentId: asMessageId('mine') })),
        row('quoting', 'x', by('u1', { createdAt: 40, quotedId: asMessageId('mine') })),
        row('own', 'x', by('me', { createdAt: 50, parentId: asMessageId('mine') })),
        row('aside', 'x', by('u1', { createdAt: 60, quotedId: asMessageId('theirs') })),
        row('quiet', 'x', by('u1', { createdAt: 70, silent: true })),
      ]),
    )
    expect(ask(cache, 'is:reply')).toEqual(['quoting', 'answer'])
    expect(ask(cache, 'x jest:odpowiedź ')).toEqual(['quoting', 'answer'])
    expect(ask(cache, '-is:reply')).toEqual(['quiet', 'aside', 'own', 'theirs', 'mine'])
    const unread = { now: 1_000, readTo: { [CID]: 20 } }
    expect(ask(cache, 'is:unread', { unread })).toEqual(['aside', 'quoting'])
    expect(ask(cache, 'is:unread', { unread: { now: 1_000, readTo: {} } })).toEqual([])
    cache.transaction((tx) => mutes.set(tx, 'user', 'u1', true))
    expect(ask(cache, 'is:unread', { unread })).toEqual([])
  })

  test('times are bounds, the first inclusive and the last exclusive', () => {
    const cache = prepare(known())
    expect(ask(cache, 'x ', { from: 20, until: 40 })).toEqual(['c', 'b'])
    expect(ask(cache, '', { from: 30 })).toEqual(['e', 'd', 'c'])
  })

  test('a search in one channel overrides in:', () => {
    expect(ask(prepare(known()), 'x in:general ', { cid: other })).toEqual(['c'])
  })

  test('a name without a match is reported with its range', () => {
    const query = parseQuery('x from:nobody', TODAY)
    const answer = known().read((reader) => searchHeld(reader, { query, limit: 5 }))
    expect(answer.unmatched).toEqual([{ start: 2, end: 13 }])
  })
})

describe.each(WAYS)('not found, %s', (_way, prepare) => {
  const removals: readonly [string, (cache: Store) => void][] = [
    ['deleted', (cache) => put(cache, { type: 'deleted', text: '', deletedAt: 5_000, updatedAt: 5_000 })],
    ['deleted for good', (cache) => cache.transaction((tx) => removal.removeForGood(tx, secret, 5_000))],
    ['truncated away', (cache) => cache.transaction((tx) => removal.truncate(tx, CID, 9_000))],
    [
      'before what the viewer may see',
      (cache) => cache.transaction((tx) => channels.patch(tx, CID, { hideBefore: 9_000 })),
    ],
    ['of a person whose messages were removed with a ban', (cache) => removeAll(cache)],
    ['that is shadowed', (cache) => put(cache, { shadowed: true, updatedAt: 5_000 })],
    ['of a channel that was left', (cache) => cache.transaction((tx) => channels.remove(tx, CID))],
    ['edited into something else', (cache) => put(cache, { text: 'other', updatedAt: 5_000 })],
  ]
  const secret = row('m1', 'canary')
  const put = (cache: Store, more: Partial<MessageRow>): void =>
    void cache.transaction((tx) => messages.put(tx, { ...secret, ...more }))
  const removeAll = (cache: Store): void =>
    cache.transaction((tx) => removal.deleteOfUser(tx, asUserId('ana'), { hard: true, at: 5_000 }))

  test.each(removals)('a message %s', (_name, act) => {
    const cache = prepare(cacheWith([secret]))
    expect(ask(cache, 'canary ')).toEqual(['m1'])
    act(cache)
    expect(ask(cache, 'canary ')).toEqual([])
    prepare(cache)
    expect(ask(cache, 'canary ')).toEqual([])
  })

  test('an own shadowed message is found', () => {
    const cache = prepare(cacheWith([row('m1', 'canary', { shadowed: true, userId: asUserId('me') })]))
    expect(ask(cache, 'canary ')).toEqual(['m1'])
  })

  test.each([10, 500])('the text of %i removed messages is erased from disk after the next steps', (count) => {
    const stores = openTestStores()
    const { cache } = stores
    cache.transaction((tx) => {
      channels.put(tx, aChannelRow())
      messages.put(tx, row('kept', 'something else', { createdAt: 20_000 }))
      for (let n = 0; n < count; n += 1) messages.put(tx, row(`m${n}`, `canarybird word${n}`, { createdAt: 1_000 + n }))
    })
    index(cache)
    cache.transaction((tx) => removal.truncate(tx, CID, 10_000))
    index(cache)
    stores.checkpoint()
    const words = cache.reader.db.all<{ block: Buffer }>('SELECT block FROM search_words_data')
    expect(words.filter(({ block }) => block.includes('canary'))).toEqual([])
    expect(cache.reader.db.get('SELECT count(*) AS n FROM search_docs')).toEqual({ n: 1 })
    expect(ask(cache, 'else ')).toEqual(['kept'])
  })
})

describe.each(WAYS)('pages, %s', (_way, prepare) => {
  test('have no loss or repetition, also if many messages share a millisecond', () => {
    const rows = Array.from({ length: 120 }, (_, n) =>
      row(`m${String((n * 37) % 120).padStart(3, '0')}`, 'same', {
        createdAt: 1_000 + Math.floor(n / 40) + (n % 3) / 1_000,
      }),
    )
    const cache = prepare(cacheWith(rows))
    const expected = rows.toSorted((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1)).map(({ id }) => id)
    const found: string[] = []
    let after: SearchRequest['after']
    for (let turn = 0; turn < 30; turn += 1) {
      const request = { query: parseQuery('same ', TODAY), limit: 7, after }
      const { keys, hasMore } = cache.read((reader) => searchHeld(reader, request))
      found.push(...keys.map(({ id }) => id))
      after = keys.at(-1)
      expect(hasMore).toBe(found.length < expected.length)
      if (!hasMore) break
    }
    expect(found).toEqual(expected)
  })
})

const WORDS = ['łódź', 'lodz', 'lodzie', 'a', 'an', 'anna', '東京都', '京都', 'x-y', 'ёж', 'еж', '🎉']
const aText = fc.array(fc.constantFrom(...WORDS), { maxLength: 6 }).map((words) => words.join(' '))
const aQuery = fc
  .array(
    fc.oneof(
      fc.constantFrom(...WORDS, 'lod*', 'an*', '-anna', '-lodz', '"x y"', '"lodz an"', 'has:image', '-has:image'),
      fc.constantFrom('from:ana', 'from:bo', '-from:bo', 'is:pinned', 'mentions:me', '京'),
    ),
    { minLength: 1, maxLength: 4 },
  )
  .map((parts) => `${parts.join(' ')} `)
const aRow = fc.record({
  text: aText,
  userId: fc.constantFrom('ana', 'bo', 'me').map(asUserId),
  attachments: fc.constantFrom([], [{ kind: 'image' as const, title: 'lodz anna', raw: {} }]),
  pinned: fc.boolean(),
  mentionedUserIds: fc.constantFrom([], [asUserId('me')]),
  createdAt: fc.integer({ min: 1_000, max: 1_010 }),
})

test('the index finds the same as a scan, for any content, changes and queries', () => {
  const rows = fc.array(aRow, { maxLength: 12 })
  const { cache } = openTestStores()
  fc.assert(
    fc.property(rows, rows, aQuery, fc.boolean(), (before, after, text, early) => {
      const write = (all: readonly Partial<MessageRow>[], version: number): void =>
        cache.transaction((tx) => {
          for (const [n, one] of all.entries())
            messages.put(tx, row(`m${n}`, one.text ?? '', { ...one, createdAt: 1_000 + n, updatedAt: version }))
        })
      cache.transaction((tx) => {
        channels.remove(tx, CID)
        channels.put(tx, aChannelRow())
        users.put(tx, aUserRow())
        users.put(tx, aUserRow({ id: asUserId('bo'), name: 'Bo' }))
      })
      write(before, 2_000)
      if (early) index(cache)
      write(after, 3_000)
      const unindexed = ask(cache, text)
      index(cache)
      const indexed = ask(cache, text)
      cache.transaction(docs.rebuild)
      expect(unindexed).toEqual(ask(cache, text))
      expect(indexed).toEqual(ask(cache, text))
    }),
    { numRuns: 150 },
  )
})

describe('messages of one transaction', () => {
  const waiting = (cache: Store): readonly string[] =>
    docs
      .newestFresh(cache.reader, 10)
      .map(({ id }) => id)
      .toSorted()

  test('wait for the index once it is committed, and those of an undone part do not', () => {
    const cache = cacheWith([])
    cache.transaction((tx) => {
      messages.put(tx, row('a', 'kept'))
      const failing = () =>
        cache.transaction((inner) => {
          messages.put(inner, row('b', 'undone'))
          throw new Error('undone')
        })
      expect(failing).toThrow('undone')
      messages.put(tx, row('c', 'kept too'))
    })
    expect(waiting(cache)).toEqual(['a', 'c'])
  })

  test('wait for the index after the last of the seen ones is removed', () => {
    const cache = cacheWith([])
    const write = (id: string) => cache.transaction((tx) => messages.put(tx, row(id, id)))
    const remove = (id: string) => cache.transaction((tx) => removal.drop(tx, id))
    for (const id of ['a', 'b', 'c']) write(id)
    index(cache)
    for (const id of ['b', 'c']) remove(id)
    for (const id of ['d', 'e']) write(id)
    expect(waiting(cache)).toEqual(['d', 'e'])
    for (const id of ['d', 'e']) remove(id)
    for (const id of ['f', 'g', 'h']) write(id)
    expect(waiting(cache)).toEqual(['f', 'g', 'h'])
    index(cache)
    expect(waiting(cache)).toEqual([])
    expect(ask(cache, 'h')).toEqual(['h'])
  })

  test('are found once while all are indexed anew', () => {
    const cache = cacheWith([])
    cache.transaction((tx) => messages.put(tx, row('a', 'a')))
    index(cache)
    cache.transaction((tx) => messages.put(tx, row('b', 'b')))
    cache.transaction((tx) => docs.rebuild(tx))
    expect(waiting(cache)).toEqual(['a', 'b'])
    expect(ask(cache, 'b')).toEqual(['b'])
    expect(docs.freshCount(cache.reader, 10)).toBe(2)
  })

  test('are listed in parts when there are many', () => {
    const cache = cacheWith([])
    cache.transaction((tx) => {
      for (let n = 0; n < 2_500; n += 1) messages.put(tx, row(`m${n}`, 'one of many', { createdAt: n }))
    })
    index(cache)
    expect(waiting(cache)).toEqual([])
    expect(cache.reader.db.get('SELECT count(*) AS n FROM search_docs')).toEqual({ n: 2_500 })
  })

  test('are counted while it runs', () => {
    const cache = cacheWith([])
    const counted = cache.transaction((tx) => {
      messages.put(tx, row('a', 'here'))
      return docs.freshCount(tx, 10)
    })
    expect(counted).toBe(1)
  })

  test.each(WAYS)('are found as they were last, %s', (_way, prepare) => {
    const cache = cacheWith([])
    cache.transaction((tx) => {
      messages.put(tx, row('a', 'first', { createdAt: 1, updatedAt: 1 }))
      messages.put(tx, row('a', 'second', { createdAt: 1, updatedAt: 2 }))
      messages.put(tx, row('b', 'first', { createdAt: 2, updatedAt: 2 }))
      messages.put(tx, row('b', '', { createdAt: 2, updatedAt: 3, type: 'deleted', deletedAt: 3 }))
      messages.put(tx, row('c', 'first', { createdAt: 3, updatedAt: 3 }))
      removal.removeForGood(tx, row('c', 'first', { createdAt: 3 }), 4)
    })
    prepare(cache)
    expect(ask(cache, 'first')).toEqual([])
    expect(ask(cache, 'second')).toEqual(['a'])
  })
})
