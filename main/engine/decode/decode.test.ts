import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { asUserId } from '#shared/lib/brand.ts'
import { decodeChannelState, decodeRead, decodeDraft, decodeChannel, decodeMember } from './channel.ts'
import { decodeEvent } from './events.ts'
import { decodeMessage, decodeReaction } from './message.ts'
import { decodePoll, decodeVote } from './poll.ts'
import type { DecodeContext } from './read.ts'
import { decodeOwnUser, decodeUser } from './user.ts'

const at = (seconds: number) => Date.UTC(2026, 0, 1, 0, 0, seconds)
const context: DecodeContext = { viewerId: asUserId('me'), asOf: at(5), isAnswer: true }
const broadcast: DecodeContext = { ...context, isAnswer: false }

/** A minute of 2026; `at` is the same in milliseconds. */
const time = (seconds: number) => `2026-01-01T00:00:${String(seconds).padStart(2, '0')}Z`
const aWireMessage = (fields: object = {}) => ({
  id: 'm1',
  cid: 'messaging:general',
  text: 'hello',
  type: 'regular',
  user: { id: 'ana', name: 'Ana' },
  created_at: time(1),
  updated_at: time(2),
  ...fields,
})
test('of many members in one response a thousand are read', () => {
  const members = Array.from({ length: 100_000 }, (_none, at) => ({ user_id: `u${at}` }))
  const channel = { type: 'team', id: 'a', cid: 'team:a', member_count: 100_000 }
  const facts = decodeChannelState({ channel, members, watchers: members.map(({ user_id: id }) => ({ id })) }, context)
  expect(facts?.members.length).toBe(1_000)
  expect(facts?.watcherIds.length).toBe(1_000)
  expect(facts?.channel.memberCount).toBe(100_000)
})

test.each([
  [1e308, 1_000_000],
  [-5, 0],
  ['3', 3],
])('a count of %j is %j', (given, count) => {
  const groups = { like: { count: 1, sum_scores: given }, love: { count: given } }
  const decoded = decodeMessage(aWireMessage({ reaction_groups: groups, reply_count: given }), context)?.row
  expect(decoded?.replyCount).toEqual(count)
  expect(decoded?.reactionGroups.find(({ type }) => type === 'like')?.sumScores).toEqual(count)
  expect(decoded?.reactionGroups.find(({ type }) => type === 'love')?.count).toBe(count === 0 ? undefined : count)
})
const row = (fields: object, from = context) => decodeMessage(aWireMessage(fields), from)?.row

