import { expect, test } from 'vitest'
import { aWireMessage, CID, FakeApi, failing, refused, withChannel } from '#kit/lone-engine.ts'
import { reading, send, type Lone } from '#kit/lone-talk.ts'

const notices = (lone: Lone) => lone.engine.notices().map((notice) => notice.code)

test('the figures hold transitions, latencies, the queue and failures by class, and no content', async () => {
  const secret = 'the plans of Ms Secret'
  const api = withChannel(new FakeApi(), [aWireMessage('m-private', 1, { text: secret })]).on('SendMessage', () => {
    throw failing({ kind: 'answer', status: 503, message: `no: ${secret}` }, 'SendMessage')
  })
  const lone = await reading(undefined, api)
  await send(lone, secret)
  await lone.hear({ type: 'message.new', cid: CID, message: { text: secret } })
  await lone.clock.advance(5_000)
  const notified = lone.engine.diagnostics()
  expect(notified.transitions.map((each) => each.state)).toEqual(['healthy'])
  expect(notified.calls.find((each) => each.operation === 'QueryChannels')).toMatchObject({ answered: 1, failed: 0 })
  expect(notified.failures.find((each) => each.name === 'call/server')).toMatchObject({
    lastCode: 'server/unavailable',
  })
  expect(notified.queue).toMatchObject({ byState: { waiting: 1 }, byKind: { 'send-message': 1 } })
  expect(notified.connection).toMatchObject({ state: 'healthy', caughtUp: true, watchedChannels: 1 })
  const text = JSON.stringify(notified)
  for (const word of [secret, 'Secret', 'm-private', 'general', 'ana', 'token']) expect(text).not.toContain(word)
})

test('at most fifty transitions are stored, the newest', async () => {
  const lone = await reading()
  for (let turn = 0; turn < 40; turn += 1) {
    await lone.offline()
    await lone.online()
  }
  const { transitions } = lone.engine.diagnostics()
  expect(transitions.length).toBe(50)
  expect(transitions.at(-1)?.state).toBe('healthy')
})

test('three responses of a sign-in page in a row are reported once, and again after the server responded', async () => {
  const lone = await reading()
  const portal = () => {
    throw failing({ kind: 'foreign-answer', status: 200 }, 'SendMessage')
  }
  lone.api.on('SendMessage', portal)
  await send(lone, 'hello')
  await lone.clock.advance(5_000)
  expect(notices(lone)).not.toContain('network/portal')
  await lone.clock.advance(60_000)
  expect(notices(lone).filter((code) => code === 'network/portal')).toHaveLength(1)
})

test('other failures do not report a sign-in page', async () => {
  const lone = await reading()
  lone.api.on('SendMessage', () => {
    throw refused(403, 17)
  })
  for (const text of ['a', 'b', 'c', 'd']) await send(lone, text)
  await lone.clock.advance(5_000)
  expect(notices(lone).includes('network/portal')).toBe(false)
  expect(lone.engine.diagnostics().failures[0]).toMatchObject({
    name: 'call/forbidden',
    count: 4,
    lastCode: 'server/not-allowed',
  })
})
