import { afterAll, beforeAll, expect, test } from 'vitest'
import { asMessageId, asUserId } from '#shared/lib/brand.ts'
import * as channels from '#main/cache/channels/channels.ts'
import * as intents from '#main/cache/outbox/intents.ts'
import * as messages from '#main/cache/messages/messages.ts'
import { createWorld, type World } from '#kit/world.ts'

let world: World
beforeAll(async () => {
  world = await createWorld({ people: ['alice', 'bob', 'carol'], channels: ['general', 'random'] })
})
afterAll(() => world.stop())

const bob = asUserId('bob')
const alice = () => world.person('alice')
const own = async (input: { name: string; memberIds?: readonly string[] }) => {
  const ids = (input.memberIds ?? ['bob']).map(asUserId)
  const { ui } = alice()
  const cid = await world.done(ui.channels.create({ name: input.name, isPrivate: false, memberIds: ids }))
  await world.pass(1_000)
  return cid
}
const code = (work: Promise<unknown>) => world.done(work).catch((error: { code: string }) => error.code)

test('a channel gets a new name and topic on every screen, and its topic can be removed again', async () => {
  const cid = await own({ name: 'Plans' })
  await world.done(alice().ui.channels.update({ cid, name: 'Great plans', topic: 'For the year' }))
  await world.pass(1_000)
  const seen = () =>
    [alice(), world.person('bob')].map((person) => [person.channel(cid)?.name, person.channel(cid)?.topic])
  expect(seen()).toEqual([
    ['Great plans', 'For the year'],
    ['Great plans', 'For the year'],
  ])
  await world.done(alice().ui.channels.update({ cid, topic: '' }))
  await world.pass(1_000)
  expect(seen()).toEqual([
    ['Great plans', undefined],
    ['Great plans', undefined],
  ])
})

test('users are added and removed, and a user who leaves no longer has the channel', async () => {
  const cid = await own({ name: 'Room' })
  await world.done(alice().ui.channels.addMembers({ cid, userIds: [asUserId('carol')] }))
  await world.pass(2_000)
  expect(alice().channel(cid)?.memberCount).toBe(3)
  expect(world.person('carol').channel(cid)?.name).toBe('Room')
  await world.done(alice().ui.channels.removeMembers({ cid, userIds: [asUserId('carol')] }))
  await world.pass(2_000)
  expect(alice().channel(cid)?.memberCount).toBe(2)
  expect(world.person('carol').channel(cid)).toBeUndefined()
  await world.done(world.person('bob').ui.channels.leave({ cid }))
  await world.pass(2_000)
  expect(world.person('bob').channel(cid)).toBeUndefined()
  expect(alice().channel(cid)?.memberCount).toBe(1)
})

test('notes to oneself are created once, are visible to no one else, and can be written offline', async () => {
  const { ui, link } = alice()
  const cid = await world.done(ui.channels.direct({ userIds: [asUserId('alice')] }))
  await world.pass(1_000)
  expect(alice().channel(cid)).toMatchObject({ notes: true, directUserIds: ['alice'], memberCount: 1, name: '' })
  await expect(world.as('bob', 'POST', `/channels/${cid.replace(':', '/')}/query`, {})).rejects.toThrow('ReadChannel')
  link.down()
  await world.pass(1_000)
  expect(await world.done(ui.channels.direct({ userIds: [asUserId('alice')] }))).toBe(cid)
  await ui.channels.open({ cid })
  await ui.messages.send({ cid, text: 'milk' })
  await world.pass(500)
  expect(alice().texts(cid)).toEqual(['milk (queued)'])
  link.up()
  await world.pass(30_000)
  expect(alice().texts(cid)).toEqual(['milk'])
})

