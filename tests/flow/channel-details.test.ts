import { afterAll, beforeAll, expect, test } from 'vitest'
import { asUserId, type Cid } from '#shared/lib/brand.ts'
import { createWorld, type World } from '#kit/world.ts'

let world: World
beforeAll(async () => {
  world = await createWorld({ people: ['alice', 'bob', 'carol'], channels: ['general'] })
})
afterAll(() => world.stop())

const alice = () => world.person('alice')
const bob = () => world.person('bob')
const carol = () => world.person('carol')
async function made(name: string, { isPrivate = false } = {}): Promise<Cid> {
  const cid = await world.done(alice().ui.channels.create({ name, isPrivate, memberIds: [asUserId('bob')] }))
  await world.pass(1_000)
  return cid
}
const code = (work: Promise<unknown>) => world.done(work).catch((error: { code: string }) => error.code)

test('members of a channel: the owner, moderators, invited users, and how far each has read', async () => {
  const cid = await made('Crew')
  await world.done(alice().ui.channels.moderate({ cid, userId: asUserId('bob'), moderator: true }))
  await world.done(alice().ui.channels.invite({ cid, userIds: [asUserId('carol')] }))
  await world.pass(1_000)
  const { entries, ownerId, hasMore } = await world.done(alice().ui.details.members({ cid, offset: 0 }))
  expect(ownerId).toBe('alice')
  expect(hasMore).toBe(false)
  expect(entries.map(({ userId, channelRole, invited }) => [userId, channelRole, invited])).toEqual([
    ['alice', 'channel_member', false],
    ['bob', 'channel_moderator', false],
    ['carol', 'channel_member', true],
  ])
  await world.done(alice().ui.channels.moderate({ cid, userId: asUserId('bob'), moderator: false }))
  await world.pass(1_000)
  const after = await world.done(alice().ui.details.members({ cid }))
  expect(after.entries.find(({ userId }) => userId === 'bob')?.channelRole).toBe('channel_member')
  alice().link.down()
  await world.pass(10_000)
  const known = await world.done(alice().ui.details.members({ cid, offset: 0 }))
  expect(known.entries.length).toBe(3)
  expect(known.hasMore).toBe(false)
  expect(known.unanswered).toBe(true)
  alice().link.up()
  await world.pass(30_000)
})

test('links and polls of a channel are listed in media tabs, newest first, page by page, and are counted', async () => {
  const cid = await made('Media tabs')
  for (const at of [1, 2, 3]) await world.done(alice().ui.messages.send({ cid, text: `see https://a.test/${at}` }))
  await world.done(alice().ui.messages.send({ cid, text: 'nothing to open' }))
  await world.pass(3_000)
  const first = await world.done(alice().ui.details.media({ cid, tab: 'links', limit: 2 }))
  expect(first.messages.map(({ text }) => text)).toEqual(['see https://a.test/3', 'see https://a.test/2'])
  const rest = await world.done(alice().ui.details.media({ cid, tab: 'links', limit: 2, cursor: first.next }))
  expect(rest.messages.map(({ text }) => text)).toEqual(['see https://a.test/1'])
  expect(rest.next).toBeUndefined()
  // The creator of the channel knows that there are no earlier messages.
  const about = await world.done(alice().ui.details.about({ cid }))
  expect(about).toMatchObject({
    createdBy: 'alice',
    mediaTabs: { links: { count: 3, more: false }, media: { count: 0, more: false } },
  })
})

test('a media tab is filtered by user, kind, size and date, offline too', async () => {
  const cid = await made('Narrow tabs')
  const [type, id] = cid.split(':')
  const file = (name: string, bytes: number, kind = 'file') => ({
    type: kind,
    title: name,
    asset_url: `https://files.example/${name}`,
    file_size: bytes,
  })
  const send = async (who: string, ...attachments: readonly object[]) => {
    await world.as(who, 'POST', `/channels/${type}/${id}/message`, { message: { text: '', attachments } })
    await world.pass(60_000)
  }
  await send('alice', file('old.pdf', 5_000_000), file('note.txt', 10))
  const later = world.clock.now()
  for (const at of [1, 2, 3]) await send('bob', file(`small${at}.txt`, 10))
  await send('bob', file('bell.mp3', 2_000_000, 'audio'))
  const titles = async (only: object, limit = 2) => {
    const { messages } = await world.done(alice().ui.details.media({ cid, tab: 'files', only, limit }))
    return messages.flatMap(({ attachments }) => attachments.map(({ title }) => title))
  }
  alice().link.down()
  expect(await titles({ userId: asUserId('alice') })).toEqual(['old.pdf', 'note.txt'])
  expect(await titles({ minBytes: 1_000_000 })).toEqual(['bell.mp3', 'old.pdf', 'note.txt'])
  expect(await titles({ kind: 'audio' })).toEqual(['bell.mp3'])
  expect(await titles({ from: later }, 9)).toEqual(['bell.mp3', 'small3.txt', 'small2.txt', 'small1.txt'])
  expect(await titles({ from: later, kind: 'file', minBytes: 1_000 })).toEqual([])
  alice().link.up()
  await world.pass(30_000)
})

