import { expect, test, vi } from 'vitest'
import { asCid } from '#shared/lib/brand.ts'
import {
  aLoneEngine,
  aWireChannelState,
  aWireMessage,
  at,
  aWireUser,
  FakeApi,
  type LoneEngine,
} from '#kit/lone-engine.ts'

const HOUR_MS = 3_600_000
const cids = ['team:a', 'team:b'] as const

const stateOf = (cid: string) => {
  const state = aWireChannelState([])
  const id = cid.slice('team:'.length)
  return { ...state, channel: { ...(state['channel'] as object), cid, id } }
}

async function twoChannels(): Promise<LoneEngine> {
  const api = new FakeApi()
    .on('QueryChannels', () => ({ channels: cids.map(stateOf) }))
    .on('Sync', () => ({ events: [] }))
  const lone = await aLoneEngine({ api })
  await lone.online()
  return lone
}

let count = 0
async function arrives(lone: LoneEngine, cid: string): Promise<void> {
  count += 1
  const message = aWireMessage(`badge-${count}`, 1_000 + count, { cid })
  await lone.hear({ type: 'message.new', cid, created_at: at(1_000 + count), user: aWireUser('ana'), message })
}

const muteEvent = (cid: string, ms: number) => ({
  type: 'notification.channel_mutes_updated',
  created_at: at(5_000),
  me: { ...aWireUser('me'), channel_mutes: [{ channel: { cid }, expires: at(ms), created_at: at(0) }] },
})

/** The badge after each commit. */
function badges(lone: LoneEngine): number[] {
  const counts: number[] = []
  lone.engine.onCommitted((commit) => void counts.push(commit.badge.unread))
  return counts
}

test('the badge sums unread messages, and follows channels being hidden, read and left', async () => {
  const lone = await twoChannels()
  const counts = badges(lone)
  for (const cid of [...cids, ...cids]) await arrives(lone, cid)
  expect(counts.at(-1)).toBe(4)
  await lone.hear({ type: 'channel.hidden', cid: cids[0], created_at: at(6_000), clear_history: false })
  expect(counts.at(-1)).toBe(2)
  await lone.engine.handlers.channels.markRead({ cid: asCid(cids[1]) }, lone.client)
  await lone.clock.settle()
  expect(counts.at(-1)).toBe(0)
  await lone.hear({ type: 'channel.visible', cid: cids[0], created_at: at(7_000) })
  expect(counts.at(-1)).toBe(2)
  await lone.hear({ type: 'notification.removed_from_channel', cid: cids[0], created_at: at(8_000) })
  expect(counts.at(-1)).toBe(0)
})

test('a muted channel adds nothing until its mute ends, by the clock alone', async () => {
  const lone = await twoChannels()
  const counts = badges(lone)
  for (const cid of cids) await arrives(lone, cid)
  await lone.hear(muteEvent(cids[0], HOUR_MS))
  expect(counts.at(-1)).toBe(1)
  await lone.clock.advance(HOUR_MS + 1)
  await arrives(lone, cids[1])
  expect(counts.at(-1)).toBe(3)
})

test('windows are told of a message first; what else follows from it does not keep them waiting', async () => {
  const lone = await twoChannels()
  await lone.hear(muteEvent(cids[0], HOUR_MS))
  const told = vi.fn<() => void>()
  lone.engine.onCommitted(told)
  const timers = vi.spyOn(lone.clock, 'after')
  await arrives(lone, cids[1])
  // The end of the mute is looked for again after each commit.
  const looked = timers.mock.calls.findIndex(([ms]) => ms === 60_000)
  expect(told.mock.invocationCallOrder[0]).toBeLessThan(timers.mock.invocationCallOrder[looked] ?? 0)
})