test('a channel is created under its creator’s id, and never under an id that is taken', async () => {
  const make = (id: string) =>
    world.done(alice().ui.channels.create({ name: 'Named', id, isPrivate: true, memberIds: [] }))
  expect(await make('my_own-room')).toMatch(/:my_own-room$/)
  await world.pass(1_000)
  const taken = { name: 'Other', id: 'my_own-room', isPrivate: false, memberIds: [] }
  const refused = [
    code(alice().ui.channels.create(taken)),
    code(world.person('bob').ui.channels.create(taken)),
    code(alice().ui.channels.create({ ...taken, id: 'a:b' })),
    code(alice().ui.channels.create({ ...taken, id: '!members-x' })),
  ]
  expect(await Promise.all(refused)).toEqual([
    'channel/id-taken',
    'channel/id-taken',
    'channel/invalid-id',
    'channel/invalid-id',
  ])
})

test('an invitation waits until it is answered', async () => {
  const cid = await own({ name: 'Secret' })
  const carol = world.person('carol')
  await world.done(alice().ui.channels.invite({ cid, userIds: [asUserId('carol')] }))
  await world.pass(1_000)
  const waiting = () => carol.replica.get('inbox', 'self')?.invites.map(({ name }) => name)
  // Received by event, before any request.
  expect(waiting()).toEqual(['Secret'])
  const invites = await world.done(carol.ui.channels.invites())
  expect(invites).toMatchObject([{ cid, name: 'Secret' }])
  await world.done(carol.ui.channels.answerInvite({ cid, accept: true }))
  await world.pass(1_000)
  expect(waiting()).toEqual([])
  expect(await world.done(carol.ui.channels.invites())).toEqual([])
  expect(carol.channel(cid)?.name).toBe('Secret')
})

test('archived and hidden channels leave the list and come back', async () => {
  const cid = await own({ name: 'Old' })
  const listed = () => alice().replica.window('channels')?.ids.includes(cid)
  const seen = [listed()]
  for (const [call, on] of [
    ['archive', true],
    ['archive', false],
    ['hide', true],
    ['hide', false],
  ] as const) {
    const { channels } = alice().ui
    await world.done(call === 'archive' ? channels.archive({ cid, archived: on }) : channels.hide({ cid, hidden: on }))
    await world.pass(1_000)
    seen.push(listed())
  }
  expect(seen).toEqual([true, false, true, false, true])
})

test('a channel that is shown again at once returns to its place, unread from the same message', async () => {
  const cid = await own({ name: 'Hasty' })
  await world.done(alice().ui.channels.pin({ cid, pinned: true }))
  for (const text of ['one', 'two']) await world.done(world.person('bob').ui.messages.send({ cid, text }))
  await world.pass(2_000)
  const listState = () => {
    const { unread, firstUnreadId, pinnedAt } = alice().channel(cid) ?? {}
    return [alice().replica.window('channels')?.ids.indexOf(cid), unread, firstUnreadId, pinnedAt]
  }
  const before = listState()
  expect(before.slice(0, 2)).toEqual([0, 2])
  await world.done(alice().ui.channels.hide({ cid, hidden: true }))
  await world.pass(1_000)
  expect(listState()[0]).toBe(-1)
  await world.done(alice().ui.channels.hide({ cid, hidden: false }))
  await world.pass(2_000)
  expect(listState()).toEqual(before)
})

test('an archived channel comes back when the viewer is mentioned in it, but not for anything else or while it is muted', async () => {
  const cid = await own({ name: 'Media' })
  const listed = () => alice().replica.window('channels')?.ids.includes(cid)
  const send = async (text: string, mentionedUserIds: readonly string[] = []) => {
    const input = { cid, text, mentionedUserIds: mentionedUserIds.map(asUserId) }
    await world.done(world.person('bob').ui.messages.send(input))
    await world.pass(5_000)
    return listed()
  }
  const { archive, mute } = alice().ui.channels
  await world.done(archive({ cid, archived: true }))
  await world.pass(1_000)
  expect(await send('just so')).toBe(false)
  expect(await send('@alice look', ['alice'])).toBe(true)
  await world.done(archive({ cid, archived: true }))
  await world.done(mute({ cid, muted: true }))
  await world.pass(1_000)
  expect(await send('@alice again', ['alice'])).toBe(false)
})

