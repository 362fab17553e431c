import { expect, test } from 'vitest'
import { at, aWireMessage, aWireChannelState, CID } from '#kit/lone-engine.ts'
import { open, reading } from '#kit/lone-talk.ts'

const odd = (id: string, time: unknown) => aWireMessage(id, 0, { created_at: time, updated_at: time })
const isMarked = (lone: Awaited<ReturnType<typeof reading>>) =>
  lone.replica.messages(`timeline:${CID}`).map(({ id, timeUnsure = false }) => [id, timeUnsure])

test.each(['yesterday', null, '2026-02-30T00:00:00Z', 5, '9999-01-01T00:00:00Z', '0001-01-01T00:00:00Z'])(
  'messages with the time %j keep the order of the server’s page, marked, and without a gap',
  async (time) => {
    const page = [
      odd('first', time),
      aWireMessage('a', 1_000),
      odd('x', time),
      odd('y', time),
      aWireMessage('b', 1_001),
    ]
    const lone = await reading([...page, odd('last', time)])
    const wanted = [
      ['first', true],
      ['a', false],
      ['x', true],
      ['y', true],
      ['b', false],
      ['last', true],
    ]
    expect(isMarked(lone)).toEqual(wanted)
    expect(lone.replica.windows.get(`timeline:${CID}`)?.gapsBefore).toEqual([])
    await lone.hear({
      type: 'message.updated',
      cid: CID,
      created_at: at(5_000),
      message: { ...odd('x', time), text: 'x, edited' },
    })
    expect(isMarked(lone)).toEqual(wanted)
  },
)

test('a live message of the year 9999 is placed where it was received, and later ones below it', async () => {
  const lone = await reading([aWireMessage('a', 1_000)])
  const receive = (message: Record<string, unknown>, ms: number) =>
    lone.hear({ type: 'message.new', cid: CID, created_at: at(ms), message, user: message['user'] })
  await receive(odd('x', '9999-01-01T00:00:00Z'), 2_000)
  await receive(aWireMessage('b', 3_000), 3_000)
  expect(isMarked(lone)).toEqual([
    ['a', false],
    ['x', true],
    ['b', false],
  ])
  expect(lone.replica.windows.get(`timeline:${CID}`)?.gapsBefore).toEqual([])
  // A later copy with a plausible time removes the mark.
  const whole = [aWireMessage('a', 1_000), aWireMessage('x', 1_500), aWireMessage('b', 3_000)]
  lone.api
    .on('GetOrCreateChannel', () => aWireChannelState(whole))
    .on('QueryChannels', () => ({ channels: [aWireChannelState(whole)] }))
  await lone.offline()
  await lone.online()
  await open(lone)
  await lone.clock.advance(200)
  expect(isMarked(lone)).toEqual([
    ['a', false],
    ['x', false],
    ['b', false],
  ])
})

test('an event of the year 9999 does not move the newest server time', async () => {
  const lone = await reading([aWireMessage('a', 1_000)])
  const before = lone.engine.stores.cache.reader.db.all('SELECT * FROM meta')
  const user = { id: 'ana', name: 'Ana' }
  await lone.hear({ type: 'user.updated', created_at: '9999-01-01T00:00:00Z', user })
  expect(lone.engine.stores.cache.reader.db.all('SELECT * FROM meta')).toEqual(before)
})
