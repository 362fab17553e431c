import { expect, test } from 'vitest'
import { asCid, asMessageId } from '#shared/lib/brand.ts'
import { CID, Replica } from '#kit/lone-engine.ts'
import { reading, type Lone } from '#kit/lone-talk.ts'

const cid = asCid(CID)
const first = { client: 'w1' }
const second = { client: 'w2' }
const ASKED = 'message/just-sent'
const nothing = { quotedId: undefined, uploadIds: [], caret: 0, selectedTo: undefined, showInChannel: false }

/** One user with two windows; `w2` is the replica of the second one. */
async function twoWindows() {
  const lone = await reading()
  const w2 = new Replica()
  lone.engine.onCommitted(({ changes }) => {
    const set = changes.get('w2')
    if (set) w2.take(set)
  })
  w2.take(lone.engine.attach('w2', {}))
  const revision = (key: string = CID): number => w2.tables.draftRevisions?.[key] ?? 0
  const text = (key: string = CID): string | undefined => w2.tables.drafts?.[key]?.text
  return { lone, w2, revision, text }
}

type Save = Parameters<Lone['engine']['handlers']['drafts']['save']>[0]

async function save(lone: Lone, text: string, more: Partial<Save> = {}, by = first): Promise<number> {
  const saved = await lone.engine.handlers.drafts.save({ cid, parentId: undefined, ...nothing, text, ...more }, by)
  await lone.clock.settle()
  return saved.revision
}

type Send = Parameters<Lone['engine']['handlers']['messages']['send']>[0]

async function sendFrom(lone: Lone, text: string, more: Partial<Send> = {}, by = first): Promise<string> {
  const message = { ...nothing, cid, text, parentId: undefined, mentionedUserIds: [], files: [], whenReady: false }
  const answer = await Promise.resolve(lone.engine.handlers.messages.send({ ...message, ...more }, by)).then(
    () => 'sent',
    (error: unknown) => (error as { code: string }).code,
  )
  await lone.clock.settle()
  return answer
}

const outcomeOfSend = (lone: Lone, text: string, more: Partial<Send> = {}, by = first) =>
  Promise.resolve()
    .then(() => sendFrom(lone, text, more, by))
    .catch((error: unknown) => (error as { code: string }).code)

test('a change of a draft in one window reaches the other with a rising revision, removal included', async () => {
  const { lone, revision, text } = await twoWindows()
  const seen = [revision()]
  seen.push(await save(lone, 'hel'))
  expect(text()).toBe('hel')
  expect(revision()).toEqual(seen[1])
  seen.push(await save(lone, 'hello'))
  await sendFrom(lone, 'hello')
  expect(text()).toBeUndefined()
  seen.push(revision())
  await save(lone, 'more')
  await lone.engine.handlers.drafts.discard({ key: CID }, first)
  await lone.clock.settle()
  expect(text()).toBeUndefined()
  seen.push(revision())
  expect(seen).toEqual([...new Set(seen)].toSorted((a, b) => a - b))
})

test('only a change of the content raises the revision of a draft', async () => {
  const { lone, revision } = await twoWindows()
  const saved = await save(lone, 'hello')
  await save(lone, 'hello', { caret: 2 })
  expect(revision()).toBe(saved)
})

test('text written without having seen newer text of another window keeps both', async () => {
  const { lone, w2 } = await twoWindows()
  const seen = await save(lone, 'shared')
  await save(lone, 'from one', { basedOn: seen })
  await save(lone, 'from two', { basedOn: seen }, second)
  expect(w2.tables.drafts?.[CID]).toMatchObject({ text: 'from two', conflict: { text: 'from one' } })
})

test('files that another window staged meanwhile stay with the draft', async () => {
  const { lone } = await twoWindows()
  const seen = await save(lone, 'shared')
  await save(lone, 'shared', { basedOn: seen, uploadIds: ['u1'] })
  await save(lone, 'shared and more', { basedOn: seen, uploadIds: ['u2'] }, second)
  const rows = lone.engine.stores.outbox.reader.db.all<{ json: string }>('SELECT json FROM drafts')
  expect(JSON.parse(rows[0]?.json ?? '{}')).toMatchObject({ text: 'shared and more', uploadIds: ['u1', 'u2'] })
})

