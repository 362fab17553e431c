import { expect, test } from 'vitest'
import { AppError } from '#shared/lib/app-error.ts'
import { asCid } from '#shared/lib/brand.ts'
import { createFakeBridge } from '../../tests/kit/fake-bridge/index.ts'
import { createEngineClient } from './client.ts'

const cid = asCid('messaging:general')

test('a call carries the name of its area and its input', async () => {
  const bridge = createFakeBridge()
  await createEngineClient(bridge).channels.mute({ cid, muted: true })
  expect(bridge.calls).toEqual([{ name: 'channels.mute', input: { cid, muted: true } }])
})

test('a refusal is thrown as an AppError with code and params', async () => {
  const bridge = createFakeBridge()
  bridge.on('channels.mute', () => {
    throw Object.assign(new Error('no'), { code: 'server/not-allowed', params: { name: 'x' } })
  })
  const failure: unknown = await createEngineClient(bridge)
    .channels.mute({ cid, muted: true })
    .catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(AppError)
  expect(failure).toMatchObject({ code: 'server/not-allowed', params: { name: 'x' } })
})

test('a lost bridge rejects with its own code', async () => {
  const bridge = { ...createFakeBridge(), call: () => Promise.reject(new Error('socket closed')) }
  await expect(createEngineClient(bridge).session.reconnect()).rejects.toMatchObject({ code: 'bridge/lost' })
})

test('the client can be awaited without being taken for a promise', async () => {
  const engine = createEngineClient(createFakeBridge())
  await expect(Promise.resolve(engine.channels)).resolves.toBe(engine.channels)
})
