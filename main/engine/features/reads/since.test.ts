import { describe, expect, test } from 'vitest'
import { asCid, asUserId } from '#shared/lib/brand.ts'
import { at, aWireChannelState, aWireMessage, aWireUser, CID, FakeApi, withChannel } from '#kit/lone-engine.ts'
import { reading, type Lone } from '#kit/lone-talk.ts'

const START = Date.parse(at(0))
const HOUR_MS = 3_600_000
const DIRECT = 'messaging:!members-abc'
const reacted = (type: string, people: readonly string[], ms: number) => ({
  latest_reactions: people.map((id) => ({
    type,
    user_id: id,
    user: aWireUser(id),
    score: 1,
    created_at: at(ms),
    updated_at: at(ms),
  })),
  reaction_groups: {
    [type]: { count: people.length, sum_scores: people.length, first_reaction_at: at(ms), last_reaction_at: at(ms) },
  },
})
const aPoll = {
  id: 'p1',
  name: 'Which valley?',
  options: [{ id: 'a', text: 'A' }],
  created_at: at(0),
  updated_at: at(0),
}

const MESSAGES = [
  aWireMessage('old-mention', 1, { mentioned_users: [aWireUser('me')] }),
  aWireMessage('mention', 11, { mentioned_users: [aWireUser('me')] }),
  aWireMessage('mine', 12, { user: aWireUser('me'), ...reacted('like', ['ana', 'bo'], 40) }),
  aWireMessage('plain', 13),
  aWireMessage('pinned', 14, { pinned: true, pinned_at: at(30), pinned_by: aWireUser('bo') }),
  aWireMessage('agreed', 15, reacted('white_check_mark', ['bo'], 31)),
  aWireMessage('poll', 16, { poll_id: 'p1', poll: aPoll }),
  aWireMessage('file', 17, {
    attachments: [{ type: 'file', asset_url: 'http://x/borders.geojson', title: 'borders.geojson', file_size: 4_200 }],
  }),
  aWireMessage('link', 18, { attachments: [{ type: 'image', og_scrape_url: 'http://x', title: 'A page' }] }),
  aWireMessage('loved', 19, reacted('heart', ['ana', 'bo', 'cy'], 32)),
]

const direct = aWireChannelState([aWireMessage('to-me', 20, { cid: DIRECT })], {
  channel: {
    id: '!members-abc',
    type: 'messaging',
    cid: DIRECT,
    created_at: at(-1e6),
    updated_at: at(-1e6),
    last_message_at: at(20),
  },
  read: [{ user: aWireUser('me'), last_read: at(-1e5), unread_messages: 1 }],
})

async function lately(state: Record<string, unknown> = {}): Promise<Lone> {
  const general = aWireChannelState(MESSAGES, state)
  const api = withChannel(new FakeApi(), MESSAGES).on('QueryChannels', () => ({ channels: [general, direct] }))
  return reading(MESSAGES, api)
}

const ask = (
  lone: Lone,
  more: { since?: number; barsFrom?: number; unread?: boolean; cid?: string; keywords?: string[] } = {},
) =>
  lone.engine.handlers.channels.catchUp(
    {
      since: START + (more.since ?? 10),
      unread: more.unread ?? false,
      cid: more.cid === undefined ? undefined : asCid(more.cid),
      keywords: more.keywords ?? [],
      barsFrom: START + (more.barsFrom ?? 0),
      barCount: 4,
    },
    lone.client,
  )
const listed = async (...args: Parameters<typeof ask>) =>
  (await ask(...args)).items.map(({ group, reason, messageId }) => `${group}: ${messageId} (${reason})`)

