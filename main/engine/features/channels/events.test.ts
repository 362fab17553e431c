import { expect, test } from 'vitest'
import { asCid } from '#shared/lib/brand.ts'
import {
  aLoneEngine,
  at,
  aWireChannelState,
  aWireMessage,
  aWireUser,
  CID,
  FakeApi,
  refused,
  withChannel,
} from '#kit/lone-engine.ts'
import { reading, type Lone } from '#kit/lone-talk.ts'

const OTHER = 'team:other'
const ids = { cid: OTHER, channel_type: 'team', channel_id: 'other' }

const otherState = (messages: readonly Record<string, unknown>[] = [], fields: Record<string, unknown> = {}) => {
  const state = aWireChannelState(messages, fields)
  return { ...state, channel: { ...(state['channel'] as object), cid: OTHER, id: 'other', name: 'Other' } }
}

/** Online with one channel, while the server has another. */
async function besideAnother(messages = [aWireMessage('o1', 10, { cid: OTHER })]): Promise<Lone> {
  const lone = await reading()
  const general = aWireChannelState([aWireMessage('m1', 1)])
  lone.api.on('GetOrCreateChannel', ({ params }) => (params['id'] === 'other' ? otherState(messages) : general))
  return lone
}

const notified = (type: string, ms: number, fields: Record<string, unknown> = {}) => ({
  type,
  ...ids,
  created_at: at(ms),
  user: aWireUser('ana'),
  channel: otherState().channel,
  ...fields,
})

const listed = (lone: Lone) => lone.replica.windows.get('channels')?.ids
const channel = (lone: Lone, cid = OTHER) => lone.replica.tables.channels?.[cid]
const unread = (lone: Lone, cid = OTHER) => channel(lone, cid)?.unread

test('a message in a channel that is not watched adds the channel, watched from then on', async () => {
  const lone = await besideAnother([])
  const message = aWireMessage('o1', 2_000, { cid: OTHER })
  lone.api.on('GetOrCreateChannel', () => otherState([message]))
  await lone.hear(notified('notification.message_new', 2_000, { message }))
  expect(listed(lone)).toEqual([OTHER, CID])
  expect(unread(lone)).toBe(1)
  expect(lone.api.to('GetOrCreateChannel').at(-1)?.body).toMatchObject({ watch: true, state: true })
})

test('a channel that the viewer is added to appears with its messages', async () => {
  const lone = await besideAnother()
  await lone.hear(
    notified('notification.added_to_channel', 2_000, { member: { user_id: 'me', user: aWireUser('me') } }),
  )
  expect(listed(lone)?.includes(OTHER)).toBe(true)
  expect(channel(lone)?.lastMessageAt).toEqual(expect.any(Number))
})

test('a channel disappears when the viewer is removed or it is deleted', async () => {
  for (const type of ['notification.removed_from_channel', 'notification.channel_deleted', 'channel.deleted']) {
    const lone = await besideAnother()
    await lone.hear(notified('notification.added_to_channel', 2_000))
    expect(channel(lone)).toBeDefined()
    await lone.hear(notified(type, 3_000))
    const rows = lone.engine.stores.cache.reader.db.all(`SELECT id FROM messages WHERE cid = '${OTHER}'`)
    expect(listed(lone)).toEqual([CID])
    expect(channel(lone)).toBeUndefined()
    expect(rows).toEqual([])
  }
})

test('a truncation on another device removes the messages', async () => {
  const lone = await besideAnother()
  await lone.hear(notified('notification.added_to_channel', 2_000))
  expect(unread(lone)).toBe(1)
  await lone.hear(notified('notification.channel_truncated', 3_000))
  expect(unread(lone)).toBe(0)
})

