import { afterEach, expect, test } from 'vitest'
import type { Draft } from '#shared/domain/draft.ts'
import { asMessageId } from '#shared/lib/brand.ts'
import { DEFAULT_SETTINGS } from '#shared/domain/settings.ts'
import { createWorld, type World } from '#kit/world.ts'
import type { Person } from '#kit/sim/person.ts'

let world: World
afterEach(() => world.stop())

const PATH = '/channels/team/general/draft'
const syncing = { ...DEFAULT_SETTINGS, syncDrafts: true }

async function begin(): Promise<Person> {
  world = await createWorld({ people: ['alice'] })
  const alice = world.person('alice')
  alice.account.engine.publish({ settings: syncing })
  await world.pass(1_000)
  return alice
}

const draftOf = (person: Person): Draft | undefined => person.replica.get('drafts', world.cid)
const type = (person: Person, text: string) => person.ui.drafts.save({ cid: world.cid, text })

/** The draft that another device of the same user would load. */
async function stored(): Promise<string | undefined> {
  const answer = (await world.as('alice', 'GET', PATH).catch(() => undefined)) as
    | { draft: { message: { text: string } } }
    | undefined
  return answer?.draft.message.text
}
const elsewhere = (text: string) => world.as('alice', 'POST', PATH, { message: { id: `other-${text}`, text } })

const requests = (person: Person) => person.link.requests.filter((each) => each === `POST ${PATH}`).length

test('drafts stay on this device unless the user chooses otherwise', async () => {
  world = await createWorld({ people: ['alice'] })
  await type(world.person('alice'), 'private')
  await world.pass(10_000)
  expect(await stored()).toBeUndefined()
})

test('a text longer than any message is stored as a draft like others, and only on this device', async () => {
  const alice = await begin()
  const text = 'ż'.repeat(200_000)
  await type(alice, text)
  await world.pass(10_000)
  expect(draftOf(alice)?.text.length).toEqual(text.length)
  expect(requests(alice)).toBe(0)
})

test('typed text reaches the server at most once in two seconds, with the newest text last', async () => {
  const alice = await begin()
  const typed = 'a longer sentence'
  for (let length = 1; length <= typed.length; length += 1) {
    await type(alice, typed.slice(0, length))
    await world.pass(400)
  }
  await world.pass(5_000)
  expect(await stored()).toBe(typed)
  expect(draftOf(alice)?.text).toBe(typed)
  expect(requests(alice)).toBeLessThanOrEqual(5)
})

test('a message that is sent or emptied removes its draft from the server', async () => {
  const alice = await begin()
  await type(alice, 'nearly')
  await world.pass(5_000)
  await alice.ui.messages.send({ cid: world.cid, text: 'done' })
  await world.pass(2_000)
  expect(await stored()).toBeUndefined()
  expect(draftOf(alice)).toBeUndefined()
})

test('a draft from another device appears, changes and disappears', async () => {
  const alice = await begin()
  await elsewhere('from afar')
  await world.pass(1_000)
  const seen = [draftOf(alice)?.text]
  await elsewhere('from afar, more')
  await world.pass(1_000)
  seen.push(draftOf(alice)?.text)
  await world.as('alice', 'DELETE', PATH)
  await world.pass(1_000)
  expect([...seen, draftOf(alice)]).toEqual(['from afar', 'from afar, more', undefined])
})

test('a text replaced by a newer one is preserved, through sending, until it is dismissed', async () => {
  const alice = await begin()
  alice.link.down()
  await type(alice, 'written on the train')
  await world.pass(10_000)
  await elsewhere('written at home')
  alice.link.up()
  await world.rest(60_000)
  expect(draftOf(alice)).toMatchObject({ text: 'written at home', conflict: { text: 'written on the train' } })
  await alice.ui.messages.send({ cid: world.cid, text: 'written at home' })
  await world.pass(2_000)
  expect(draftOf(alice)).toMatchObject({ text: '', conflict: { text: 'written on the train' } })
  expect(await stored()).toBeUndefined()
  await alice.ui.drafts.dismissConflict({ key: world.cid })
  await world.pass(100)
  expect(draftOf(alice)).toBeUndefined()
})