describe('messages', () => {
  test('are decoded into rows', () => {
    const decoded = decodeMessage(
      aWireMessage({
        mentioned_users: [{ id: 'bo', name: 'Bo' }, 'cy'],
        quoted_message: { id: 'q1', text: 'before', user: { id: 'cy', name: 'Cy' }, quoted_message: { id: 'deep' } },
        thread_participants: [{ id: 'bo' }, { id: 'bo' }],
        reply_count: 3,
        own_reactions: [{ type: 'like', user_id: 'me' }],
        poll: { id: 'p1', name: 'Lunch?', options: [{ id: 'o1', text: 'Soup' }] },
        pinned: true,
        pinned_at: time(9),
        pinned_by: { id: 'dee' },
        mood: 'calm',
      }),
      context,
    )
    expect(decoded?.row).toMatchObject({
      id: 'm1',
      userId: 'ana',
      createdAt: at(1),
      updatedAt: at(2),
      mentionedUserIds: ['bo', 'cy'],
      quotedId: 'q1',
      quoted: { id: 'q1', userId: 'cy', text: 'before', deleted: false },
      threadParticipantIds: ['bo'],
      replyCount: 3,
      ownReactions: ['like'],
      pollId: 'p1',
      pinned: true,
      pinnedAt: at(9),
      pinnedBy: 'dee',
      custom: { mood: 'calm' },
      asOf: at(5),
    })
    expect(decoded?.users.map((user) => user.id).toSorted()).toEqual(['ana', 'bo', 'bo', 'bo', 'cy', 'dee'])
    expect(decoded?.poll?.options).toEqual([{ id: 'o1', text: 'Soup' }])
  })

  test('keep the server’s microseconds', () => {
    expect(row({ created_at: '2026-01-01T00:00:01.000123Z' })?.createdAt).toBe(at(1) + 0.123)
  })

  test('null and absent are the same', () => {
    const nulls = { pinned_at: null, reaction_groups: null, own_reactions: null, quoted_message: null, poll: null }
    const withoutOwn = (fields: Parameters<typeof row>[0]) => ({ ...row(fields), ownReactions: [] })
    expect(withoutOwn(nulls)).toEqual(withoutOwn({}))
  })

  test('a broadcast does not know the viewer’s own reactions', () => {
    const own_reactions = [{ type: 'like', user_id: 'me' }]
    expect(row({ own_reactions }, broadcast)?.ownReactions).toBeUndefined()
    expect(row({ own_reactions })?.ownReactions).toEqual(['like'])
  })

  test.each([
    ['its type', { type: 'deleted' }],
    ['its time', { deleted_at: time(3) }],
    ['deletion for the viewer', { deleted_for_me: true }],
  ])('are deleted by %s, and their words and files are gone', (_name, fields) => {
    const deleted = row({
      ...fields,
      text: 'secret',
      attachments: [{ type: 'image', image_url: 'https://x.example/a' }],
    })
    expect(deleted).toMatchObject({ type: 'deleted', text: '', attachments: [] })
    expect(deleted?.deletedAt).toBeGreaterThan(0)
  })

  test('of an unknown type are regular, or replies if they have a parent', () => {
    expect(row({ type: 'hologram' })?.type).toBe('regular')
    expect(row({ type: 'hologram', parent_id: 'p' })?.type).toBe('reply')
  })

  test('reactions come from the groups, oldest kind first', () => {
    const group = (count: number, seconds: number) => ({ count, sum_scores: count, first_reaction_at: time(seconds) })
    const reaction_groups = {
      wow: group(1, 9),
      like: group(2, 3),
      none: group(0, 1),
      [`x${'y'.repeat(40)}`]: group(1, 1),
    }
    expect(row({ reaction_groups })?.reactionGroups.map((one) => [one.type, one.count])).toEqual([
      ['like', 2],
      ['wow', 1],
    ])
  })

  test('reactions come from the older maps when there are no groups', () => {
    const fields = {
      reaction_counts: { like: 2 },
      reaction_scores: { like: 5 },
      latest_reactions: [
        { type: 'like', user_id: 'bo', created_at: time(8) },
        { type: 'like', user_id: 'cy', created_at: time(4) },
      ],
    }
    expect(row(fields)?.reactionGroups).toEqual([
      { type: 'like', count: 2, sumScores: 5, firstAt: at(4), lastAt: at(8) },
    ])
  })

  test('an attachment keeps its position, its safe addresses and unknown fields', () => {
    const attachments = [
      'nonsense',
      { type: 'image', image_url: 'javascript:alert(1)', title: 'a\u202Egnp.exe', file_size: '12', extra: 1 },
      { type: 'image', image_url: 'https://cdn.example/a.png', original_width: 640, original_height: 99_999 },
      { og_scrape_url: 'https://news.example', title: 'News', thumb_url: 'https://news.example/t.png' },
    ]
    expect(row({ attachments })?.attachments).toMatchObject([
      { kind: 'other' },
      { kind: 'image', url: undefined, title: 'agnp.exe', sizeBytes: 12, raw: { extra: 1 } },
      { kind: 'image', url: 'https://cdn.example/a.png', width: 640, height: undefined },
      { kind: 'link', linkUrl: 'https://news.example/', url: 'https://news.example/t.png' },
    ])
  })

  test.each([
    ['id', { id: '' }],
    ['id of one line', { id: 'a\u0000b' }],
    ['well-formed id', { id: '\uD800' }],
    ['author', { user: null }],
    ['channel', { cid: null }],
  ])('without a usable %s are dropped and counted', (_name, fields) => {
    const dropped: string[] = []
    expect(decodeMessage(aWireMessage(fields), { ...context, dropped: (what) => dropped.push(what) })).toBeUndefined()
    expect(dropped).toEqual(['message'])
  })

  test.each([
    'yesterday',
    null,
    undefined,
    '2026-02-30T00:00:00Z',
    5,
    '9999-01-01T00:00:00Z',
    '0001-01-01T00:00:00Z',
    '1970-01-21T10:00:00Z',
    '1999-12-31T23:59:59Z',
  ])('of the time %j get a place and a mark', (given) => {
    const from = { ...context, latest: at(3_600) }
    expect(row({ created_at: given }, from)).toMatchObject({ createdAt: at(2), timeUnsure: true })
    expect(row({ created_at: given, updated_at: given }, from)).toMatchObject({
      createdAt: at(5),
      updatedAt: at(5),
      timeUnsure: true,
    })
    expect(row({}, from)?.timeUnsure).toBeUndefined()
  })

  test('a prototype key does no harm', () => {
    const hostile = JSON.parse('{"__proto__": {"admin": true}, "constructor": {"prototype": 1}}') as object
    const decoded = decodeMessage({ ...aWireMessage(), ...hostile, ['__proto__']: { admin: true } }, context)
    expect(Object.getPrototypeOf(decoded?.row.custom)).toBe(Object.prototype)
    expect(decoded?.row.custom['admin']).toBeUndefined()
  })
})

