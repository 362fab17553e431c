import { expect, test } from 'vitest'
import { asCid } from '#shared/lib/brand.ts'
import { NOTICES } from '#shared/rules/notifications/notices.ts'
import { aWireChannelState, CID, FakeApi, refused, SETTINGS, withChannel } from '#kit/lone-engine.ts'
import { echoing, reading, send, type Lone } from '#kit/lone-talk.ts'

/** The notices that the contract requires, each with its cause. */
const cid = asCid(CID)
const notified = (lone: Lone) => lone.engine.notices().map(({ code, type, severity }) => ({ code, type, severity }))
const no = () => {
  throw refused(500, -1)
}
const never = () => {
  throw refused(403, 17)
}
const sharing = () =>
  echoing(withChannel(new FakeApi(), [])).on('QueryDrafts', no).on('SendMessage', never).on('CreatePoll', never)
const parked = (lone: Lone) =>
  Object.values(lone.replica.tables.outbox ?? {}).flatMap(({ state, summary }) => (state === 'parked' ? [summary] : []))

async function staged(lone: Lone): Promise<string> {
  const { uploads } = lone.engine.handlers
  const { id } = await uploads.begin({ cid, name: 'cat.png', sizeBytes: 3, mimeType: 'image/png' }, lone.client)
  await uploads.chunk({ id, base64: 'Y2F0' }, lone.client)
  await uploads.finish({ id }, lone.client)
  await lone.clock.settle()
  return id
}
const inTray = (lone: Lone, id: string) => {
  const { state, reason } = lone.replica.tables.uploads?.[id] ?? {}
  return [state, reason]
}

test('AGR-62 Error uploading attachment, with the reason', async () => {
  const lone = await reading()
  lone.api.on('UploadChannelImage', () => {
    throw refused(413, 22)
  })
  const id = await staged(lone)
  expect(notified(lone)).toEqual([NOTICES.uploadFailed])
  expect(inTray(lone, id)).toEqual(['failed', 'network'])
  expect(lone.engine.notices()[0]?.params).toEqual({ name: 'cat.png', reason: 'server/payload-too-big', uploadId: id })
})

test('AGR-63 The attachment upload was blocked', async () => {
  const lone = await reading()
  const file = { cid, name: 'cat.png', sizeBytes: 104_857_601, mimeType: 'image/png' }
  await lone.engine.handlers.uploads.begin(file, lone.client)
  expect(notified(lone)).toEqual([NOTICES.uploadBlocked])
})

test('AGR-64 File is required for upload attachment: its copy was removed before it was sent', async () => {
  const lone = await reading()
  await lone.offline()
  const id = await staged(lone)
  lone.files.held.clear()
  await lone.online()
  expect(notified(lone)).toEqual([NOTICES.fileMissing])
  expect(inTray(lone, id)).toEqual(['failed', 'missing'])
})

test('AGR-65 Local upload attachment missing local id: a message or a retry names a missing file', async () => {
  const lone = await reading()
  await expect(send(lone, 'look', { uploadIds: ['nobody'] })).rejects.toMatchObject({ code: 'upload/unknown' })
  expect(() => lone.engine.handlers.uploads.retry({ id: 'nobody' }, lone.client)).toThrow('upload/unknown')
  expect(notified(lone)).toEqual([NOTICES.idMissing, NOTICES.idMissing])
})

test('AGR-66 Failed to get the draft: reported if the server stores drafts, and not if the connection is missing', async () => {
  const lone = await reading([], sharing())
  expect(notified(lone)).toEqual([])
  lone.engine.publish({ settings: { ...SETTINGS, syncDrafts: true } })
  await lone.clock.advance(100)
  expect(notified(lone)).toEqual([NOTICES.draftFailed])
  let fail: (error: Error) => void = () => undefined
  lone.api.on('QueryDrafts', () => new Promise((_resolve, reject) => (fail = reject)))
  lone.engine.publish({ settings: SETTINGS })
  lone.engine.publish({ settings: { ...SETTINGS, syncDrafts: true } })
  await lone.clock.settle()
  await lone.offline()
  fail(refused(500, -1))
  await lone.clock.settle()
  expect(notified(lone)).toHaveLength(1)
})

test('AGR-67 Failed to create the poll', async () => {
  const { channel, ...state } = aWireChannelState() as { channel: { config: object; own_capabilities: string[] } }
  const allowed = { config: { polls: true }, own_capabilities: ['send-message', 'send-poll'] }
  const withPolls = { ...state, channel: { ...channel, ...allowed } }
  const api = sharing()
    .on('QueryChannels', () => ({ channels: [withPolls] }))
    .on('GetOrCreateChannel', () => withPolls)
  const lone = await reading([], api)
  const rules = { enforceUniqueVote: true, allowAnswers: false, allowSuggestions: false, anonymous: false }
  const poll = { cid, name: 'Lunch?', description: '', options: ['Soup'], maxVotes: undefined, ...rules }
  await lone.engine.handlers.polls.create({ ...poll, replaces: undefined }, lone.client)
  await lone.clock.settle()
  expect(notified(lone)).toEqual([NOTICES.pollFailed])
  expect(parked(lone)).toEqual(['Lunch?'])
})

test('AGR-68 Failed to share the location', async () => {
  const lone = await reading([], sharing())
  const place = { cid, latitude: 50, longitude: 20, precision: 'exact', forMs: undefined, replaces: undefined } as const
  await lone.engine.handlers.locations.share(place, lone.client)
  await lone.clock.settle()
  expect(notified(lone)).toEqual([NOTICES.locationFailed])
  expect(parked(lone)).toEqual([''])
})
