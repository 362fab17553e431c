import { expect, test } from 'vitest'
import { asCid } from '#shared/lib/brand.ts'
import { at, aWireChannelState, aWireMessage, CID, FakeApi, withChannel } from '#kit/lone-engine.ts'
import { reading } from '#kit/lone-talk.ts'

const cid = asCid(CID)

/** How often the server hears that a channel was read, where its configuration or the viewer's rights differ. */
async function marksSent(differs: object): Promise<number> {
  const { channel, ...state } = aWireChannelState([aWireMessage('m1', 1)]) as { channel: object }
  const shown = { ...state, channel: { ...channel, ...differs } }
  const api = withChannel(new FakeApi())
    .on('QueryChannels', () => ({ channels: [shown] }))
    .on('GetOrCreateChannel', () => shown)
    .on('MarkRead', () => ({ event: { type: 'message.read', created_at: at(4_000) } }))
  const lone = await reading([], api)
  await lone.engine.handlers.channels.markRead({ cid }, lone.client)
  await lone.clock.advance(5_000)
  return api.to('MarkRead').length
}

test('a channel that was read is told to the server', async () => expect(await marksSent({})).toBe(1))

test.each([
  ['its configuration has no read events', { config: { read_events: false } }],
  ['the viewer has no right to them', { own_capabilities: ['send-message'] }],
])('it is told to nobody where %s', async (_why, differs) => expect(await marksSent(differs)).toBe(0))
