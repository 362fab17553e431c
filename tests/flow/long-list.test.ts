import { expect, test } from 'vitest'
import { asCid } from '#shared/lib/brand.ts'
import { pause } from '#main/lib/clock.ts'
import {
  aLoneEngine,
  at,
  aWireChannelState,
  aWireMessage,
  aWireUser,
  CID,
  FakeApi,
  withChannel,
  type ApiCall,
  type LoneEngine,
} from '#kit/lone-engine.ts'
import * as meta from '#main/cache/meta.ts'
import { writeChannelState } from '#main/engine/sync/write.ts'
import { ManualClock } from '#kit/manual-clock.ts'

const PAGE = 30

type ListBody = {
  readonly filter_conditions: {
    readonly created_at?: { readonly $lte?: string; readonly $gte?: string }
    readonly cid?: { readonly $in: readonly string[] }
  }
  readonly offset: number
}

/** Second by second: responses that take no time of the clock arrive in between. */
async function pass(clock: ManualClock, ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= 1_000) await clock.advance(Math.min(left, 1_000))
}

/** Ten created at each moment, so that pages begin and end among channels of the same time. */
const madeAt = (n: number): string => at(-1e9 - Math.floor(n / 10) * 1_000)

/** A server with many channels, which counts no further than to a thousand, as the contract says. */
async function aLongList(channels: number): Promise<LoneEngine & { readonly deleted: Set<string> }> {
  const { channel, members, membership } = aWireChannelState()
  const deleted = new Set<string>()
  const all = Array.from({ length: channels }, (_, n) => {
    const id = n === 0 ? 'general' : `c${n}`
    const time = madeAt(n)
    return {
      channel: { ...(channel as object), id, cid: `team:${id}`, created_at: time, updated_at: time },
      members,
      membership,
      messages: n === 0 ? [aWireMessage('first', 1)] : [],
    }
  })
  const clock = new ManualClock()
  const api = withChannel(new FakeApi()).on('QueryChannels', async ({ body }: ApiCall) => {
    const { filter_conditions: filter, offset } = body as ListBody
    await pause(clock, 20)
    if (offset > 1_000) throw new Error('The contract allows no more')
    const { $lte = '9', $gte = '' } = filter.created_at ?? {}
    const fitting = all.filter(({ channel: { cid, created_at: time } }) =>
      filter.cid ? filter.cid.$in.includes(cid) : time <= $lte && time >= $gte,
    )
    return { channels: fitting.filter((each) => !deleted.has(each.channel.cid)).slice(offset, offset + PAGE) }
  })
  const lone = await aLoneEngine({ api, clock })
  // All of them are cached.
  lone.engine.stores.cache.transaction((tx) => {
    for (const state of all)
      writeChannelState(tx, state, { asOf: clock.now() }, { query: { kind: 'newest' }, requested: PAGE })
    meta.hear(tx, clock.now())
  })
  await lone.online()
  await pass(clock, 1_000)
  await lone.engine.handlers.channels.open({ cid: asCid(CID), around: undefined }, lone.client)
  await pass(clock, 1_000)
  await lone.offline()
  api.calls.length = 0
  return Object.assign(lone, { deleted })
}

test(
  'with ten thousand channels a connection makes 40 requests in its first half minute, first for what is on screen',
  { timeout: 60_000 },
  async () => {
    const lone = await aLongList(10_000)
    await lone.online()
    await pass(lone.clock, 30_000)
    const requested = lone.api.calls.map(({ operation }) => operation)
    expect(requested.length).toBeLessThanOrEqual(40)
    expect(
      requested.filter((operation) => operation === 'GetOrCreateChannel' || operation === 'QueryChannels')[0],
    ).toBe('GetOrCreateChannel')
    expect(requested).toContain('Sync')
    const { caughtUp, watchedChannels } = lone.engine.diagnostics().connection
    expect(caughtUp).toBe(false)
    expect(watchedChannels).toBeGreaterThan(300)
  },
)

test('a long list whose loading is cut off makes no more requests, and continues with the next connection', async () => {
  const lone = await aLongList(1_500)
  lone.deleted.add('team:c1200')
  await lone.online()
  await pass(lone.clock, 60_000)
  await lone.offline()
  const walked = () =>
    lone.api.to('QueryChannels').map(({ body }) => (body as ListBody).filter_conditions.created_at?.$lte ?? '')
  const cutOff = walked().at(-1) ?? ''
  const requested = lone.api.calls.length
  await pass(lone.clock, 600_000)
  expect(cutOff < madeAt(600)).toBe(true)
  expect(lone.api.calls.length).toEqual(requested)
  lone.api.calls.length = 0
  await lone.online()
  await pass(lone.clock, 8_000)
  expect(
    walked()
      .find((time) => time !== '')
      ?.localeCompare(cutOff),
  ).toBeLessThanOrEqual(0)
  await pass(lone.clock, 200_000)
  expect(lone.engine.diagnostics().connection).toMatchObject({ caughtUp: true, watchedChannels: 1_499 })
  const held = lone.replica.windows.get('channels')?.ids
  expect(held?.length).toBe(1_499)
  expect(held?.includes('team:c1200')).toBe(false)
  const synced = lone.api.to('Sync').flatMap(({ body }) => (body as { channel_cids: string[] }).channel_cids)
  expect(new Set(synced).size).toBe(1_500)
})

test('unread messages further down are counted before their page of the list is loaded', async () => {
  const lone = await aLongList(1_500)
  const deep = 'team:c1400'
  await lone.online()
  await pass(lone.clock, 120_000)
  await lone.hear({
    type: 'message.new',
    cid: deep,
    created_at: at(200_000),
    message: { ...aWireMessage('deep', 200_000), cid: deep },
  })
  const unread = () => lone.replica.tables.channels?.[deep]?.unread
  expect(unread()).toBe(1)
  await lone.offline()
  const read = { type: 'notification.mark_read', cid: deep, user: aWireUser('me'), created_at: at(201_000) }
  lone.api.on('Sync', ({ body }) => ({
    events: (body as { channel_cids: string[] }).channel_cids.includes(deep) ? [read] : [],
  }))
  await lone.online()
  await pass(lone.clock, 1_500)
  expect(unread()).toBe(0)
  expect(lone.engine.diagnostics().connection.watchedChannels).toBe(300)
})
