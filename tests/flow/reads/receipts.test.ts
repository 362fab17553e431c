import { afterEach, expect, test } from 'vitest'
import { DEFAULT_SETTINGS } from '#shared/domain/settings.ts'
import { sidebarKey } from '#shared/rules/channels/sidebar.ts'
import { createWorld, type World } from '#kit/world.ts'
import type { Person } from '#kit/sim/person.ts'

let world: World
afterEach(() => world.stop())

const reports = (person: Person) => person.link.requests.filter((each) => each === 'POST /channels/delivered').length

/** The newest message the server has recorded as delivered to this user's device. */
const delivered = (userId: string): string | null | undefined =>
  world.server.services.db.get<{ id: string | null }>(
    'SELECT last_delivered_message_id AS id FROM members WHERE cid = ? AND user_id = ?',
    world.cid,
    userId,
  )?.id

/** Every report to the server of what this user read, in any form. */
const readsSent = (person: Person) => person.link.requests.filter((each) => /^POST .*\/(?:un)?read$/.test(each)).length

function traceless(person: Person, cids: readonly string[]): void {
  const session = person.replica.get('session', 'self')
  if (session === undefined) throw new Error('no one is signed in')
  const settings = { ...DEFAULT_SETTINGS, traceless: { [sidebarKey(session)]: cids } }
  person.account.engine.publish({ settings })
}

/** Up to which time this user sees that another has read. */
const seenBy = (person: Person, userId: string): number =>
  person.replica.get('reads', world.cid)?.reads.find((read) => read.userId === userId)?.lastReadAt ?? 0

async function send(text: string): Promise<string> {
  return world.done(world.person('alice').ui.messages.send({ cid: world.cid, text }))
}

test('received messages are confirmed once a second, by the newest', async () => {
  world = await createWorld()
  await world.pass(5_000)
  const before = reports(world.person('bob'))
  let last = ''
  for (const text of ['one', 'two', 'three']) last = await send(text)
  await world.pass(3_000)
  expect(delivered('bob')).toEqual(last)
  expect(delivered('alice')).not.toBe(last)
  expect(reports(world.person('bob')) - before).toBeLessThanOrEqual(2)
})

test('what is read at once is not reported as delivered too', async () => {
  world = await createWorld()
  const bob = world.person('bob')
  await bob.open(world.cid)
  await send('one')
  await world.pass(200)
  await bob.ui.channels.markRead({ cid: world.cid })
  await world.pass(5_000)
  expect(reports(bob)).toBe(0)
})

test('messages sent while the user was away are confirmed after the return', async () => {
  world = await createWorld()
  const bob = world.person('bob')
  bob.link.down()
  const last = await send('one')
  await world.pass(30_000)
  bob.link.up()
  await world.rest(60_000)
  expect(delivered('bob')).toBe(last)
})

test('a failing server is retried with longer pauses', async () => {
  world = await createWorld()
  const bob = world.person('bob')
  await world.pass(5_000)
  bob.link.tamper = {
    answer: (request, answer) =>
      request.url.includes('/channels/delivered') ? { ...answer, status: 503, text: '{}' } : answer,
  }
  await send('one')
  const counts: number[] = []
  for (let minute = 0; minute < 2; minute += 1) {
    await world.pass(60_000)
    counts.push(reports(bob))
  }
  expect(counts[0]).toBeGreaterThan(3)
  expect(counts[0]).toBeLessThanOrEqual(11)
  expect((counts[1] ?? 0) - (counts[0] ?? 0)).toBeLessThanOrEqual(8)
})

test('a user can turn off read and delivery receipts, and turn them on again', async () => {
  world = await createWorld()
  const [alice, bob] = [world.person('alice'), world.person('bob')]
  for (const person of [alice, bob]) await person.open(world.cid)
  const hide = (hidden: boolean) =>
    bob.account.engine.publish({
      settings: { ...DEFAULT_SETTINGS, publishReads: !hidden, publishDelivery: !hidden, publishTyping: !hidden },
    })
  hide(true)
  await world.pass(2_000)
  const seenAt = () => seenBy(alice, 'bob')
  const read = async () => {
    const before = seenAt()
    await send('look')
    await world.pass(2_000)
    await bob.ui.channels.markRead({ cid: world.cid })
    await world.pass(2_000)
    return [bob.channel(world.cid)?.unread, seenAt() > before]
  }
  expect(await read()).toEqual([0, false])
  expect(reports(bob)).toBe(0)
  hide(false)
  await world.pass(2_000)
  expect(await read()).toEqual([0, true])
})

