import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { aLoneEngine, at, aWireChannelState, aWireMessage, aWireUser, CID, FakeApi } from '#kit/lone-engine.ts'
import type { Lone } from '#kit/lone-talk.ts'
import { asCid, asMessageId, type Cid } from '#shared/lib/brand.ts'
import { isDirect, splitCid } from '#shared/rules/channels/channels.ts'
import { countsAsUnread, countsAsUnreadReply } from '#shared/rules/channels/unread.ts'
import * as channels from '#main/cache/channels/channels.ts'
import * as messages from '#main/cache/messages/messages.ts'
import * as mutes from '#main/cache/people/mutes.ts'
import * as reads from '#main/cache/channels/reads.ts'
import { predictRead } from '#shared/rules/messages/predict.ts'

/**
 * Channel, thread and badge counts are recounted here by hand, message by message, from the facts and the rule, after any
 * order of events. What the engine caches for speed must not make a difference.
 */
const DIRECT = 'messaging:!members-abc'
const CIDS = [CID, DIRECT] as const
const PARENT = 'root'

const channelOf = (cid: string) => {
  const { type, id } = splitCid(cid)
  const root = aWireMessage(`${PARENT}-${id.slice(0, 3)}`, 1, { cid })
  // This server has no counts: the cached rows decide, so a recount of them is correct.
  const read = [{ user: aWireUser('me'), last_read: at(-1e5), unread_messages: 0 }]
  const state = aWireChannelState([root], { read })
  return { ...state, channel: { ...(state['channel'] as object), cid, id, type } }
}

function anApi(): FakeApi {
  return new FakeApi()
    .on('QueryChannels', ({ body }) => ({
      channels: (body as { offset?: number }).offset ? [] : CIDS.map(channelOf),
    }))
    .on('GetOrCreateChannel', () => channelOf(CID))
    .on('GetOrCreateDistinctChannel', () => channelOf(DIRECT))
    .on('Sync', () => ({ events: [] }))
    .on('MarkRead', () => ({}))
    .on('GetApp', () => ({ app: { name: 'test' } }))
}

type Op =
  | { readonly kind: 'new'; readonly n: number; readonly by: string; readonly fields: Record<string, unknown> }
  | { readonly kind: 'edit' | 'soft' | 'hard'; readonly n: number }
  | { readonly kind: 'read' | 'unread'; readonly n: number; readonly thread: boolean }
  | { readonly kind: 'mark' | 'truncate' | 'hide' | 'visible' | 'mute-channel' | 'unmute-channel' }
  | { readonly kind: 'mute-ana' | 'unmute-ana' | 'offline-mark' }

const place = fc.constantFrom(...CIDS)
const n = fc.integer({ min: 1, max: 12 })
const anOp: fc.Arbitrary<Op & { readonly cid: string }> = fc
  .tuple(
    place,
    fc.oneof(
      {
        weight: 8,
        arbitrary: fc.record({
          kind: fc.constant('new' as const),
          n,
          by: fc.constantFrom('ana', 'bo', 'me'),
          fields: fc.constantFrom<Record<string, unknown>[]>(
            {},
            {},
            { mentioned_users: [aWireUser('me')] },
            { silent: true },
            { shadowed: true },
            { type: 'system' },
            { reply: true },
            { reply: true, show_in_channel: true },
          ),
        }),
      },
      { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('edit', 'soft', 'hard'), n }) },
      { weight: 3, arbitrary: fc.record({ kind: fc.constantFrom('read', 'unread'), n, thread: fc.boolean() }) },
      {
        weight: 3,
        arbitrary: fc.record({
          kind: fc.constantFrom('mark', 'truncate', 'hide', 'visible', 'mute-channel', 'unmute-channel'),
        }),
      },
      { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('mute-ana', 'unmute-ana', 'offline-mark') }) },
    ),
  )
  .map(([cid, op]) => ({ ...op, cid }))

let clock = 10_000