describe('what matters since a time', () => {
  test('is grouped in a fixed order, oldest first, each message once, without plain messages and link previews', async () => {
    expect(await listed(await lately())).toEqual([
      'forYou: mention (mention)',
      'forYou: to-me (direct)',
      'forYou: mine (reaction)',
      'decisions: agreed (agreed)',
      'decisions: pinned (pinned)',
      'polls: poll (poll)',
      'files: file (files)',
      'popular: loved (popular)',
    ])
  })

  test('counts every message of others since then, and has bars from the beginning of the slider', async () => {
    const page = await ask(await lately())
    // All but the older mention, and the viewer's own.
    expect(page.total).toBe(9)
    expect(page.bars.reduce((sum, bar) => sum + bar, 0)).toBe(10)
    expect(page.bars).toHaveLength(4)
  })

  test('that is before the beginning of the slider counts more than the bars', async () => {
    const lone = await lately()
    const page = await ask(lone, { since: 10, barsFrom: 16 })
    expect(page.total).toBe(9)
    expect(page.bars.reduce((sum, bar) => sum + bar, 0)).toBe(4)
  })

  test('counts each message once where bars are hours long and begin at full hours', async () => {
    const page = await ask(await lately(), { since: 10, barsFrom: -9.5 * HOUR_MS })
    expect(page.total).toBe(9)
    expect(page.bars.reduce((sum, bar) => sum + bar, 0)).toBe(10)
  })

  test('of one channel leaves out the others', async () => {
    expect(await listed(await lately(), { cid: DIRECT })).toEqual(['forYou: to-me (direct)'])
  })

  test('that is unread ends at the read mark', async () => {
    const lone = await lately({ read: [{ user: aWireUser('me'), last_read: at(16), unread_messages: 3 }] })
    expect(await listed(lone, { unread: true })).toEqual([
      'forYou: to-me (direct)',
      'forYou: mine (reaction)',
      'decisions: pinned (pinned)',
      'files: file (files)',
      'popular: loved (popular)',
    ])
    await lone.engine.handlers.channels.markRead({ cid: asCid(CID) }, lone.client)
    await lone.clock.settle()
    // What happened after the newest message is not covered by a read mark.
    expect(await listed(lone, { unread: true })).toEqual([
      'forYou: to-me (direct)',
      'forYou: mine (reaction)',
      'decisions: pinned (pinned)',
    ])
  })

  test('works without a connection, and says as of when', async () => {
    const lone = await lately()
    expect((await ask(lone)).asOf).toBeUndefined()
    await lone.offline()
    const page = await ask(lone)
    expect(page.items).toHaveLength(8)
    expect(page.asOf).toBeGreaterThan(0)
  })

  test('looks at nothing by itself: no request is sent', async () => {
    const lone = await lately()
    const before = lone.api.calls.length
    await ask(lone)
    await ask(lone, { unread: true })
    expect(lone.api.calls.slice(before)).toEqual([])
  })
})

test('a thread with the viewer is listed once, with the number of new replies of others', async () => {
  const parent = aWireMessage('root', 1, {
    user: aWireUser('me'),
    reply_count: 2,
    thread_participants: [aWireUser('me')],
  })
  const lone = await reading([parent])
  const reply = (id: string, ms: number, user: string) =>
    aWireMessage(id, ms, { parent_id: 'root', user: aWireUser(user), type: 'reply' })
  const news = (message: Record<string, unknown>) => ({
    type: 'message.new',
    cid: CID,
    created_at: message['created_at'],
    message,
    user: message['user'],
  })
  await lone.hear(news(reply('r1', 20, 'ana')), news(reply('r2', 21, 'me')), news(reply('r3', 22, 'bo')))
  const { items } = await ask(lone)
  expect(items).toMatchObject([{ group: 'threads', messageId: 'root', replies: 2, others: ['bo', 'ana'] }])
})

const muting = (...people: readonly string[]) => ({
  type: 'notification.mutes_updated',
  created_at: at(1_000),
  me: {
    ...aWireUser('me'),
    mutes: people.map((id) => ({
      user: aWireUser('me'),
      target: aWireUser(id),
      created_at: at(1_000),
      updated_at: at(1_000),
    })),
  },
})
const heard = (message: Record<string, unknown>) => ({
  type: 'message.new',
  cid: CID,
  created_at: message['created_at'],
  message,
  user: message['user'],
})

describe('people whom the viewer has muted or blocked', () => {
  test('are not named for what they did with the messages of others, and do not make them matter', async () => {
    const lone = await lately()
    await lone.hear(muting('bo'))
    const { items } = await ask(lone)
    expect(items.find(({ reason }) => reason === 'reaction')?.others).toEqual(['ana'])
    expect(items.find(({ reason }) => reason === 'pinned')?.others).toEqual([])
    // Without him there is no agreement, and two people are not many.
    expect(items.map(({ messageId }) => messageId)).not.toContain('agreed')
    expect(items.map(({ messageId }) => messageId)).not.toContain('loved')
    await lone.engine.handlers.people.block({ userId: asUserId('ana'), blocked: true }, lone.client)
    expect((await ask(lone)).items.map(({ reason }) => reason)).not.toContain('reaction')
  })

  test('have no part in a thread: neither their replies nor those hidden by moderation are counted', async () => {
    const me = aWireUser('me')
    const lone = await reading([aWireMessage('root', 1, { user: me, reply_count: 3, thread_participants: [me] })])
    const reply = (id: string, ms: number, user: string, more: Record<string, unknown> = {}) =>
      heard(aWireMessage(id, ms, { parent_id: 'root', user: aWireUser(user), type: 'reply', ...more }))
    await lone.hear(reply('r1', 20, 'bo'), reply('r2', 21, 'ana'), reply('r3', 22, 'cy', { shadowed: true }))
    await lone.hear(muting('bo'))
    expect((await ask(lone)).items).toMatchObject([
      { messageId: 'root', replies: 1, others: ['ana'], firstReplyId: 'r2' },
    ])
    await lone.hear(muting('bo', 'ana'))
    expect((await ask(lone)).items).toEqual([])
  })

  test('are left out of the preview of an unread conversation', async () => {
    const lone = await lately({ read: [{ user: aWireUser('me'), last_read: at(17), unread_messages: 2 }] })
    await lone.hear(heard(aWireMessage('from-bo', 40, { user: aWireUser('bo') })))
    const shown = async (): Promise<readonly string[]> => {
      const places = await lone.engine.handlers.channels.unreadPlaces(undefined, lone.client)
      return places.filter(({ cid }) => cid === CID).flatMap(({ preview }) => preview.map((line) => line.messageId))
    }
    expect(await shown()).toEqual(['link', 'loved', 'from-bo'])
    await lone.hear(muting('bo'))
    expect(await shown()).toEqual(['link', 'loved'])
  })
})

