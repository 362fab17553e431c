import { SignJWT } from 'jose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ManageState } from '#shared/domain/manage/manage.ts'
import type { ReviewAction, ReviewItem } from '#shared/domain/manage/review.ts'
import { asMessageId, asUserId } from '#shared/lib/brand.ts'
import { SIM_KEY, SIM_SECRET, SIM_URL } from '#kit/sim/server.ts'
import { createWorld, type World } from '#kit/world.ts'

let world: World
beforeAll(async () => {
  world = await createWorld({ people: ['ewa', 'jonas', 'bob', 'carol'], channels: ['general'] })
  await setRole('ewa', 'moderator')
  await setRole('jonas', 'admin')
  await world.pass(5_000)
})
afterAll(() => world.stop())

async function setRole(id: string, role: string): Promise<void> {
  const token = await new SignJWT({ server: true })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .sign(new TextEncoder().encode(SIM_SECRET))
  const answer = world.server.request({
    method: 'PATCH',
    url: `${SIM_URL}/users?api_key=${SIM_KEY}`,
    headers: { authorization: token, 'stream-auth-type': 'jwt' },
    body: JSON.stringify({ users: [{ id, set: { role } }] }),
  })
  if (answer.status >= 300) throw new Error(answer.text)
}

const ui = (who: string) => world.person(who).ui
const manage = (who: string): ManageState | undefined => world.person(who).replica.get('manage', 'self')
const decisions = (who: string) => manage(who)?.decisions ?? []

/** A message of bob that carol reports; the id of the message. */
async function reported(text: string, reason = 'spam'): Promise<string> {
  const sent = (await world.as('bob', 'POST', `/channels/${world.cid.replace(':', '/')}/message`, {
    message: { text },
  })) as { message: { id: string } }
  await world.as('carol', 'POST', '/moderation/flag', { target_message_id: sent.message.id, reason })
  await world.pass(1_000)
  return sent.message.id
}

const queue = (who: string, decided = false) => world.done(ui(who).review.list({ decided }))
async function itemOf(who: string, messageId: string, decided = false): Promise<ReviewItem> {
  const found = (await queue(who, decided)).items.find((item) => item.messageId === messageId)
  if (!found) throw new Error('not in the queue')
  return found
}
async function decide(who: string, action: ReviewAction, item: ReviewItem, more: object = {}): Promise<string> {
  const one = { id: item.id, seenAt: item.updatedAt, summary: item.text, cid: item.cid }
  const { ids } = await world.done(ui(who).review.decide({ action, items: [one], ...more }))
  return ids[0] ?? ''
}
const isDeleted = (id: string): boolean => world.stored(world.cid).find((row) => row.id === id)?.deleted === true

test('moderators see a report with its context, and the number that waits follows without asking', async () => {
  const before = manage('ewa')?.waiting ?? 0
  const id = await reported('Buy maps here', 'spam: again')
  expect(manage('ewa')?.waiting).toBe(before + 1)
  expect(manage('carol')).toBeUndefined()
  const item = await itemOf('ewa', id)
  expect(item).toMatchObject({
    subject: 'message',
    authorId: 'bob',
    text: 'Buy maps here',
    state: 'there',
    cid: world.cid,
  })
  expect(item.reports).toMatchObject([{ byId: 'carol', reason: 'spam: again' }])
  const around = await world.done(ui('ewa').review.context({ cid: world.cid, messageId: asMessageId(id) }))
  expect(around.messages.map((message) => message.text)).toContain('Buy maps here')
  const author = await world.done(ui('ewa').review.author({ userId: item.authorId ?? asUserId('bob') }))
  expect(author).toMatchObject({ userId: 'bob', role: 'user', reporters: 1 })
  expect((await world.done(ui('ewa').review.reports({}))).reports).toMatchObject([{ byId: 'carol', messageId: id }])
  await decide('ewa', 'approve', item)
  await world.pass(2_000)
  expect(manage('jonas')?.waiting).toBe(before)
})

test('someone without the right is refused, whatever their window asks', async () => {
  const code = (work: Promise<unknown>) => world.done(work).catch((error: { code: string }) => error.code)
  expect(await code(ui('carol').review.list({}))).toBe('manage/not-allowed')
  expect(await code(ui('carol').review.reports({}))).toBe('manage/not-allowed')
  expect(await code(ui('bob').review.items({ ids: ['x'] }))).toBe('manage/not-allowed')
})

test('a deletion is carried out, told to other moderators, and undone: the item waits again', async () => {
  const id = await reported('Rude')
  const version = manage('jonas')?.changes.review ?? 0
  const decision = await decide('ewa', 'delete', await itemOf('ewa', id))
  await world.pass(2_000)
  expect(isDeleted(id)).toBe(true)
  expect(decisions('ewa')).toEqual([])
  expect(manage('jonas')?.changes.review).toBeGreaterThan(version)
  expect(await itemOf('jonas', id, true)).toMatchObject({ text: 'Rude', decidedById: 'ewa', state: 'deleted' })
  expect(await world.done(ui('ewa').review.undo({ ids: [decision] }))).toEqual({ undone: 1 })
  await world.pass(2_000)
  expect(isDeleted(id)).toBe(false)
  expect(await itemOf('jonas', id)).toMatchObject({ status: 'waiting' })
  await decide('jonas', 'approve', await itemOf('jonas', id))
  await world.pass(2_000)
})