test('emptying a composer does not remove text that another window wrote since', async () => {
  const { lone, text } = await twoWindows()
  const seen = await save(lone, 'shared')
  await save(lone, 'something else', { basedOn: seen }, second)
  await sendFrom(lone, 'shared', { draftRevision: seen })
  await save(lone, '', { basedOn: seen })
  expect(text()).toBe('something else')
})

test('sending from a window removes its own draft, saved after the revision it knew', async () => {
  const { lone, text } = await twoWindows()
  const seen = await save(lone, 'hel')
  await save(lone, 'hello')
  await sendFrom(lone, 'hello', { draftRevision: seen })
  expect(text()).toBeUndefined()
})

test('an edit that ends in one window ends in the other', async () => {
  const { lone, w2 } = await twoWindows()
  const edit = { messageId: asMessageId('m1'), text: 'changed', original: 'text' }
  await save(lone, 'waiting', { edit })
  expect(w2.tables.drafts?.[CID]?.edit).toEqual(edit)
  await save(lone, 'waiting')
  expect(w2.tables.drafts?.[CID]).not.toMatchObject({ edit: expect.anything() })
  await save(lone, '', { edit })
  await save(lone, '')
  expect(w2.tables.drafts).toEqual({})
})

test('the same text from two windows within seconds needs a confirmation', async () => {
  const { lone } = await twoWindows()
  expect(await outcomeOfSend(lone, 'hello')).toBe('sent')
  expect(await outcomeOfSend(lone, 'hello ', {}, second)).toBe('message/just-sent')
  expect(await outcomeOfSend(lone, 'hello', { again: true }, second)).toBe('sent')
  expect(await outcomeOfSend(lone, 'hello', {}, second)).toBe('sent')
})

test('another text, another place, another quote or ten seconds later is no repetition', async () => {
  const { lone } = await twoWindows()
  await outcomeOfSend(lone, 'hello')
  const parentId = asMessageId('m1')
  expect(await outcomeOfSend(lone, 'hello!', {}, second)).toBe('sent')
  expect(await outcomeOfSend(lone, 'hello', { parentId }, second)).toBe('sent')
  expect(await outcomeOfSend(lone, 'hello', { quotedId: asMessageId('m1') }, second)).toBe('sent')
  expect(await outcomeOfSend(lone, 'hello', { parentId })).toBe('message/just-sent')
  await lone.clock.advance(10_000)
  expect(await outcomeOfSend(lone, 'hello', { parentId })).toBe('sent')
})

test('a poll and a location need a confirmation too', async () => {
  const { lone } = await twoWindows()
  const { polls, locations } = lone.engine.handlers
  const code = async (work: () => unknown): Promise<string> => {
    try {
      await work()
      return 'sent'
    } catch (error) {
      return (error as { code: string }).code
    }
  }
  const poll = {
    cid: asCid('team:elsewhere'),
    name: 'Where?',
    description: '',
    options: ['Here', 'There'],
    enforceUniqueVote: true,
    allowAnswers: false,
    allowSuggestions: false,
    anonymous: false,
  }
  const place = { cid, latitude: 50, longitude: 20, precision: 'exact' as const }
  expect(await code(() => polls.create(poll, first))).toBe('sent')
  expect(await code(() => polls.create(poll, second))).toEqual(ASKED)
  expect(await code(() => polls.create({ ...poll, again: true }, second))).toBe('sent')
  expect(await code(() => locations.share(place, first))).toBe('sent')
  expect(await code(() => locations.share(place, second))).toEqual(ASKED)
  expect(await code(() => locations.share({ ...place, latitude: 51 }, second))).toBe('sent')
  expect(await code(() => locations.share({ ...place, forMs: 3_600_000 }, first))).toBe('sent')
  expect(await code(() => locations.share({ ...place, forMs: 3_600_000 }, second))).toEqual(ASKED)
})
