import { afterEach, expect, test } from 'vitest'
import { createWorld, type World } from '#kit/world.ts'
import { asMessageId } from '#shared/lib/brand.ts'

let world: World
afterEach(() => world.stop())

const idOf = (n: number): string => `line-${String(n).padStart(3, '0')}`

/** Alice has read the first message; the others arrived while her app was closed. */
async function afterMissing(count: number) {
  world = await createWorld()
  const [alice, bob] = [world.person('alice'), world.person('bob')]
  const at = `/channels/${world.cid.replace(':', '/')}/message`
  const send = async (n: number) => {
    const mentioned = n === 5 ? { mentioned_users: ['alice'] } : {}
    await world.as('bob', 'POST', at, { message: { id: idOf(n), text: `Line ${n}`, ...mentioned } })
    await world.pass(1_000)
  }
  await alice.open(world.cid)
  await send(0)
  await world.rest()
  await alice.ui.channels.markRead({ cid: world.cid })
  await alice.ui.channels.close({ cid: world.cid })
  await world.rest()
  await world.done(alice.quit())
  for (let n = 1; n <= count; n += 1) await send(n)
  alice.start()
  await world.rest()
  return { alice, bob }
}

test('with 160 missed messages the channel opens at the first one, and an early mention is found from the newest', async () => {
  const { alice } = await afterMissing(160)
  expect(alice.channel(world.cid)).toMatchObject({ unread: 160 })
  expect(await world.done(alice.ui.channels.open({ cid: world.cid, unread: true, visit: 1 }))).toBe(idOf(1))
  await world.rest()
  expect(alice.replica.window(`timeline:${world.cid}`)?.landed).toEqual({ visit: 1, id: idOf(1), unread: 'first' })
  expect(alice.channel(world.cid)).toMatchObject({ unread: 160, firstUnreadId: idOf(1) })

  const from = (n: number, direction: 'older' | 'newer') =>
    world.done(alice.ui.messages.nearestMention({ cid: world.cid, messageId: asMessageId(idOf(n)), direction }))
  expect(await from(160, 'older')).toEqual({ id: idOf(5), isWhole: true })
  expect(await from(5, 'newer')).toEqual({ id: null, isWhole: true })
})