test('a decision without a connection waits in the outbox, across a restart, and can be taken back', async () => {
  const first = await reported('One')
  const second = await reported('Two')
  const [one, two] = [await itemOf('ewa', first), await itemOf('ewa', second)]
  world.person('ewa').link.down()
  await world.pass(1_000)
  await decide('ewa', 'delete', one)
  const taken = await decide('ewa', 'delete', two)
  expect(decisions('ewa')).toMatchObject([
    { itemId: one.id, action: 'delete', state: 'queued' },
    { itemId: two.id, state: 'queued' },
  ])
  expect(await world.done(ui('ewa').review.undo({ ids: [taken] }))).toEqual({ undone: 1 })
  world.person('ewa').crash()
  world.person('ewa').link.up()
  world.person('ewa').start()
  await world.pass(15_000)
  expect(isDeleted(first)).toBe(true)
  expect(isDeleted(second)).toBe(false)
  expect(decisions('ewa')).toEqual([])
  await decide('ewa', 'approve', await itemOf('ewa', second))
  await world.pass(2_000)
})

test('a queued decision comes back with who was first, and the other one holds', async () => {
  const id = await reported('Three')
  const item = await itemOf('ewa', id)
  world.person('ewa').link.down()
  await world.pass(1_000)
  const late = await decide('ewa', 'delete', item)
  await decide('jonas', 'approve', await itemOf('jonas', id))
  await world.pass(2_000)
  world.person('ewa').link.up()
  await world.pass(15_000)
  expect(isDeleted(id)).toBe(false)
  expect(decisions('ewa')).toMatchObject([
    { id: late, state: 'refused', reason: { code: 'review/decided', params: { action: 'approve' } } },
  ])
  expect(String(decisions('ewa')[0]?.reason?.params?.['by'])).toMatch(/jonas/i)
  expect((await itemOf('ewa', id, true)).decidedById).toBe('jonas')
  await world.done(ui('ewa').outbox.discard({ id: late }))
  expect(decisions('ewa')).toEqual([])
})

test('a ban from the queue holds in the channel, is lifted by undo, and needs the right for the whole workspace', async () => {
  const id = await reported('Four')
  const terms = { ban: { scope: 'channel' as const, minutes: 60, reason: 'rude' } }
  const decision = await decide('ewa', 'ban', await itemOf('ewa', id), terms)
  await world.pass(2_000)
  const banned = () =>
    world.as('bob', 'POST', `/channels/${world.cid.replace(':', '/')}/message`, { message: { text: 'x' } })
  await expect(banned()).rejects.toThrow('403')
  await world.done(ui('ewa').review.undo({ ids: [decision] }))
  await world.pass(2_000)
  await expect(banned()).resolves.toBeDefined()
  const everywhere = await decide('ewa', 'ban', await itemOf('ewa', id), { ban: { scope: 'everywhere' } })
  await world.pass(2_000)
  expect(decisions('ewa')).toMatchObject([{ id: everywhere, state: 'refused', reason: { code: 'review/right-taken' } }])
  await world.done(ui('ewa').outbox.discard({ id: everywhere }))
})

test('a right that is taken away in the middle leaves no decision behind unseen', async () => {
  const id = await reported('Five')
  const item = await itemOf('ewa', id)
  world.person('ewa').link.down()
  await world.pass(1_000)
  const queued = await decide('ewa', 'delete', item)
  await setRole('ewa', 'user')
  world.person('ewa').link.up()
  await world.pass(15_000)
  expect(manage('ewa')).toBeUndefined()
  expect(isDeleted(id)).toBe(false)
  const { outbox } = ui('ewa')
  await world.done(outbox.open())
  await world.pass(100)
  expect(world.person('ewa').replica.get('outbox', queued)).toMatchObject({ kind: 'moderate', state: 'parked' })
  await setRole('ewa', 'moderator')
  await world.pass(2_000)
  expect(manage('ewa')?.rights).toContain('review')
  await world.done(outbox.retry({ id: queued }))
  await world.pass(3_000)
  expect(isDeleted(id)).toBe(true)
})

test('reporters see what became of their reports', async () => {
  const id = await reported('Six', 'insult')
  await decide('jonas', 'delete', await itemOf('jonas', id))
  await world.pass(2_000)
  const { reports } = await world.done(ui('carol').review.mine({}))
  expect(reports.find((report) => report.messageId === id)).toMatchObject({ outcome: 'deleted', reason: 'insult' })
  expect((await world.done(ui('bob').review.mine({}))).reports).toEqual([])
})
