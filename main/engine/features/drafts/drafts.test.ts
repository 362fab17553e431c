import { expect, test } from 'vitest'
import { NEW_POLL } from '#shared/domain/draft.ts'
import { asCid, asMessageId } from '#shared/lib/brand.ts'
import { EMPTY_POLL_FORM } from '#shared/rules/polls/poll-form.ts'
import { aLoneEngine, at, aWireMessage, CID, FakeApi, withChannel } from '#kit/lone-engine.ts'
import { reading, send } from '#kit/lone-talk.ts'

const draft = {
  cid: asCid(CID),
  parentId: undefined,
  text: 'hal',
  quotedId: undefined,
  uploadIds: [],
  caret: 3,
  selectedTo: undefined,
  showInChannel: false,
}

test('drafts are stored on disk and removed when they are sent', async () => {
  const lone = await reading()
  await lone.engine.handlers.drafts.save(draft, lone.client)
  await lone.clock.settle()
  expect(lone.replica.tables.drafts?.[CID]?.text).toBe('hal')
  expect(lone.replica.tables.channels?.[CID]?.hasDraft).toBe(true)
  await send(lone, 'hallo')
  expect(lone.replica.tables.drafts).toEqual({})
  expect(lone.replica.tables.channels?.[CID]?.hasDraft).toBe(false)
})

test('an unfinished poll stays with the draft of its channel, whatever happens to the text', async () => {
  const lone = await reading()
  const { drafts } = lone.engine.handlers
  const cid = asCid(CID)
  const form = { ...EMPTY_POLL_FORM, name: 'Where?', options: [{ id: 0, text: 'Here' }] }
  await drafts.savePoll({ cid, of: NEW_POLL, form }, lone.client)
  await drafts.save(draft, lone.client)
  await send(lone, 'hallo')
  expect(lone.replica.tables.drafts?.[CID]).toMatchObject({ text: '', polls: { [NEW_POLL]: { name: 'Where?' } } })
  await drafts.savePoll({ cid, of: NEW_POLL, form: undefined }, lone.client)
  await lone.clock.settle()
  expect(lone.replica.tables.drafts).toEqual({})
})

test('a forwarded message and a reply from a notification do not change the draft', async () => {
  const lone = await reading()
  await lone.engine.handlers.drafts.save(draft, lone.client)
  await send(lone, 'passed on', { keepsDraft: true })
  expect(lone.replica.tables.drafts?.[CID]?.text).toBe('hal')
})

test('text that could not be sent is appended to the draft, or creates one', async () => {
  const lone = await reading()
  const add = (text: string) => lone.engine.handlers.drafts.add({ cid: asCid(CID), text }, lone.client)
  await add('On it')
  await add('Tomorrow')
  await lone.clock.settle()
  expect(lone.replica.tables.drafts?.[CID]?.text).toBe('On it\n\nTomorrow')
})

test('a canceled message keeps the unfinished edit in the same composer', async () => {
  const lone = await reading()
  await lone.offline()
  const id = await send(lone, 'wait')
  const edit = { messageId: asMessageId('m1'), text: 'changed', original: 'text' }
  await lone.engine.handlers.drafts.save({ ...draft, edit }, lone.client)
  await lone.engine.handlers.outbox.takeBack({ id }, lone.client)
  await lone.clock.settle()
  expect(lone.replica.tables.drafts?.[CID]).toMatchObject({ text: 'wait\n\nhal', edit })
})

test('an endless list of drafts removes none, a complete one does', async () => {
  const stored = { channel_cid: CID, created_at: at(5), message: { id: 'd1', text: 'not sent yet' } }
  const api = withChannel(new FakeApi()).on('QueryDrafts', () => ({ drafts: [stored] }))
  const lone = await aLoneEngine({ api, settings: { syncDrafts: true } })
  const again = async (answer: object): Promise<string[]> => {
    api.on('QueryDrafts', () => answer)
    await lone.offline()
    await lone.clock.advance(60_000)
    await lone.online()
    await lone.clock.advance(60_000)
    return Object.values(lone.replica.tables.drafts ?? {}).map(({ text }) => text)
  }
  expect(await again({ drafts: [stored], next: '' })).toEqual(['not sent yet'])
  // the server's clock continues
  await lone.hear({ type: 'message.new', cid: CID, created_at: at(9), message: aWireMessage('m1', 9) })
  expect(await again({ drafts: [], next: 'on' })).toEqual(['not sent yet'])
  expect(await again({ drafts: [], next: null })).toEqual([])
})