async function act(lone: Lone, op: Op & { readonly cid: string }): Promise<void> {
  clock += 1_000
  const { cid } = op
  const short = splitCid(cid).id.slice(0, 3)
  const base = { cid, created_at: at(clock), user: aWireUser('ana') }
  const idOf = (number: number) => `m${number}-${short}`
  const me = { ...base, user: aWireUser('me') }
  switch (op.kind) {
    case 'new': {
      const { reply, ...fields } = op.fields
      const parent = reply === true ? { parent_id: `${PARENT}-${short}`, type: 'reply' } : {}
      const message = aWireMessage(idOf(op.n), op.n * 500, { ...fields, ...parent, cid, user: aWireUser(op.by) })
      return lone.hear({ ...base, type: 'message.new', message })
    }
    case 'edit':
      return lone.hear({
        ...base,
        type: 'message.updated',
        message: aWireMessage(idOf(op.n), op.n * 500, { cid, text: 'edited', updated_at: at(clock) }),
      })
    case 'soft':
    case 'hard': {
      const deleted = { cid, type: 'deleted', text: '', deleted_at: at(clock), updated_at: at(clock) }
      const message = aWireMessage(idOf(op.n), op.n * 500, deleted)
      return lone.hear({ ...base, type: 'message.deleted', hard_delete: op.kind === 'hard', message })
    }
    case 'read': {
      const thread = op.thread ? { thread_id: `${PARENT}-${short}` } : {}
      return lone.hear({ ...me, ...thread, type: 'notification.mark_read', last_read_message_id: idOf(op.n) })
    }
    case 'unread': {
      const thread = op.thread ? { thread_id: `${PARENT}-${short}` } : {}
      const first = { first_unread_message_id: idOf(op.n), last_read_at: at(op.n * 500 - 1), unread_messages: 0 }
      return lone.hear({ ...me, ...thread, ...first, type: 'notification.mark_unread' })
    }
    case 'mark':
      await lone.engine.handlers.channels.markRead({ cid: asCid(cid) }, lone.client)
      return lone.clock.settle()
    case 'offline-mark':
      await lone.offline()
      await lone.engine.handlers.channels.markRead({ cid: asCid(cid) }, lone.client)
      return lone.clock.settle()
    case 'truncate':
      return lone.hear({
        ...base,
        type: 'channel.truncated',
        channel: { ...channelOf(cid).channel, truncated_at: at(3_000) },
      })
    case 'hide':
      return lone.hear({ ...me, type: 'channel.hidden', clear_history: true })
    case 'visible':
      return lone.hear({ ...me, type: 'channel.visible' })
    case 'mute-channel':
    case 'unmute-channel': {
      const mute = { channel: { cid }, user: aWireUser('me'), created_at: at(clock), updated_at: at(clock) }
      const channel_mutes = op.kind === 'mute-channel' ? [mute] : []
      const own = { ...aWireUser('me'), channel_mutes, mutes: [] }
      return lone.hear({ created_at: at(clock), type: 'notification.channel_mutes_updated', me: own })
    }
    case 'mute-ana':
    case 'unmute-ana': {
      const mute = { target: aWireUser('ana'), user: aWireUser('me'), created_at: at(clock), updated_at: at(clock) }
      const own = { ...aWireUser('me'), channel_mutes: [], mutes: op.kind === 'mute-ana' ? [mute] : [] }
      return lone.hear({ created_at: at(clock), type: 'notification.mutes_updated', me: own })
    }
  }
}

/** Computed independently: from rows and the rule, without the engine's counts. */
function recount(lone: Lone, cid: Cid, parentId?: string): { readonly unread: number; readonly mentions: number } {
  const { reader } = lone.engine.stores.cache
  const channel = channels.byCid(reader, cid)
  const fact = reads.own(reader, cid, parentId === undefined ? undefined : asMessageId(parentId))
  const intents = lone.engine.stores.outbox.reader.db.all<{ payload: string }>(
    `SELECT payload FROM intents WHERE kind = 'mark-read' AND cid = ?`,
    cid,
  )
  const pending = intents.map(({ payload }) => JSON.parse(payload) as { upTo?: never; readAt: number })
  const asIntents = pending.map((payload) => ({ kind: 'mark-read', state: 'ready', payload }))
  const mark = fact && (parentId === undefined ? predictRead(fact, asIntents as never) : fact)
  if (!mark || !channel) return { unread: 0, mentions: 0 }
  const now = lone.clock.now()
  const muted = mutes.of(reader, 'user').filter((one) => one.expiresAt === undefined || one.expiresAt > now)
  const context = {
    viewerId: 'me',
    lastReadAt: mark.lastReadAt,
    hideBefore: channel.hideBefore,
    mutedUserIds: new Set(muted.map(({ target }) => target)),
  }
  const ids = reader.db.all<{ id: string }>('SELECT id FROM messages WHERE cid = ?', cid).map(({ id }) => id)
  const counted = messages
    .byIds(reader, ids)
    .filter((row) => (parentId === undefined ? countsAsUnread(row, context) : countsInThread(row, parentId, context)))
  return {
    unread: counted.length,
    mentions: counted.filter((row) => row.mentionedUserIds.some((id) => id === 'me')).length,
  }
}