test('another device read a channel, then everything, then marked a message unread again', async () => {
  const lone = await besideAnother()
  await lone.hear(notified('notification.added_to_channel', 2_000))
  await lone.hear(notified('notification.mark_read', 3_000, { user: aWireUser('me'), unread_channels: 1 }))
  expect(unread(lone)).toBe(0)
  const before = { last_read_at: at(5), first_unread_message_id: 'o1', unread_messages: 1 }
  await lone.hear(notified('notification.mark_unread', 4_000, { user: aWireUser('me'), ...before }))
  expect(unread(lone)).toBe(1)
  expect(channel(lone)?.firstUnreadId).toBe('o1')
  await lone.hear({ type: 'notification.mark_read', created_at: at(5_000), user: aWireUser('me'), unread_channels: 0 })
  expect(unread(lone)).toBe(0)
})

test('an invitation is reported with inviter and channel, and the channel is not listed before it is accepted', async () => {
  const lone = await besideAnother()
  await lone.hear(notified('notification.invited', 2_000))
  expect(lone.engine.notices()).toMatchObject([{ code: 'channel/invited', params: { by: 'ana', name: 'Other' } }])
  expect(listed(lone)).toEqual([CID])
  await lone.hear(notified('notification.invite_accepted', 3_000, { user: aWireUser('me') }))
  expect(listed(lone)?.includes(OTHER)).toBe(true)
})

test('an invitation in which the server names only the viewer is reported without an inviter', async () => {
  const lone = await besideAnother()
  await lone.hear(notified('notification.invited', 2_000, { user: aWireUser('me') }))
  expect(lone.engine.notices()).toMatchObject([{ code: 'channel/invited-to', params: { name: 'Other' } }])
})

test('an invitation declined on another device removes the channel from the list', async () => {
  const lone = await besideAnother()
  await lone.hear(notified('notification.added_to_channel', 2_000))
  await lone.hear(notified('notification.invite_rejected', 3_000, { user: aWireUser('me') }))
  expect(listed(lone)).toEqual([CID])
})

test('freezing shows at once, and the capabilities are fetched', async () => {
  const lone = await reading()
  const before = lone.api.to('GetOrCreateChannel').length
  lone.api.on('GetOrCreateChannel', () => new Promise(() => undefined))
  await lone.hear({ type: 'channel.frozen', cid: CID, created_at: at(2_000) })
  expect(channel(lone, CID)?.frozen).toBe(true)
  expect(lone.api.to('GetOrCreateChannel').length).toEqual(before + 1)
})

test('after the end of a block the cache is not treated as complete', async () => {
  const lone = await reading()
  const state = aWireChannelState([aWireMessage('m1', 1)])
  const channelOf = (blocked: boolean) => ({ ...(state['channel'] as object), blocked })
  await lone.hear({ type: 'channel.hidden', cid: CID, created_at: at(2_000), channel: channelOf(true) })
  expect(channel(lone, CID)?.hidden).toBe(true)
  expect(channel(lone, CID)?.blocked).toBe(true)
  const written = [aWireMessage('m0', -500), aWireMessage('m1', 1), aWireMessage('m2', 1_500)]
  lone.api.on('GetOrCreateChannel', () => aWireChannelState(written))
  await lone.hear({ type: 'channel.visible', cid: CID, created_at: at(3_000), channel: channelOf(false) })
  expect(channel(lone, CID)?.blocked).toBe(false)
  expect(lone.replica.texts(CID)).toEqual(['m0', 'm1', 'm2'])
})

test('a ban in a channel is stored with the member, and ends', async () => {
  const lone = await reading()
  const roles = () =>
    lone.engine.stores.cache.reader.db.get<object>(`SELECT json ->> 'banned' AS banned FROM members
    WHERE user_id = 'ana'`)
  await lone.hear({ type: 'user.banned', cid: CID, created_at: at(2_000), user: aWireUser('ana') })
  expect(roles()).toEqual({ banned: 1 })
  await lone.hear({ type: 'user.unbanned', cid: CID, created_at: at(3_000), user: aWireUser('ana') })
  expect(roles()).toEqual({ banned: 0 })
})

