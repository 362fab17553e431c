import { expect, test } from 'vitest'
import { aWireChannelState, aWireMessage, aWireUser, FakeApi, refused, withChannel } from '#kit/lone-engine.ts'
import { reading, send } from '#kit/lone-talk.ts'

test('slow mode delays a message exactly until it ends', async () => {
  const own = aWireMessage('mine', 0, { user: aWireUser('me') })
  const state = aWireChannelState([own])
  const slow = { ...state, channel: { ...(state['channel'] as object), cooldown: 30 } }
  const api = withChannel(new FakeApi(), [own])
    .on('QueryChannels', () => ({ channels: [slow] }))
    .on('GetOrCreateChannel', () => slow)
    .on('SendMessage', () => {
      throw refused(403, 60)
    })
  const lone = await reading([own], api)
  await lone.clock.advance(10_000)
  await send(lone, 'too early')
  expect(lone.api.to('SendMessage')).toHaveLength(1)
  await lone.clock.advance(19_000)
  expect(lone.api.to('SendMessage')).toHaveLength(1)
  await lone.clock.advance(2_000)
  expect(lone.api.to('SendMessage')).toHaveLength(2)
})
