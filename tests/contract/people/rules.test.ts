import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import type { Json } from '#main/server/http/json.ts'
import { MS } from '#main/server/store/time.ts'
import { requireUser } from '#main/server/users/users.ts'
import type { BlockList, Rule, RuleAction } from '#shared/domain/manage/rules.ts'
import { decideBy, writeRule } from '#shared/rules/moderation/decide.ts'
import { asCid } from '#shared/lib/brand.ts'
import { ADMIN, openRoom, type Room } from '../room.ts'

let room: Room
const rooms: Room[] = []
const CID = 'messaging:talk'
const TALK = { type: 'messaging', id: 'talk' }

beforeEach(() => {
  room = openRoom(['owner', 'bob', 'eve'])
  rooms.push(room)
  room.done('GetOrCreateChannel', 'owner', { params: TALK, body: { data: { members: ['owner', 'bob', 'eve'] } } })
})
afterAll(() => rooms.forEach((each) => each.close()))

type Message = { id: string; text: string; type: string; shadowed: boolean; moderation?: Json }
type Item = { recommended_action: string; flags: Json[]; moderation_payload: { texts: string[] } }

const rule = (action: RuleAction, more: Json = {}): Json =>
  room.done<{ rule: Json }>('UpsertModerationRule', ADMIN, {
    body: { name: 'No deals', action, conditions: [{ kind: 'words', words: ['half price'] }], ...more },
  }).rule
const send = (who: string, text: string): Message =>
  room.done<{ message: Message }>('SendMessage', who, { params: TALK, body: { message: { text } } }).message
const seen = (who: string): string[] =>
  room
    .done<{ messages: Message[] }>('GetOrCreateChannel', who, { params: TALK, body: { state: true } })
    .messages.map(({ text }) => text)
const queued = (id: string): Item[] =>
  room.done<{ items: Item[] }>('QueryReviewQueue', 'root', { body: { filter: { entity_id: id } } }).items
const edit = (who: string, id: string, text: string) =>
  room.ask('UpdateMessage', who, { params: { id }, body: { message: { text } } })

test('administrators are notified of changes of rules, lists and configurations, without their content; no one else is', () => {
  room.done('UpdateUsers', ADMIN, { body: { users: { mod: { role: 'moderator' } } } })
  const listeners = ['owner', 'mod', 'bob', 'root'].map((id) => [id, room.listen(id)] as const)
  const { id } = rule('flag')
  room.done('DeleteModerationRule', ADMIN, { params: { id: String(id) } })
  room.done('CreateBlockList', ADMIN, { body: { name: 'rude', words: ['drat'] } })
  room.done('UpdateBlockList', ADMIN, { params: { name: 'rude' }, body: { words: ['dash it'] } })
  room.done('DeleteBlockList', ADMIN, { params: { name: 'rude' } })
  room.done('UpsertConfig', ADMIN, { body: { key: 'chat' } })
  room.done('DeleteConfig', ADMIN, { params: { key: 'chat' } })
  const told = Object.fromEntries(
    listeners.map(([name, each]) => [name, each.takeEvents().filter(({ type }) => type === 'moderation.updated')]),
  )
  expect(told['root']?.map(({ kind }) => kind)).toEqual([
    'moderation_rule',
    'moderation_rule',
    'blocklist',
    'blocklist',
    'blocklist',
    'moderation_config',
    'moderation_config',
  ])
  expect(told['root']?.every((event) => Object.keys(event).toSorted().join(' ') === 'created_at kind type')).toBe(true)
  const { root: _told, ...others } = told
  expect(others).toEqual({ owner: [], mod: [], bob: [] })
})

test('a change that is refused notifies no one', () => {
  const root = room.listen('root')
  expect(room.ask('UpsertModerationRule', 'bob', { body: { name: 'x' } }).code).toBe(17)
  expect(room.ask('DeleteBlockList', ADMIN, { params: { name: 'nothing' } }).code).toBe(16)
  expect(root.types()).toEqual([])
})