test('a hidden channel is still cached, with its messages, after a disconnection', async () => {
  const cid = await own({ name: 'Quiet' })
  await alice().open(cid)
  const messageId = await world.done(alice().ui.messages.send({ cid, text: 'for later' }))
  await world.pass(1_000)
  await world.done(alice().ui.channels.hide({ cid, hidden: true }))
  await world.pass(1_000)
  alice().link.down()
  await world.pass(5_000)
  alice().link.up()
  await world.pass(30_000)
  const { cache } = alice().account.engine.stores
  expect(channels.byCid(cache.reader, cid)?.hidden).toBe(true)
  expect(messages.byId(cache.reader, messageId)?.text).toBe('for later')
})

test('a channel muted for an hour notifies again afterwards', async () => {
  const cid = await own({ name: 'Loud' })
  await world.done(alice().ui.channels.mute({ cid, muted: true, forMs: 3_600_000 }))
  await world.pass(1_000)
  expect(alice().channel(cid)?.muted).toBe(true)
  await world.done(world.person('bob').ui.messages.send({ cid, text: 'unheard' }))
  await world.pass(3_700_000)
  // By the clock alone: no message was sent at that moment.
  expect(alice().channel(cid)?.muted).toBe(false)
  expect(
    alice()
      .account.engine.notices()
      .filter(({ code: notified }) => notified === 'unread/mute-ended'),
  ).toMatchObject([{ params: { name: 'Loud', count: 1 } }])
  await world.done(world.person('bob').ui.messages.send({ cid, text: 'hello' }))
  await world.pass(2_000)
  expect(alice().channel(cid)).toMatchObject({ muted: false, unread: 2 })
})

test('everything is marked read at once, offline too', async () => {
  const cids = world.cids
  const write = async () => {
    for (const cid of cids) await world.done(world.person('bob').ui.messages.send({ cid, text: 'news' }))
    await world.pass(2_000)
  }
  const counts = () => cids.map((cid) => alice().channel(cid)?.unread)
  await write()
  expect(counts().every((count) => (count ?? 0) > 0)).toBe(true)
  await world.done(alice().ui.channels.markAllRead())
  await world.pass(1_000)
  expect(counts()).toEqual([0, 0])
  await write()
  alice().link.cut()
  await world.pass(200)
  await alice().ui.channels.markAllRead()
  await world.pass(100)
  expect(counts()).toEqual([0, 0])
  await world.rest()
  expect(counts()).toEqual([0, 0])
})

test('muted and blocked users are known as such, now and after the next start', async () => {
  const seen = () => alice().replica.get('users', 'bob')
  await world.done(alice().ui.people.mute({ userId: bob, muted: true }))
  await world.done(alice().ui.people.block({ userId: bob, blocked: true }))
  await world.pass(1_000)
  expect(seen()).toMatchObject({ muted: true, blocked: true })
  alice().restart()
  await world.rest(5_000)
  expect(seen()).toMatchObject({ muted: true, blocked: true })
  await world.done(alice().ui.people.mute({ userId: bob, muted: false }))
  await world.done(alice().ui.people.block({ userId: bob, blocked: false }))
  await world.pass(1_000)
  expect(seen()?.muted).toBeUndefined()
  expect(seen()?.blocked).toBeUndefined()
})