describe('users', () => {
  test('names lose misleading characters, and a missing name is replaced by the id', () => {
    expect(decodeUser({ id: 'ana', name: 'A\u202Ena\n' }, context)?.name).toBe('Ana')
    expect(decodeUser({ id: 'ana', name: '\u200F' }, context)?.name).toBe('ana')
  })

  test('a stub has no presence and is older than any full copy', () => {
    expect(decodeUser({ id: 'ana' }, context)).toMatchObject({ online: undefined, updatedAt: 0 })
  })

  test('the year 1 means never', () => {
    expect(decodeUser({ id: 'ana', last_active: '0001-01-01T00:00:00Z' }, context)?.lastActiveAt).toBeUndefined()
  })

  test('the own user contains the mute lists if the server sent them', () => {
    const me = {
      id: 'me',
      mutes: [{ target: { id: 'bo' }, expires: time(9) }, { target: null }],
      channel_mutes: [{ channel: { cid: 'messaging:noise' } }],
    }
    expect(decodeOwnUser(me, context)).toMatchObject({
      userMutes: [{ target: 'bo', expiresAt: at(9) }],
      channelMutes: [{ target: 'messaging:noise', expiresAt: undefined }],
    })
    expect(decodeOwnUser({ id: 'me' }, context)?.userMutes).toBeUndefined()
  })
})

describe('channels', () => {
  const wire = { id: 'general', type: 'messaging', cid: 'messaging:general' }

  test('the copy in an event leaves capabilities, settings and hidden state unknown', () => {
    expect(decodeChannel(wire, broadcast)?.row).toMatchObject({
      capabilities: undefined,
      config: undefined,
      hidden: undefined,
    })
  })

  test('a setting that is missing is off, and the message length has bounds', () => {
    const { config } =
      decodeChannel({ ...wire, config: { replies: true, max_message_length: 1e9 } }, context)?.row ?? {}
    expect(config).toMatchObject({ replies: true, reactions: false, maxMessageLength: 20_000 })
    expect(config?.systemKeepsPlace).toBeUndefined()
    const quiet = { ...wire, config: { skip_last_msg_update_for_system_msgs: true } }
    expect(decodeChannel(quiet, context)?.row.config?.systemKeepsPlace).toBe(true)
  })

  test.each([
    ['its parts disagree', { ...wire, id: 'other' }],
    ['it has no id', { type: 'messaging' }],
    ['its cid has no type', { cid: ':general' }],
  ])('are dropped when %s', (_name, value) => {
    expect(decodeChannel(value, context)).toBeUndefined()
  })

  test('a state keeps valid items and drops invalid ones', () => {
    const dropped: string[] = []
    const facts = decodeChannelState(
      {
        channel: { ...wire, last_message_at: time(7) },
        members: [{ user: { id: 'me' } }, { user: {} }, null],
        messages: [aWireMessage({ id: 'a' }), 'no', aWireMessage({ id: '', created_at: 'no' })],
        read: [{ user: { id: 'ana' }, last_read: time(4), unread_messages: -3 }],
        watchers: [{ id: 'ana' }],
        watcher_count: 1,
      },
      { ...context, dropped: (what) => dropped.push(what) },
    )
    expect(facts?.messages.map((message) => message.id)).toEqual(['a'])
    expect(facts?.members.map((member) => member.userId)).toEqual(['me'])
    expect(dropped.toSorted()).toEqual(['member', 'member', 'message', 'message', 'user'])
    expect(facts?.reads).toMatchObject([
      { userId: 'ana', lastReadAt: at(4), unread: 0, countedAt: at(7) },
      { userId: 'me', lastReadAt: at(7), unread: 0, asOf: 0 },
    ])
  })
})