test('a public channel can be found, joined and left without an invitation; a private one cannot be found', async () => {
  const cid = await made('Open door')
  const secret = await made('Closed door', { isPrivate: true })
  const { channels } = await world.done(carol().ui.details.browse({ text: 'door' }))
  expect(channels.map((card) => [card.cid, card.name, card.memberCount])).toEqual([[cid, 'Open door', 2]])
  expect((await world.done(alice().ui.details.browse({ text: 'door' }))).channels.map((card) => card.cid)).toContain(
    secret,
  )
  await world.done(carol().ui.channels.join({ cid }))
  await world.pass(1_000)
  expect(carol().channel(cid)?.name).toBe('Open door')
  expect(carol().channel(cid)?.visiting).toBeUndefined()
  expect(await world.done(carol().ui.details.shared({ userId: asUserId('bob') }))).toContain(cid)
  await world.done(carol().ui.channels.leave({ cid }))
  await world.pass(1_000)
  expect(carol().channel(cid)).toBeUndefined()
})

test('settings of a channel are changed one by one, and the others stay as they are', async () => {
  const cid = await made('Rules')
  await world.done(alice().ui.channels.update({ cid, typingEvents: false }))
  await world.done(alice().ui.channels.update({ cid, sharedLocations: true, cooldown: 30 }))
  await world.pass(1_000)
  const seen = bob().channel(cid)
  expect(seen?.config.typingEvents).toBe(false)
  expect(seen?.config.sharedLocations).toBe(true)
  expect(seen?.cooldown).toBe(30)
  await world.done(alice().ui.channels.update({ cid, frozen: true, cooldown: 0 }))
  await world.pass(1_000)
  expect(bob().channel(cid)?.frozen).toBe(true)
  expect(bob().channel(cid)?.cooldown).toBe(0)
})

test('a mute with an end shows when it ends', async () => {
  const cid = await made('Quiet')
  await world.done(alice().ui.channels.mute({ cid, muted: true, forMs: 3_600_000 }))
  await world.pass(1_000)
  const { muted, mutedUntil } = alice().channel(cid) ?? {}
  expect(muted).toBe(true)
  expect(typeof mutedUntil).toBe('number')
  await world.done(alice().ui.channels.mute({ cid, muted: true }))
  await world.pass(1_000)
  expect(alice().channel(cid)?.muted).toBe(true)
  expect(alice().channel(cid)?.mutedUntil).toBeUndefined()
})

test('history is cleared for everyone; a deleted channel is removed for everyone', async () => {
  const cid = await made('Done with')
  await world.done(alice().ui.messages.send({ cid, text: 'old words' }))
  await world.pass(2_000)
  await world.done(bob().ui.channels.open({ cid }))
  await world.pass(1_000)
  expect(bob().texts(cid)).toContain('old words')
  expect(await code(bob().ui.channels.clearHistory({ cid }))).toBe('server/not-allowed')
  await world.done(alice().ui.channels.clearHistory({ cid }))
  await world.pass(1_000)
  expect(bob().texts(cid)).not.toContain('old words')
  expect(await code(bob().ui.channels.delete({ cid }))).toBe('server/not-allowed')
  await world.done(alice().ui.channels.delete({ cid }))
  await world.pass(1_000)
  expect(alice().channel(cid)).toBeUndefined()
  expect(bob().channel(cid)).toBeUndefined()
  // Navigating back to it in the window's history does not create it again.
  expect(await code(alice().ui.channels.open({ cid }))).toBe('server/not-found')
  await world.pass(1_000)
  expect(alice().channel(cid)).toBeUndefined()
  expect(bob().channel(cid)).toBeUndefined()
})

