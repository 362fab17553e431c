import { afterEach, expect, test } from 'vitest'
import { asMessageId, type MessageId } from '#shared/lib/brand.ts'
import { createWorld, type World } from '#kit/world.ts'
import type { Person } from '#kit/sim/person.ts'

let world: World
afterEach(() => world.stop())

const ids = (person: Person) => person.replica.window('threads')?.ids ?? []
const label = (person: Person) =>
  ids(person).map((id) => {
    const parent = person.replica.get('messages', id)
    const reply = parent?.thread?.lastReplyId
    return `${parent?.text}: ${reply === undefined ? '' : person.replica.get('messages', reply)?.text}`
  })
const unread = (person: Person) => person.replica.get('inbox', 'self')?.unreadThreads
const inboxRequests = (person: Person) => person.link.requests.filter((each) => each === 'POST /threads').length

async function send(person: Person, text: string, parentId?: string): Promise<MessageId> {
  const at = parentId === undefined ? {} : { parentId: asMessageId(parentId) }
  const id = await world.done(person.ui.messages.send({ cid: world.cid, text, ...at }))
  await world.pass(1_500)
  return id
}

test('threads the user takes part in are listed, newest first, with their newest reply, and counted', async () => {
  world = await createWorld()
  const [alice, bob] = [world.person('alice'), world.person('bob')]
  const [first, second] = [await send(alice, 'first'), await send(alice, 'second')]
  await send(bob, 'reply 1', first)
  await send(bob, 'reply 2', second)
  await alice.ui.threads.openInbox()
  await world.pass(2_000)
  expect(label(alice)).toEqual(['second: reply 2', 'first: reply 1'])
  expect(unread(alice)).toBe(2)
  await send(bob, 'reply 3', first)
  await world.pass(2_000)
  expect(label(alice)).toEqual(['first: reply 3', 'second: reply 2'])
  const third = await send(alice, 'third')
  await send(bob, 'reply 4', third)
  await world.pass(2_000)
  expect(label(alice)[0]).toBe('third: reply 4')
  expect(unread(alice)).toBe(3)
  await alice.ui.threads.markRead({ cid: world.cid, parentId: third })
  await world.pass(2_000)
  expect(unread(alice)).toBe(2)
})

test('AGR-18 it is requested at most once a second, and not at all while it is not open', async () => {
  world = await createWorld()
  const [alice, bob] = [world.person('alice'), world.person('bob')]
  const root = await send(alice, 'root')
  for (let at = 0; at < 5; at += 1)
    await world.done(bob.ui.messages.send({ cid: world.cid, text: 'r', parentId: root }))
  await world.pass(3_000)
  expect(inboxRequests(alice)).toBe(0)
  await alice.ui.threads.openInbox()
  for (let at = 0; at < 5; at += 1)
    await world.done(bob.ui.messages.send({ cid: world.cid, text: 'r', parentId: root }))
  await world.pass(3_000)
  expect(inboxRequests(alice)).toBeGreaterThanOrEqual(2)
  expect(inboxRequests(alice)).toBeLessThanOrEqual(4)
  await alice.ui.threads.closeInbox()
  const before = inboxRequests(alice)
  await send(bob, 'unseen', root)
  expect(inboxRequests(alice)).toBe(before)
})

test('it opens from the cache offline, is refreshed afterwards, and shows an unsent reply', async () => {
  world = await createWorld()
  const [alice, bob] = [world.person('alice'), world.person('bob')]
  const root = await send(alice, 'root')
  await send(bob, 'one', root)
  await alice.ui.threads.openInbox()
  await world.pass(2_000)
  alice.link.down()
  alice.restart()
  await alice.ui.threads.openInbox()
  await world.pass(2_000)
  expect(label(alice)).toEqual(['root: one'])
  await send(bob, 'two', root)
  await alice.ui.threads.open({ cid: world.cid, parentId: root })
  await alice.ui.messages.send({ cid: world.cid, text: 'mine', parentId: root })
  await world.pass(100)
  expect(alice.replies(root).map(({ text, status }) => `${text} ${status}`)).toEqual(['one received', 'mine queued'])
  alice.link.up()
  await world.rest(60_000)
  expect(label(alice)).toEqual(['root: mine'])
  expect(alice.replies(root).map(({ text }) => text)).toEqual(['one', 'two', 'mine'])
})

test('more than a page is loaded page by page', async () => {
  world = await createWorld()
  const [alice] = [world.person('alice')]
  for (let at = 0; at < 27; at += 1) {
    const path = '/channels/team/general/message'
    await world.as('alice', 'POST', path, { message: { id: `p${at}`, text: `p${at}` } })
    await world.as('alice', 'POST', path, { message: { id: `r${at}`, text: `r${at}`, parent_id: `p${at}` } })
  }
  await world.pass(2_000)
  await alice.ui.threads.openInbox()
  await world.pass(2_000)
  expect(ids(alice).length).toBe(25)
  expect(alice.replica.window('threads')?.hasNext).toBe(true)
  await world.done(alice.ui.threads.pageInbox())
  await world.pass(1_000)
  expect(ids(alice).length).toBe(27)
  expect(new Set(ids(alice)).size).toBe(27)
  expect(alice.replica.window('threads')?.hasNext).toBe(false)
  // A reply in an old thread loads the first page again: pages loaded before stay.
  await send(alice, 'again', asMessageId('p0'))
  await world.pass(3_000)
  expect(ids(alice)[0]).toBe('p0')
  expect(ids(alice).length).toBe(27)
})

