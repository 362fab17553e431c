import { expect, test } from 'vitest'
import { asCid } from '#shared/lib/brand.ts'
import { MAX_TYPISTS } from '#shared/rules/channels/typing.ts'
import { aLoneEngine, aWireMessage, aWireUser, at, CID, FakeApi, withChannel } from '#kit/lone-engine.ts'
import { aMemoryFolder } from '#kit/stores.ts'

async function watching() {
  const lone = await aLoneEngine({
    api: withChannel(new FakeApi(), [aWireMessage('m1', 1_000)]),
    folder: aMemoryFolder(),
  })
  await lone.online()
  await lone.engine.handlers.channels.open({ cid: asCid(CID), around: undefined }, lone.client)
  await lone.clock.settle()
  const { db } = lone.engine.stores.cache.reader
  const everything = () =>
    JSON.stringify(['users', 'meta', 'channels', 'members'].map((table) => db.all(`SELECT * FROM ${table}`)))
  return { ...lone, everything }
}

const stranger = (index: number) => aWireUser(`stranger-${index}`)

test('10,000 typing events of 5,000 users write nothing, and a few names are shown', async () => {
  const lone = await watching()
  const before = lone.everything()
  const events = Array.from({ length: 10_000 }, (_none, index) => ({
    type: 'typing.start',
    cid: CID,
    created_at: at(5_000 + index),
    user: stranger(index % 5_000),
  }))
  await lone.hear(...events)
  expect(lone.everything()).toBe(before)
  expect(lone.replica.tables.typing?.[CID]?.people.length).toBe(MAX_TYPISTS)
  await lone.clock.advance(7_000)
  expect(lone.replica.tables.typing?.[CID]).toBeUndefined()
})

test('unknown threads are remembered up to a bound', async () => {
  const lone = await watching()
  const sign = (index: number) => ({ type: 'typing.start', cid: CID, parent_id: `p${index}`, user: stranger(1) })
  await lone.hear(...Array.from({ length: 2_000 }, (_none, index) => sign(index)))
  expect(Object.keys(lone.replica.tables.typing ?? {}).length).toBe(500)
})

test('presence, watchers and the state of assistants write nothing either', async () => {
  const lone = await watching()
  const before = lone.everything()
  const about = { cid: CID, created_at: at(9_000), watcher_count: 7 }
  const ana = (online: boolean) => ({ ...aWireUser('ana'), online, last_active: at(8_000) })
  await lone.hear(
    { ...about, type: 'user.presence.changed', user: ana(false) },
    { ...about, type: 'user.presence.changed', user: stranger(1) },
    { ...about, type: 'user.watching.start', user: stranger(2) },
    { ...about, type: 'user.watching.stop', user: stranger(3) },
    { ...about, type: 'ai_indicator.update', ai_state: 'AI_STATE_THINKING', user: stranger(4) },
  )
  expect(lone.everything()).toBe(before)
  expect(lone.replica.tables.users?.['ana']?.online).toBe(false)
  expect(lone.replica.tables.channels?.[CID]?.watcherCount).toBe(7)
  expect(lone.replica.tables.typing?.[CID]?.assistant).toMatchObject({ name: 'stranger-4', state: 'thinking' })
  await lone.hear({ ...about, type: 'user.presence.changed', created_at: at(9_500), user: ana(true) })
  expect(lone.replica.tables.users?.['ana']?.online).toBe(true)
  await lone.offline()
  expect(lone.replica.tables.users?.['ana']?.online).toBe(false)
})

test('a malformed event is logged with its type and field, and changes nothing', async () => {
  const lone = await watching()
  for (const user of [{}, { id: null }, { id: 5 }, { id: {} }, [], { name: 'x' }]) {
    await lone.hear({ type: 'typing.start', cid: CID, user })
  }
  const odd = lone.log.filter(({ event }) => event === 'odd-event')
  expect(odd.map(({ level, fields }) => [level, fields])).toEqual(
    Array.from({ length: 6 }, () => ['warn', { type: 'typing.start', field: 'user' }]),
  )
  expect(lone.replica.tables.typing?.[CID]).toBeUndefined()
})