const countsInThread = (
  row: Parameters<typeof countsAsUnreadReply>[0],
  parentId: string,
  context: Parameters<typeof countsAsUnreadReply>[1],
): boolean => row.parentId === parentId && countsAsUnreadReply(row, context)

test('channel, thread and badge equal a recount after any order of events, and the reasons add up', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anOp, { minLength: 1, maxLength: 25 }), async (ops) => {
      const lone = await aLoneEngine({ api: anApi() })
      let badge = { unread: 0, mentions: 0 }
      lone.engine.onCommitted((commit) => (badge = commit.badge))
      await lone.online()
      for (const op of ops) await act(lone, op)
      const { reader } = lone.engine.stores.cache
      const expected = { unread: 0, mentions: 0 }
      for (const cid of CIDS.map(asCid)) {
        const channel = channels.byCid(reader, cid)
        const counted = recount(lone, cid)
        const why = await lone.engine.handlers.channels.whyUnread({ cid }, lone.client)
        const sum = Object.values(why.reasons).reduce((total, count) => total + count, 0)
        expect({ ...why, sum }).toMatchObject({ ...counted, sum: counted.unread, notHeld: 0 })
        const shown = lone.replica.tables.channels?.[cid]
        expect(channel?.hidden === true ? counted.unread : shown?.unread).toBe(counted.unread)
        if (channel?.hidden !== true && !why.muted) {
          expected.unread += counted.unread
          expected.mentions += isDirect(splitCid(cid).id) ? counted.unread : counted.mentions
        }
        const parentId = asMessageId(`${PARENT}-${splitCid(cid).id.slice(0, 3)}`)
        const thread = await lone.engine.handlers.channels.whyUnread({ cid, parentId }, lone.client)
        expect(thread.unread).toBe(recount(lone, cid, parentId).unread)
      }
      expect(badge).toEqual(expected)
      await lone.engine.stop()
    }),
    { numRuns: 60 },
  )
})

test('the explanation names what counts, what does not, and where the mark is', async () => {
  const lone = await aLoneEngine({ api: anApi() })
  await lone.online()
  const receive = (number: number, by: string, fields: Record<string, unknown> = {}) =>
    act(lone, { kind: 'new', n: number, by, fields, cid: CID })
  await act(lone, { kind: 'read', n: 0, thread: false, cid: CID })
  clock += 10_000
  await lone.hear({ ...readUpTo(0), type: 'notification.mark_unread' })
  await receive(1, 'ana')
  await receive(2, 'bo', { mentioned_users: [aWireUser('me')] })
  await receive(3, 'me')
  await receive(4, 'ana', { silent: true })
  await receive(5, 'bo', { reply: true, show_in_channel: true })
  await act(lone, { kind: 'soft', n: 1, cid: CID })
  await act(lone, { kind: 'mute-channel', cid: CID })
  const why = await lone.engine.handlers.channels.whyUnread({ cid: asCid(CID) }, lone.client)
  expect(why).toMatchObject({
    unread: 2,
    mentions: 1,
    reasons: { mention: 1, 'reply-in-channel': 1 },
    leftOut: { deleted: 1, own: 1, silent: 1 },
    markedUnread: true,
    firstUnreadId: 'm2-gen',
    basis: 'held',
    muted: true,
    inBadge: 0,
  })
  await lone.engine.stop()
})

const readUpTo = (ms: number) => ({
  cid: CID,
  created_at: at(clock),
  user: aWireUser('me'),
  last_read_at: at(ms + 10),
  unread_messages: 0,
  first_unread_message_id: 'm1-gen',
})