test('an unread poll or file without a text is described in the preview', async () => {
  const lone = await lately({ read: [{ user: aWireUser('me'), last_read: at(17), unread_messages: 2 }] })
  const picture = { type: 'image', image_url: 'https://files.example/a.png' }
  await lone.hear(heard(aWireMessage('wordless', 40, { text: '', attachments: [picture] })))
  const places = await lone.engine.handlers.channels.unreadPlaces(undefined, lone.client)
  const line = places.flatMap(({ preview }) => preview).find(({ messageId }) => messageId === 'wordless')
  expect(line).toMatchObject({ text: '', files: 1, content: 'image' })
})

test('a reaction matters only if another person added it since then', async () => {
  const mine = aWireMessage('mine', 12, {
    user: aWireUser('me'),
    latest_reactions: [
      ['me', 40],
      ['ana', 13],
    ].map(([id, ms]) => ({
      type: 'like',
      user_id: id,
      user: aWireUser(String(id)),
      score: 1,
      created_at: at(Number(ms)),
      updated_at: at(Number(ms)),
    })),
    reaction_groups: {
      like: { count: 2, sum_scores: 2, first_reaction_at: at(13), last_reaction_at: at(40) },
    },
  })
  const lone = await reading([mine])
  expect((await ask(lone, { since: 10 })).items).toMatchObject([{ messageId: 'mine', at: START + 13, others: ['ana'] }])
  expect((await ask(lone, { since: 20 })).items).toEqual([])
})

describe('a channel whose messages begin later than asked for', () => {
  const page = Array.from({ length: 300 }, (_, index) => aWireMessage(`n${index}`, 1_000 + index))

  test('is named, and loaded on request until it reaches back', async () => {
    const lone = await reading(page)
    const short = (await ask(lone, { since: 1 })).short
    expect(short).toEqual([{ cid: CID, from: START + 1_000 }])
    lone.api.on('GetOrCreateChannel', () => aWireChannelState([aWireMessage('before', 5)]))
    const { loadSince } = lone.engine.handlers.channels
    const failed = loadSince({ cids: [asCid(CID)], since: START + 1 }, lone.client)
    await lone.clock.settle()
    expect(await failed).toEqual([])
    expect((await ask(lone, { since: 1 })).short).toEqual([])
  })

  test('whose newest messages are missing is named too, and loaded from its end', async () => {
    const lone = await reading([aWireMessage('known', 5)])
    await lone.offline()
    const news = {
      id: 'general',
      type: 'team',
      cid: CID,
      created_at: at(-1e6),
      updated_at: at(900),
      last_message_at: at(900),
    }
    lone.api.on('QueryChannels', () => ({ channels: [] }))
    await lone.hear({ type: 'channel.updated', cid: CID, created_at: at(901), channel: news })
    expect((await ask(lone, { since: 10 })).short).toEqual([{ cid: CID, from: undefined }])
    await lone.online()
    lone.api.on('GetOrCreateChannel', () => aWireChannelState([aWireMessage('known', 5), aWireMessage('news', 900)]))
    const failed = lone.engine.handlers.channels.loadSince({ cids: [asCid(CID)], since: START + 10 }, lone.client)
    await lone.clock.settle()
    expect(await failed).toEqual([])
    expect((await ask(lone, { since: 10 })).short).toEqual([])
  })

  test('that cannot be loaded is returned, and offline the request is refused', async () => {
    const lone = await reading(page)
    lone.api.on('GetOrCreateChannel', () => {
      throw new Error('no answer')
    })
    const { loadSince } = lone.engine.handlers.channels
    const failed = loadSince({ cids: [asCid(CID)], since: START + 1 }, lone.client)
    await lone.clock.settle()
    expect(await failed).toEqual([CID])
    await lone.offline()
    await expect(loadSince({ cids: [asCid(CID)], since: START }, lone.client)).rejects.toMatchObject({
      code: 'network/offline',
    })
  })
})