describe('a rule that matches', () => {
  test('flag: everyone sees the message and moderators find it with the rule and the words', () => {
    rule('flag')
    const { id } = send('bob', 'GPS at half  price!')
    expect(seen('eve')).toEqual(['GPS at half  price!'])
    expect(queued(id)).toMatchObject([
      { recommended_action: 'flag', flags: [{ type: 'rule', reason: 'No deals', labels: ['half  price'] }] },
    ])
  })

  test('block: only the author and moderators see it, until one of them approves it', () => {
    rule('block', { sender_text: 'Ask first.' })
    const held = send('bob', 'half price')
    expect(held).toMatchObject({
      type: 'regular',
      shadowed: true,
      moderation: { action: 'block', rule: 'No deals', text: 'Ask first.' },
    })
    expect(seen('bob')).toEqual(['half price'])
    expect(seen('owner')).toEqual(['half price'])
    expect(seen('eve')).toEqual([])
    expect(queued(held.id)).toMatchObject([{ recommended_action: 'remove' }])
    room.done('UnblockMessage', 'root', { body: { target_message_id: held.id } })
    expect(seen('eve')).toEqual(['half price'])
    const after = room.done<{ message: Message }>('GetMessage', 'bob', { params: { id: held.id } }).message
    expect(after).toMatchObject({ shadowed: false })
    expect(after.moderation).toBeUndefined()
  })

  test('bounce: it is returned with the rule and not stored', () => {
    rule('bounce')
    const back = send('bob', 'half price')
    expect(back).toMatchObject({
      type: 'error',
      moderation: { action: 'bounce', rule: 'No deals', original_text: 'half price' },
    })
    expect(seen('bob')).toEqual([])
    expect(queued(back.id)).toEqual([])
    room.done('SendMessage', 'bob', { params: TALK, body: { message: { id: back.id, text: 'changed' } } })
    expect(seen('eve')).toEqual(['changed'])
  })

  test('shadow: the author is told nothing', () => {
    rule('shadow')
    const hidden = send('bob', 'half price')
    expect(hidden.moderation).toBeUndefined()
    expect(seen('bob')).toEqual(['half price'])
    expect(seen('eve')).toEqual([])
  })

  test('mask: the words are replaced for everyone, and moderators find the original', () => {
    rule('mask')
    const { id, text } = send('bob', 'at half price!')
    expect(text).toBe('at •••• •••••!')
    expect(seen('eve')).toEqual(['at •••• •••••!'])
    expect(queued(id)).toMatchObject([{ moderation_payload: { texts: ['at half price!'] } }])
  })

  test('hidden messages reach no one else by an event', () => {
    rule('block')
    const listeners = ['eve', 'owner', 'bob'].map((who) => {
      const listener = room.listen(who)
      room.done('GetOrCreateChannel', who, {
        params: TALK,
        body: { watch: true },
        query: { connection_id: listener.connectionId },
      })
      listener.takeEvents()
      return listener
    })
    send('bob', 'half price')
    expect(listeners.map((each) => each.types().filter((type) => type.startsWith('message')))).toEqual([
      [],
      ['message.new'],
      ['message.new'],
    ])
  })
})

describe('an edit', () => {
  test.each(['block', 'bounce', 'shadow'] as const)(
    'that %s would keep back is refused with the name of the rule',
    (action) => {
      rule(action)
      const { id } = send('bob', 'hello')
      const { code, reply } = edit('bob', id, 'half price')
      expect(code).toBe(4)
      expect(JSON.stringify(reply)).toContain('blocked by moderation policies: No deals')
      expect(seen('eve')).toEqual(['hello'])
    },
  )

  test('is masked, and flagged', () => {
    rule('mask')
    const { id } = send('bob', 'hello')
    expect(edit('bob', id, 'half price').code).toBeUndefined()
    expect(seen('eve')).toEqual(['•••• •••••'])
    expect(queued(id)).toHaveLength(1)
  })
})