test('a channel read without receipts is read here, also after a restart, and nothing is sent to others or to the server', async () => {
  world = await createWorld()
  const [alice, bob] = [world.person('alice'), world.person('bob')]
  for (const person of [alice, bob]) await person.open(world.cid)
  traceless(bob, [world.cid])
  await send('one')
  const second = await send('two')
  await world.pass(3_000)
  const [readsBefore, seenBefore] = [readsSent(bob), seenBy(alice, 'bob')]
  await bob.ui.channels.markRead({ cid: world.cid })
  await world.pass(3_000)
  expect(bob.channel(world.cid)?.unread).toBe(0)
  expect(readsSent(bob) - readsBefore).toBe(0)
  expect(reports(bob)).toBe(0)
  expect(seenBy(alice, 'bob')).toBe(seenBefore)

  bob.restart()
  await bob.open(world.cid)
  traceless(bob, [world.cid])
  await world.rest()
  expect(bob.channel(world.cid)?.unread).toBe(0)

  // Marked unread again, without reporting that the messages before were read.
  await bob.ui.channels.markUnread({ cid: world.cid, messageId: second })
  await world.rest()
  expect(bob.channel(world.cid)?.unread).toBe(1)
  expect(bob.channel(world.cid)?.firstUnreadId).toEqual(second)
  expect(await bob.ui.channels.markAllRead()).toBe(1)
  await world.rest()
  expect(bob.channel(world.cid)?.unread).toBe(0)
  expect(await bob.ui.channels.undoRead({})).toBe(1)
  await world.rest()
  expect(bob.channel(world.cid)?.unread).toBe(1)
  expect(readsSent(bob) - readsBefore).toBe(0)

  traceless(bob, [])
  await bob.ui.channels.markRead({ cid: world.cid })
  await world.pass(3_000)
  expect(readsSent(bob) - readsBefore).toBe(1)
  expect(seenBy(alice, 'bob')).toBeGreaterThan(seenBefore)
})

test('a thread of such a channel is read the same way, and a mark that waits for a connection is no longer sent', async () => {
  world = await createWorld()
  const [alice, bob] = [world.person('alice'), world.person('bob')]
  for (const person of [alice, bob]) await person.open(world.cid)
  const root = await send('root')
  await world.rest()
  await bob.ui.messages.send({ cid: world.cid, parentId: root, text: 'mine' })
  await world.rest()
  await alice.ui.messages.send({ cid: world.cid, parentId: root, text: 'an answer' })
  await world.pass(3_000)
  expect(bob.replica.get('inbox', 'self')?.unreadThreads).toBe(1)
  const before = readsSent(bob)
  bob.link.down()
  await world.pass(100)
  await bob.ui.channels.markRead({ cid: world.cid })
  traceless(bob, [world.cid])
  await bob.ui.threads.markRead({ cid: world.cid, parentId: root })
  bob.link.up()
  await world.pass(10_000)
  expect(bob.channel(world.cid)?.unread).toBe(0)
  expect(bob.replica.get('inbox', 'self')?.unreadThreads).toBe(0)
  expect(readsSent(bob) - before).toBe(0)
})

test('a user who hides their presence is offline for others even while they write, and is online again at once when they stop hiding', async () => {
  world = await createWorld()
  const [alice, bob] = [world.person('alice'), world.person('bob')]
  for (const person of [alice, bob]) await person.open(world.cid)
  const isSeen = async (publishPresence: boolean) => {
    bob.account.engine.publish({ settings: { ...DEFAULT_SETTINGS, publishPresence } })
    await world.pass(2_000)
    await world.done(bob.ui.messages.send({ cid: world.cid, text: 'hello' }))
    await world.pass(2_000)
    return alice.replica.get('users', 'bob')?.online
  }
  expect(alice.replica.get('users', 'bob')?.online).toBe(true)
  expect(await isSeen(false)).toBe(false)
  expect(await isSeen(true)).toBe(true)
})