test('users are blocked and unblocked offline: shown at once, stored across a restart, sent later', async () => {
  const blocked = () => alice().replica.get('users', 'bob')?.blocked === true
  const waiting = () => intents.count(alice().account.engine.stores.outbox.reader)
  alice().link.down()
  await world.pass(5_000)
  await alice().ui.people.block({ userId: bob, blocked: true })
  await world.pass(200)
  expect(blocked()).toBe(true)
  expect(waiting()).toBe(1)
  expect((await alice().ui.people.blocked()).map(({ id }) => id)).toEqual(['bob'])
  alice().restart()
  await world.pass(5_000)
  expect(blocked()).toBe(true)
  expect(waiting()).toBe(1)
  await alice().ui.people.block({ userId: bob, blocked: false })
  await world.pass(200)
  // No request was sent yet.
  expect(blocked()).toBe(false)
  expect(waiting()).toBe(0)
  await alice().ui.people.block({ userId: bob, blocked: true })
  alice().link.up()
  await world.rest(30_000)
  expect(blocked()).toBe(true)
  expect(waiting()).toBe(0)
  await world.done(alice().ui.people.block({ userId: bob, blocked: false }))
  await world.rest(5_000)
  expect(blocked()).toBe(false)
  expect(waiting()).toBe(0)
  expect(await alice().ui.people.blocked()).toEqual([])
})

test('a message and a user are reported', async () => {
  const cid = await own({ name: 'Reports' })
  const messageId = await world.done(world.person('bob').ui.messages.send({ cid, text: 'spam' }))
  await world.pass(1_000)
  await alice().open(cid)
  await world.pass(1_000)
  await world.done(alice().ui.messages.flag({ messageId, reason: 'spam' }))
  await world.done(alice().ui.people.flag({ userId: bob }))
  const { n } = world.server.services.db.get<{ n: number }>('SELECT count(*) AS n FROM flags') ?? { n: 0 }
  expect(n).toBe(2)
})

test('an edit removes the attachments that are not listed in it, on every screen', async () => {
  const cid = await own({ name: 'Files' })
  const attachments = ['a', 'b'].map((title) => ({ type: 'link', title, title_link: `https://example.org/${title}` }))
  const path = `/channels/${cid.replace(':', '/')}/message`
  const sent = (await world.as('alice', 'POST', path, { message: { text: 'two', attachments } })) as {
    message: { id: string }
  }
  await alice().open(cid)
  await world.person('bob').open(cid)
  await world.pass(1_000)
  const titles = () =>
    [alice(), world.person('bob')].map((person) =>
      person
        .messages(cid)
        .at(-1)
        ?.attachments.map((each) => each.title),
    )
  expect(titles()).toEqual([
    ['a', 'b'],
    ['a', 'b'],
  ])
  const messageId = asMessageId(sent.message.id)
  await alice().ui.messages.edit({ messageId, text: 'one', keptAttachments: [1] })
  await world.pass(20)
  expect(titles()[0]).toEqual(['b'])
  await world.pass(2_000)
  expect(titles()).toEqual([['b'], ['b']])
})

test('a poll is created, gets options and votes, and is closed for everyone', async () => {
  const cid = await own({ name: 'Votes' })
  const people = [alice(), world.person('bob')]
  for (const person of people) await person.open(cid)
  await world.pass(1_000)
  const messageId = await world.done(
    alice().ui.polls.create({
      cid,
      name: 'Lunch?',
      options: ['Soup', 'Cake'],
      allowAnswers: true,
      allowSuggestions: true,
    }),
  )
  await world.pass(2_000)
  const poll = (at: number) => {
    const { pollId } = people[at]?.messages(cid).at(-1) ?? {}
    return pollId === undefined ? undefined : people[at]?.replica.get('polls', pollId)
  }
  expect(poll(0)?.name).toBe('Lunch?')
  expect(poll(1)?.options.map((option) => option.text)).toEqual(['Soup', 'Cake'])
  const { polls } = world.person('bob').ui
  await world.done(polls.addOption({ messageId, text: 'Salad' }))
  expect(await code(polls.addOption({ messageId, text: 'Salad' }))).toBe('poll/option-exists')
  await world.done(polls.answer({ messageId, text: 'Whatever is warm' }))
  await world.pass(1_000)
  expect(poll(0)?.options.length).toBe(3)
  expect(poll(0)?.answers?.[0]?.text).toBe('Whatever is warm')
  expect(poll(1)?.ownAnswer).toBe('Whatever is warm')
  expect(await world.done(alice().ui.polls.answers({ messageId }))).toMatchObject({
    answers: [{ text: 'Whatever is warm', userId: 'bob' }],
  })
  await world.done(polls.removeAnswer({ messageId }))
  await world.done(alice().ui.polls.close({ messageId }))
  await world.pass(1_000)
  expect(poll(1)?.ownAnswer).toBeUndefined()
  expect(poll(1)?.closed).toBe(true)
  expect(poll(0)?.answersCount).toBe(0)
  expect(await code(polls.answer({ messageId, text: 'late' }))).toBe('poll/closed')
})