describe('the list of rules', () => {
  test('is checked in the order of the positions, and what is switched off is skipped', () => {
    rule('bounce', { id: 'last', position: 3 })
    rule('mask', { id: 'first', position: 1, enabled: false })
    rule('flag', { id: 'second', position: 2 })
    expect(send('bob', 'half price').type).toBe('regular')
    rule('mask', { id: 'first', position: 1 })
    expect(send('bob', 'half price').text).toBe('•••• •••••')
  })

  test('is used as it is now: a list, a rule or a configuration that changes counts at once', () => {
    room.done('CreateBlockList', ADMIN, { body: { name: 'ads', words: ['promo'] } })
    rule('mask', { id: 'ads', conditions: [{ kind: 'list', list: 'ads' }] })
    expect(send('bob', 'promo sale').text).toBe('••••• sale')
    room.done('UpdateBlockList', ADMIN, { params: { name: 'ads' }, body: { words: ['sale'] } })
    expect(send('bob', 'promo sale').text).toBe('promo ••••')
    room.done('DeleteModerationRule', ADMIN, { params: { id: 'ads' } })
    expect(send('bob', 'promo sale').text).toBe('promo sale')
    const block_list_config = { rules: [{ name: 'ads', action: 'remove' }] }
    room.done('UpsertConfig', ADMIN, { body: { key: 'chat:messaging', block_list_config } })
    expect(send('bob', 'sale').shadowed).toBe(true)
  })

  test('says what rules may do, and a change based on an older version is refused', async () => {
    const { id, updated_at } = rule('flag')
    const listed = room.done<Json>('QueryModerationRules', ADMIN, { body: {} })
    expect(listed['rule_actions']).toEqual(['flag', 'block', 'bounce', 'shadow', 'mask'])
    const change = (name: string) =>
      room.ask('UpsertModerationRule', ADMIN, { body: { id, name, expected_updated_at: updated_at } })
    await room.clock.advance(10)
    expect(change('one').code).toBeUndefined()
    expect(change('two').code).toBe(4)
  })

  test('a rule of another shape is kept and nothing acts on it', () => {
    room.done('UpsertModerationRule', ADMIN, {
      body: { id: 'odd', name: 'odd', action: { type: 'ban' }, conditions: [] },
    })
    expect(send('bob', 'half price').type).toBe('regular')
  })

  test('moderators are not checked, and system messages neither', () => {
    rule('bounce')
    room.done('UpdateUsersPartial', ADMIN, { body: { users: [{ id: 'eve', set: { role: 'moderator' } }] } })
    expect(send('eve', 'half price').type).toBe('regular')
  })
})

const WORDS = [
  'half',
  'price',
  'shop.example',
  'a@mail.example',
  'hello',
  'map',
  '+48 601 234 567',
  '割引',
  'free*',
  'freedom',
]

test.each([11, 12, 13, 14])(
  'what a dry run over the same messages counts is what is caught live (seed %i)',
  async (seed) => {
    let state = seed
    const next = (below: number): number => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
      return Math.floor((state / 2 ** 32) * below)
    }
    const some = (): string => Array.from({ length: 1 + next(5) }, () => WORDS[next(WORDS.length)] ?? '').join(' ')
    const lists: BlockList[] = [
      { name: 'w', kind: 'word', words: ['half price', 'free*'] },
      { name: 'd', kind: 'domain', words: ['shop.example'] },
      { name: 'e', kind: 'email', words: ['mail.example'] },
    ]
    const CONDITIONS: Rule['conditions'][] = [
      [{ kind: 'list', list: 'w' }],
      [
        { kind: 'list', list: 'd' },
        { kind: 'joined', days: 1 },
      ],
      [{ kind: 'list', list: 'e' }],
      [
        { kind: 'has', what: 'phone' },
        { kind: 'channel', cid: asCid(CID) },
      ],
      [
        { kind: 'words', words: ['割引'] },
        { kind: 'role', role: 'user' },
      ],
    ]
    const rules = CONDITIONS.map((conditions, at): Rule => ({
      id: `r${at}`,
      name: `r${at}`,
      enabled: next(5) > 0,
      conditions,
      action: 'flag',
    }))
    for (const { name, kind, words } of lists)
      room.done('CreateBlockList', ADMIN, { body: { name, words, type: kind } })
    rules.forEach((each, position) =>
      room.done('UpsertModerationRule', ADMIN, { body: { ...writeRule(each), position } }),
    )
    const decide = decideBy(rules, lists)
    const joinedAt = requireUser(room.server.services.db, 'bob').created_at / MS
    const live: (string | undefined)[] = []
    const replayed: (string | undefined)[] = []
    for (let count = 0; count < 60; count += 1) {
      await room.clock.advance(3_600_000)
      const text = some()
      const { id } = send('bob', text)
      const flag = queued(id)[0]?.flags[0]
      live.push(typeof flag?.['rule_id'] === 'string' ? flag['rule_id'] : undefined)
      replayed.push(decide({ text, attachments: 0, cid: CID, role: 'user', joinedAt, at: room.clock.now() })?.rule.id)
    }
    expect(replayed).toEqual(live)
    expect(live.some((each) => each !== undefined)).toBe(true)
  },
)