test('a banned user can read but not write until the ban is lifted; only some roles may ban', async () => {
  const cid = await made('Quiet place')
  const bobs = asUserId('bob')
  const marks = async () => {
    const { entries } = await world.done(alice().ui.details.members({ cid }))
    return entries.filter(({ userId }) => userId === bobs).map(({ banned, shadowBanned }) => [banned, shadowBanned])[0]
  }
  await world.done(bob().ui.messages.send({ cid, text: 'buy this' }))
  await world.pass(2_000)
  expect(await code(bob().ui.moderation.ban({ cid, userId: asUserId('alice') }))).toBe('server/not-allowed')
  expect(await code(bob().ui.moderation.bans({ cid }))).toBe('server/not-allowed')

  await world.done(
    alice().ui.moderation.ban({ cid, userId: bobs, forMs: 3_600_000, reason: ' adverts ', messages: 'soft' }),
  )
  await world.pass(1_000)
  expect(await marks()).toEqual([true, false])
  const { bans, more } = await world.done(alice().ui.moderation.bans({ cid }))
  expect(bans).toMatchObject([
    {
      userId: 'bob',
      byId: 'alice',
      reason: 'adverts',
      shadow: false,
      since: expect.any(Number),
      until: expect.any(Number),
    },
  ])
  expect((bans[0]?.until ?? 0) - (bans[0]?.since ?? 0)).toBe(3_600_000)
  expect(more).toBe(false)
  await world.done(bob().ui.messages.send({ cid, text: 'am I heard?' }))
  await world.pass(2_000)
  expect(
    alice()
      .texts(cid)
      .filter((text) => text === 'am I heard?' || text === 'buy this'),
  ).toEqual([])

  await world.done(alice().ui.moderation.unban({ cid, userId: bobs }))
  await world.pass(1_000)
  expect(await marks()).toEqual([false, false])
  expect((await world.done(alice().ui.moderation.bans({ cid }))).bans).toEqual([])

  await world.done(alice().ui.moderation.ban({ cid, userId: bobs, shadow: true }))
  await world.pass(1_000)
  expect(await marks()).toEqual([false, true])
  expect((await world.done(alice().ui.moderation.bans({ cid, userId: bobs }))).bans[0]).toMatchObject({ shadow: true })
  await world.done(alice().ui.moderation.unban({ cid, userId: bobs }))
  await world.pass(1_000)
  expect(await marks()).toEqual([false, false])

  alice().link.down()
  await world.pass(500)
  expect(await code(alice().ui.moderation.ban({ cid, userId: bobs }))).toBe('network/offline')
  expect(await code(alice().ui.moderation.unban({ cid, userId: bobs }))).toBe('network/offline')
  alice().link.up()
  await world.pass(5_000)
})

test('an invited user is notified with the inviter, and the invitation waits until it is answered', async () => {
  const cid = await made('Guests')
  const { engine } = carol().account
  const invitations: unknown[] = []
  const stop = engine.onCommitted(({ invited }) => invitations.push(...invited))
  await world.done(alice().ui.channels.invite({ cid, userIds: [asUserId('carol')] }))
  await world.pass(1_000)
  stop()
  expect(invitations).toEqual([expect.objectContaining({ cid, name: 'Guests', byId: 'alice', byMuted: false })])
  const waiting = () => engine.invites().some((invite) => invite.cid === cid)
  expect(waiting()).toBe(true)
  await world.done(carol().ui.channels.answerInvite({ cid, accept: false }))
  expect(waiting()).toBe(false)
})

test('users who have a channel open are listed by name, and no one is listed while disconnected', async () => {
  const cid = await made('Open table')
  await world.done(bob().ui.channels.open({ cid }))
  await world.pass(1_000)
  const names = () => world.done(alice().ui.details.here({ cid }))
  expect(await names()).toContain('bob')
  expect(await names()).not.toContain('carol')
  alice().link.down()
  await world.pass(500)
  expect(await names()).toEqual([])
  alice().link.up()
  await world.pass(5_000)
})

test('everyone with an item in a media tab is offered as a filter: from the cache, and from the server for users known only there', async () => {
  const cid = await world.done(
    bob().ui.channels.create({ name: 'Media people', isPrivate: false, memberIds: [asUserId('carol')] }),
  )
  const [type, id] = cid.split(':')
  const send = async (who: string, at: number) => {
    const attachments = [{ type: 'file', title: `${who}${at}.txt`, asset_url: `https://files.example/${who}${at}` }]
    await world.as(who, 'POST', `/channels/${type}/${id}/message`, { message: { text: '', attachments } })
    await world.pass(20)
  }
  await send('carol', 0)
  for (let at = 0; at < 110; at += 1) await send('bob', at)
  await world.done(alice().ui.channels.join({ cid }))
  await world.pass(5_000)
  const people = async (ask: 'cache' | 'server', text = '') =>
    [...(await world.done(alice().ui.details.mediaPeople({ cid, tab: 'files', ask, text })))].toSorted()
  expect(await people('cache')).toEqual(['bob'])
  expect(await people('server', 'bob')).toEqual(['bob'])
  expect(await people('server')).toEqual(['bob', 'carol'])
  alice().link.down()
  expect(await people('server')).toEqual(['bob', 'carol'])
})