describe('events', () => {
  test('find their channel in any of its fields', () => {
    const places = [
      { cid: 'a:b' },
      { channel_type: 'a', channel_id: 'b' },
      { channel: { cid: 'a:b' } },
      { message: { cid: 'a:b' } },
    ]
    expect(places.map((place) => decodeEvent({ type: 'x', ...place })?.cid)).toEqual(['a:b', 'a:b', 'a:b', 'a:b'])
  })

  test('have the server’s time, or none', () => {
    expect(decodeEvent({ type: 'x', created_at: time(4) })?.at).toBe(at(4))
    expect(decodeEvent({ type: 'x', created_at: null })).toMatchObject({ type: 'x', at: undefined })
  })
})

describe('any input', () => {
  /** Arbitrary JSON with real field names, so that decoders get past their first check. */
  const key = fc.constantFrom(
    ...`id cid type user user_id created_at updated_at message messages channel members read own_votes options latest_votes_by_option vote_counts_by_option reaction_groups poll latest_reactions own_reactions attachments quoted_message mentioned_users config commands mutes channel_mutes target name image text waveform_data channel_cid draft __proto__`.split(
      ' ',
    ),
  )
  const leaf = fc.oneof(
    fc.jsonValue({ maxDepth: 1 }),
    fc.constantFrom(
      'm1',
      'a:b',
      time(3),
      '2026-02-30T00:00:00Z',
      Number.NaN,
      Number.POSITIVE_INFINITY,
      -1,
      '\uD800',
      '\u0000',
    ),
  )
  const { node } = fc.letrec((tie) => ({
    node: fc.oneof(
      { depthSize: 'medium', withCrossShrink: true },
      leaf,
      tie('object'),
      fc.array(tie('node'), { maxLength: 3 }),
    ),
    object: fc.dictionary(key, tie('node'), { maxKeys: 10, noNullPrototype: true }),
  }))

  test.each([
    ['user', (value: unknown) => decodeUser(value, context)],
    ['own user', (value: unknown) => decodeOwnUser(value, context)],
    ['channel', (value: unknown) => decodeChannel(value, context)],
    ['channel state', (value: unknown) => decodeChannelState(value, context)],
    ['member', (value: unknown) => decodeMember(value, context, 'a:b')],
    ['message', (value: unknown) => decodeMessage(value, context, 'a:b')],
    ['reaction', (value: unknown) => decodeReaction(value, context)],
    ['read', (value: unknown) => decodeRead(value, context, { cid: 'a:b' })],
    ['poll', (value: unknown) => decodePoll(value, context)],
    ['vote', (value: unknown) => decodeVote(value, context)],
    ['draft', (value: unknown) => decodeDraft(value, context)],
    ['event', (value: unknown) => decodeEvent(value)],
  ])('decoding a %s never throws, and never yields a number that is none', (_name, decode) => {
    fc.assert(
      fc.property(node, (value) => {
        const usable = { id: 'x1', user: { id: 'u1' }, type: 'like', created_at: time(2), ...(value as object) }
        for (const one of [value, usable]) {
          const decoded = JSON.stringify(decode(one), (key, part: unknown) => {
            if (key === 'custom' || key === 'raw' || key === 'wire') return undefined
            if (typeof part === 'number' && !Number.isFinite(part)) throw new Error('not a number')
            return part
          })
          expect(decoded === undefined || decoded.isWellFormed()).toBe(true)
        }
      }),
      { numRuns: 300 },
    )
  })

  test('opaque data that is too deep or too long is dropped', () => {
    let deep: object = {}
    for (let level = 0; level < 20_000; level += 1) deep = { deep }
    const fields = { deep, long: 'x'.repeat(30_000), wide: Array.from({ length: 5_000 }, () => 1), mood: { calm: [1] } }
    expect(row({ ...fields, attachments: [fields] })).toMatchObject({
      custom: { mood: { calm: [1] } },
      attachments: [{ raw: { mood: { calm: [1] } } }],
    })
    expect(JSON.stringify(row(fields)).length).toBeLessThan(2_000)
  })

  test('a very deep object does no harm', () => {
    let deep: object = { id: 'end' }
    for (let level = 0; level < 20_000; level += 1) deep = { quoted_message: deep, user: { id: 'u' }, id: 'x' }
    expect(decodeMessage(aWireMessage({ quoted_message: deep }), context)?.row.quoted?.id).toBe('x')
  })
})