test('a newer text of this device wins over an older one of another', async () => {
  const alice = await begin()
  alice.link.down()
  await elsewhere('older')
  await world.pass(5_000)
  await type(alice, 'newer')
  await world.pass(5_000)
  alice.link.up()
  await world.rest(60_000)
  expect(draftOf(alice)?.text).toBe('newer')
  expect(draftOf(alice)?.conflict).toBeUndefined()
  expect(await stored()).toBe('newer')
})

test('after a restart, the device’s own draft is not mistaken for one of another device', async () => {
  const alice = await begin()
  await type(alice, 'first')
  await world.pass(5_000)
  await type(alice, 'first and more')
  await world.pass(100)
  alice.restart()
  alice.account.engine.publish({ settings: syncing })
  await world.rest(30_000)
  expect(draftOf(alice)?.text).toBe('first and more')
  expect(draftOf(alice)?.conflict).toBeUndefined()
  expect(await stored()).toBe('first and more')
})

test('a thread has its own draft', async () => {
  const alice = await begin()
  const parentId = await world.done(alice.ui.messages.send({ cid: world.cid, text: 'root' }))
  await world.pass(1_000)
  await alice.ui.drafts.save({ cid: world.cid, parentId: asMessageId(parentId), text: 'in the thread' })
  await world.pass(5_000)
  const answer = (await world.as('alice', 'POST', '/drafts/query', {})) as { drafts: { parent_id?: string }[] }
  expect(answer.drafts.map((draft) => draft.parent_id)).toEqual([parentId])
})

const versions = async (person: Person) => (await person.ui.drafts.history({ key: world.cid })).map(({ text }) => text)

test('replaced or discarded texts survive a crash, and are removed when the user asks', async () => {
  const alice = await begin()
  await type(alice, 'Buy forty tents')
  await type(alice, 'Buy forty tents and a stove')
  await type(alice, 'Never mind all of that, thank you')
  await alice.ui.drafts.discard({ key: world.cid })
  alice.crash()
  alice.start()
  expect(await versions(alice)).toEqual(['Never mind all of that, thank you', 'Buy forty tents and a stove'])
  await alice.ui.drafts.forgetHistory()
  expect(await versions(alice)).toEqual([])
})

test('sent texts leave the history, with their earlier versions', async () => {
  const alice = await begin()
  await type(alice, 'A thought that went nowhere at all')
  await type(alice, 'Lunch')
  await type(alice, 'Lunch at noon?')
  await alice.ui.messages.send({ cid: world.cid, text: 'Lunch at noon?' })
  expect(await versions(alice)).toEqual(['A thought that went nowhere at all'])
})

test('an edit in progress survives a crash beside the draft behind it, and its text is in the history', async () => {
  const alice = await begin()
  const edit = { messageId: asMessageId('m1'), original: 'old words', text: 'new words, nearly done' }
  await alice.ui.drafts.save({ cid: world.cid, text: 'waiting', edit })
  alice.crash()
  alice.start()
  expect(draftOf(alice)).toMatchObject({ text: 'waiting', edit })
  await alice.ui.messages.send({ cid: world.cid, text: 'from another window' })
  await world.pass(100)
  expect(draftOf(alice)).toMatchObject({ text: '', edit })
  expect(await versions(alice)).toContain('new words, nearly done')
})

test('a discarded draft can be restored with its files for ten minutes', async () => {
  const alice = await begin()
  const staged = async (): Promise<string> => {
    const { id } = await alice.ui.uploads.begin({ cid: world.cid, name: 'a.txt', sizeBytes: 2, mimeType: 'text/plain' })
    await alice.ui.uploads.chunk({ id, base64: 'YWI=' })
    await world.done(alice.ui.uploads.finish({ id }))
    return id
  }
  const uploadId = await staged()
  await alice.ui.drafts.save({ cid: world.cid, text: 'see', uploadIds: [uploadId] })
  await alice.ui.drafts.discard({ key: world.cid })
  await alice.ui.drafts.save({ cid: world.cid, text: 'see', uploadIds: [uploadId] })
  await world.pass(11 * 60_000)
  expect(draftOf(alice)?.uploads.map(({ id }) => id)).toEqual([uploadId])
  await alice.ui.drafts.discard({ key: world.cid })
  await world.pass(11 * 60_000)
  await alice.ui.drafts.save({ cid: world.cid, text: 'see', uploadIds: [uploadId] })
  await world.pass(1_000)
  expect(draftOf(alice)?.uploads).toEqual([])
})