const summary = (person: Person, id: MessageId) => person.replica.get('messages', id)?.thread

test('a new reply in the first thread of the list is shown as its newest reply', async () => {
  world = await createWorld()
  const [alice, bob] = [world.person('alice'), world.person('bob')]
  const root = await send(alice, 'root')
  await send(bob, 'one', root)
  await alice.ui.threads.openInbox()
  await world.pass(2_000)
  await send(bob, 'two', root)
  await world.pass(2_000)
  expect(label(alice)).toEqual(['root: two'])
})

test('a thread of others is followed by hand: it is listed, and later replies are unread', async () => {
  world = await createWorld()
  const [alice, bob] = [world.person('alice'), world.person('bob')]
  const root = await send(bob, 'root')
  await send(bob, 'one', root)
  await alice.ui.threads.openInbox()
  await world.pass(2_000)
  expect(label(alice)).toEqual([])
  await alice.ui.threads.follow({ cid: world.cid, parentId: root, follows: true })
  await world.pass(100)
  expect(label(alice)).toEqual(['root: one'])
  expect(unread(alice)).toBe(0)
  expect(summary(alice, root)?.following).toBe(true)
  await send(bob, 'two', root)
  expect(label(alice)).toEqual(['root: two'])
  expect(unread(alice)).toBe(1)
  expect(summary(alice, root)?.unread).toBe(1)
  alice.restart()
  await alice.ui.threads.openInbox()
  await world.pass(2_000)
  expect(label(alice)).toEqual(['root: two'])
  expect(unread(alice)).toBe(1)
})

test('a thread left by hand is never unread, and the count leaves it out', async () => {
  world = await createWorld()
  const [alice, bob] = [world.person('alice'), world.person('bob')]
  const root = await send(alice, 'root')
  await send(bob, 'one', root)
  await alice.ui.threads.openInbox()
  await world.pass(2_000)
  expect(unread(alice)).toBe(1)
  await alice.ui.threads.follow({ cid: world.cid, parentId: root, follows: false })
  await send(bob, 'two', root)
  await world.pass(2_000)
  expect(label(alice)).toEqual(['root: two'])
  expect(unread(alice)).toBe(0)
  expect(summary(alice, root)?.unread).toBe(0)
  await alice.ui.threads.follow({ cid: world.cid, parentId: root, follows: true })
  await world.pass(100)
  expect(unread(alice)).toBe(1)
  expect(summary(alice, root)?.unread).toBe(2)
})

test('a thread is marked unread from a reply on, here and in the count', async () => {
  world = await createWorld()
  const [alice, bob] = [world.person('alice'), world.person('bob')]
  const root = await send(alice, 'root')
  await send(bob, 'one', root)
  const second = await send(bob, 'two', root)
  await alice.ui.threads.openInbox()
  await alice.ui.threads.markRead({ cid: world.cid, parentId: root })
  await world.pass(2_000)
  expect(unread(alice)).toBe(0)
  expect(summary(alice, root)?.unread).toBe(0)
  await world.done(alice.ui.threads.markUnread({ cid: world.cid, parentId: root, messageId: second }))
  await world.pass(2_000)
  expect(unread(alice)).toBe(1)
  expect(summary(alice, root)?.unread).toBe(1)
})

test('a name given to a thread is visible to everyone, and can be removed', async () => {
  world = await createWorld()
  const [alice, bob] = [world.person('alice'), world.person('bob')]
  const root = await send(alice, 'root')
  await send(bob, 'one', root)
  const rename = (person: Person, title: string) =>
    world.done(person.ui.threads.rename({ cid: world.cid, parentId: root, title }))
  for (const person of [alice, bob]) await person.ui.threads.open({ cid: world.cid, parentId: root })
  await rename(alice, ' Plan for May ')
  await world.pass(1_000)
  expect(summary(alice, root)?.title).toBe('Plan for May')
  expect(summary(bob, root)?.title).toBe('Plan for May')
  await expect(rename(bob, 'Mine now')).rejects.toMatchObject({ code: 'server/not-allowed' })
  bob.restart()
  await bob.ui.threads.open({ cid: world.cid, parentId: root })
  await world.pass(1_000)
  expect(summary(bob, root)?.title).toBe('Plan for May')
  await rename(alice, '')
  await world.pass(1_000)
  expect(summary(alice, root)?.title).toBeUndefined()
  expect(summary(bob, root)?.title).toBeUndefined()
})

test('replying in an unread thread marks it read, and it is no longer counted', async () => {
  world = await createWorld()
  const [alice, bob] = [world.person('alice'), world.person('bob')]
  const root = await send(alice, 'root')
  await alice.ui.threads.open({ cid: world.cid, parentId: root })
  await send(bob, 'one', root)
  expect(unread(alice)).toBe(1)
  await send(alice, 'two', root)
  await alice.ui.threads.markRead({ cid: world.cid, parentId: root })
  await alice.ui.threads.markRead({ cid: world.cid, parentId: root })
  await world.pass(5_000)
  const marks = alice.link.requests.filter((each) => each.endsWith('/read')).length
  expect(unread(alice)).toBe(0)
  expect(summary(alice, root)?.unread).toBe(0)
  expect(marks).toBe(1)
})
