import { expect, test } from 'vitest'
import { aWireChannelState, aWireMessage, CID, refused } from '#kit/lone-engine.ts'
import { reading, send } from '#kit/lone-talk.ts'

test('a refused synchronization rebuilds the history and does not touch unsent messages', async () => {
  const lone = await reading([aWireMessage('old', 1)])
  await lone.offline()
  await lone.clock.advance(10_000)
  await send(lone, 'waiting')
  const fresh = [aWireMessage('new', 5_000)]
  lone.api
    .on('QueryChannels', () => ({ channels: [aWireChannelState(fresh)] }))
    .on('GetOrCreateChannel', () => aWireChannelState(fresh))
    .on('SendMessage', () => {
      throw refused(503, -1)
    })
    .on('Sync', () => {
      throw refused(400, 4, 'too many events')
    })
  await lone.online()
  await lone.clock.advance(200)
  expect(lone.replica.texts(CID)).toEqual(['new', 'waiting (sending)'])
  const synced = lone.api.to('Sync').length
  await lone.offline()
  await lone.online()
  await lone.clock.advance(200)
  expect(synced).toBe(1)
  expect(lone.engine.diagnostics().connection.caughtUp).toBe(true)
})

test('a synchronization that only failed is repeated on the next connection', async () => {
  const lone = await reading([aWireMessage('old', 1)])
  await lone.offline()
  lone.api.on('Sync', () => {
    throw refused(503, -1)
  })
  await lone.online()
  expect(lone.engine.diagnostics().connection.caughtUp).toBe(false)
  expect(lone.replica.texts(CID)).toEqual(['old'])
  lone.api.on('Sync', () => ({ events: [] }))
  await lone.offline()
  await lone.online()
  expect(lone.engine.diagnostics().connection.caughtUp).toBe(true)
})

test('a channel that the server no longer has is removed from the list when it is requested', async () => {
  const lone = await reading([aWireMessage('old', 1)])
  await lone.offline()
  lone.api
    .on('GetOrCreateChannel', () => {
      throw refused(404, 16)
    })
    .on('QueryChannels', () => {
      throw refused(503, -1)
    })
  await lone.online()
  await lone.clock.advance(100)
  expect(lone.replica.windows.get('channels')?.ids).toEqual([])
})