test('a live location is shared, moves at most every three seconds, and ends', async () => {
  const cid = world.cid
  const { locations } = alice().ui
  for (const person of [alice(), world.person('bob')]) await person.open(cid)
  await world.pass(1_000)
  const messageId = await world.done(locations.share({ cid, latitude: 0, longitude: 21, forMs: 600_000 }))
  await world.pass(1_000)
  const place = () => world.person('bob').replica.get('messages', messageId)?.location
  expect(place()).toMatchObject({ latitude: 0, longitude: 21 })
  for (const latitude of [1, 2, 3]) await locations.move({ latitude, longitude: 21 })
  await world.pass(1_000)
  expect(place()?.latitude).toBe(1)
  await world.pass(3_000)
  expect(place()?.latitude).toBe(3)
  expect(await world.done(locations.live())).toMatchObject([{ messageId, cid }])
  await world.done(locations.stop({ messageId }))
  await world.pass(1_000)
  expect(await world.done(locations.live())).toEqual([])
  expect(place()?.endAt ?? 0).toBeLessThanOrEqual(world.clock.now())
})

test('the user’s name and status text are on every screen at once, and the status can be cleared', async () => {
  const bobs = world.person('bob')
  await bobs.open(world.cid)
  const seen = () =>
    [alice(), bobs].map((person) => {
      const user = person.replica.get('users', 'alice')
      return [user?.name, user?.statusText]
    })
  await world.done(alice().ui.people.changeProfile({ name: ' Alice Wren ', statusText: 'Back on Monday' }))
  await world.pass(1_000)
  expect(seen()).toEqual([
    ['Alice Wren', 'Back on Monday'],
    ['Alice Wren', 'Back on Monday'],
  ])
  await world.done(alice().ui.people.changeProfile({ statusText: '' }))
  await world.pass(1_000)
  expect(seen()).toEqual([
    ['Alice Wren', undefined],
    ['Alice Wren', undefined],
  ])
})

test('offline, what only the server can decide is refused with a clear message', async () => {
  alice().link.down()
  await world.pass(5_000)
  const { ui } = alice()
  const { cid } = world
  const refusals = [
    ui.channels.leave({ cid }),
    ui.channels.hide({ cid, hidden: true }),
    ui.channels.archive({ cid, archived: true }),
  ]
  const codes = await Promise.all(refusals.map(code))
  expect(new Set(codes)).toEqual(new Set(['network/offline']))
  alice().link.up()
  await world.pass(30_000)
})

test('a message sent without notifying arrives, and is unread for no one', async () => {
  const { cid } = world
  await alice().open(cid)
  const unread = () => world.person('carol').channel(cid)?.unread ?? 0
  const before = unread()
  await alice().ui.messages.send({ cid, text: 'late night idea', silent: true })
  await world.pass(2_000)
  expect(alice().messages(cid).at(-1)?.silent).toBe(true)
  expect(unread()).toEqual(before)
  await alice().ui.messages.send({ cid, text: 'good morning' })
  await world.pass(2_000)
  expect(unread()).toBe(before + 1)
})