test('a mute on another device refetches channels that the server counts', async () => {
  const api = withChannel(new FakeApi(), [])
  const counted = (unread_messages: number) => ({
    read: [{ user: aWireUser('me'), last_read: at(-1e5), unread_messages }],
  })
  const page = (length: number) => Array.from({ length }, (_, n) => aWireMessage(`m${n}`, n))
  api.on('QueryChannels', () => ({ channels: [aWireChannelState(page(25), counted(180))] }))
  const lone = await aLoneEngine({ api })
  await lone.online()
  expect(unread(lone, CID)).toBe(180)
  api.on('GetOrCreateChannel', () => aWireChannelState(page(100), counted(110)))
  const me = { ...aWireUser('me'), mutes: [{ target: aWireUser('bo'), created_at: at(1_000) }] }
  await lone.hear({ type: 'notification.mutes_updated', created_at: at(1_000), me })
  expect(unread(lone, CID)).toBe(110)
  await lone.hear({ type: 'notification.mutes_updated', created_at: at(2_000), me })
  expect(lone.api.to('GetOrCreateChannel')).toHaveLength(1)
})

test('changed server settings apply to the next upload', async () => {
  const lone = await reading()
  const rules = { blocked_file_extensions: ['.exe'] }
  await lone.hear({ type: 'app.updated', created_at: at(2_000), app: { file_upload_config: rules } })
  const begun = lone.engine.handlers.uploads.begin(
    {
      cid: asCid(CID),
      name: 'a.exe',
      mimeType: 'application/x-msdownload',
      sizeBytes: 3,
      width: undefined,
      height: undefined,
    },
    lone.client,
  )
  await Promise.resolve(begun).catch(() => undefined)
  await lone.clock.settle()
  expect(lone.engine.notices()).toMatchObject([{ type: 'validation:attachment:upload:blocked' }])
})

test('forty channels made at once are fetched in pages, not one by one, and watched', async () => {
  const lone = await reading()
  const made = Array.from({ length: 40 }, (_, index) => `made-${index}`)
  const channelOf = (id: string) => ({ ...otherState().channel, id, cid: `team:${id}` })
  const pages: string[][] = []
  lone.api.on('QueryChannels', ({ body }) => {
    const { $in: cids = [] } = (body as { filter_conditions: { cid?: { $in: string[] } } }).filter_conditions.cid ?? {}
    pages.push([...cids])
    return { channels: cids.map((cid) => ({ ...otherState(), channel: channelOf(cid.slice('team:'.length)) })) }
  })
  const before = lone.api.to('GetOrCreateChannel').length
  const events = made.map((id, index) => ({
    ...notified('notification.added_to_channel', 2_000 + index),
    cid: `team:${id}`,
    channel_id: id,
    channel: channelOf(id),
  }))
  await lone.hear(...events)
  expect(pages.map((cids) => cids.length)).toEqual([30, 10])
  expect(pages.flat()).toEqual(made.map((id) => `team:${id}`))
  expect(lone.api.to('GetOrCreateChannel')).toHaveLength(before)
  expect(lone.engine.diagnostics().connection).toMatchObject({ watchedChannels: 41 })
})

test('a page of named channels that failed is fetched again', async () => {
  const lone = await reading()
  const events = ['a', 'b', 'c', 'd'].map((id) => ({
    ...notified('notification.added_to_channel', 2_000),
    cid: `team:${id}`,
    channel_id: id,
    channel: { ...otherState().channel, id, cid: `team:${id}` },
  }))
  let asked = 0
  lone.api.on('QueryChannels', () => {
    asked += 1
    if (asked <= 5) throw refused(503, -1)
    return { channels: events.map(({ channel: made }) => ({ ...otherState(), channel: made })) }
  })
  await lone.hear(...events)
  await lone.clock.advance(60_000)
  expect(asked).toBeGreaterThan(5)
  expect(lone.engine.diagnostics().connection).toMatchObject({ watchedChannels: 5 })
})
