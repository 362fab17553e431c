import { describe, expect, test } from 'vitest'
import { asCid, type MessageId } from '#shared/lib/brand.ts'
import { aLoneEngine, type ApiCall, CID, FakeApi, failing, refused, withChannel } from '#kit/lone-engine.ts'
import { echoing, reading, send, type Lone } from '#kit/lone-talk.ts'

const cid = asCid(CID)

describe('files', () => {
  const announce = { cid, name: 'cat.png', sizeBytes: 3, mimeType: 'image/png', width: 1, height: 1 }

  async function staged(lone: Lone): Promise<string> {
    const { id } = await lone.engine.handlers.uploads.begin(announce, lone.client)
    await lone.engine.handlers.uploads.chunk({ id, base64: Buffer.from('cat').toString('base64') }, lone.client)
    await lone.engine.handlers.uploads.finish({ id }, lone.client)
    await lone.clock.settle()
    return id
  }

  test('a message waits for its files and is sent with their addresses', async () => {
    const lone = await reading()
    await lone.offline()
    const id = await staged(lone)
    await send(lone, 'look', { uploadIds: [id] })
    expect(
      lone.replica
        .messages(`timeline:${CID}`)
        .at(-1)
        ?.uploads.map(({ state }) => state),
    ).toEqual(['pending'])
    lone.api.on('UploadChannelImage', () => ({ file: 'https://files.test/cat.png' }))
    await lone.online()
    await lone.clock.advance(5_000)
    const sent = lone.api.to('SendMessage')[0]?.body as { message: { attachments: { image_url: string }[] } }
    expect(sent.message.attachments.map((each) => each.image_url)).toEqual(['https://files.test/cat.png'])
    expect(lone.files.held.size).toBe(0)
    expect(lone.replica.tables.uploads).toEqual({})
  })

  /** An upload without a response ends when it is aborted. */
  const unanswered = ({ signal }: ApiCall): Promise<never> =>
    new Promise((_resolve, reject) => {
      const aborted = failing({ kind: 'transport', transport: 'aborted', sent: true })
      signal?.addEventListener('abort', () => reject(aborted))
    })

  test('a running upload is aborted when the connection is lost, and repeated on the next', async () => {
    const lone = await reading()
    lone.api.on('UploadChannelImage', unanswered)
    await send(lone, 'look', { uploadIds: [await staged(lone)], whenReady: true })
    const [first] = lone.api.to('UploadChannelImage')
    expect(first?.signal?.aborted).toBe(false)
    await lone.offline()
    expect(first?.signal?.aborted).toBe(true)
    lone.api.on('UploadChannelImage', () => ({ file: 'https://files.test/cat.png' }))
    await lone.online()
    await lone.clock.advance(1_000)
    expect(lone.api.to('SendMessage')).toHaveLength(1)
  })

  test.each([
    ['the file', (lone: Lone, id: string) => lone.engine.handlers.uploads.retry({ id }, lone.client)],
    ['the session', (lone: Lone) => lone.engine.reconnectNow()],
    [
      'the outbox',
      (lone: Lone, uploadId: string) => {
        const row = Object.values(lone.replica.tables.outbox ?? {}).find(({ kind }) => kind === 'upload')
        return lone.engine.handlers.outbox.retry({ id: row?.id ?? uploadId }, lone.client)
      },
    ],
  ])('"Try again" of %s begins an upload again, which hangs', async (_of, again) => {
    const lone = await reading()
    lone.api.on('UploadChannelImage', unanswered)
    const id = await staged(lone)
    await send(lone, 'look', { uploadIds: [id], whenReady: true })
    lone.api.on('UploadChannelImage', () => ({ file: 'https://files.test/cat.png' }))
    await again(lone, id)
    await lone.clock.advance(1_000)
    expect(lone.api.to('UploadChannelImage').length).toBe(2)
    expect(lone.api.to('SendMessage').length).toBe(1)
  })

  test('a recording is sent with duration and waveform, a picture with its description', async () => {
    const lone = await reading()
    const { uploads } = lone.engine.handlers
    lone.api.on('UploadChannelImage', () => ({ file: 'https://files.test/cat.png' }))
    lone.api.on('UploadChannelFile', () => ({ file: 'https://files.test/voice.webm' }))
    const picture = await staged(lone)
    await uploads.describe({ id: picture, alt: ' A red door ' }, lone.client)
    const sound = { cid, name: 'voice.webm', sizeBytes: 1, mimeType: 'audio/webm' }
    const voice = await uploads.begin({ ...sound, voice: { duration: 4.2, waveform: [0, 1] } }, lone.client)
    await uploads.chunk({ id: voice.id, base64: 'YQ==' }, lone.client)
    await uploads.finish({ id: voice.id }, lone.client)
    await lone.clock.settle()
    await send(lone, '', { uploadIds: [picture, voice.id] })
    await lone.clock.advance(5_000)
    const body = lone.api.to('SendMessage')[0]?.body as { message: { attachments: unknown[] } } | undefined
    expect(body?.message.attachments).toMatchObject([
      { type: 'image', title: 'cat.png', fallback: 'A red door' },
      { type: 'voiceRecording', duration: 4.2, waveform_data: [0, 1], asset_url: 'https://files.test/voice.webm' },
    ])
  })

  test('a file can be renamed until it is sent, but not to a name that the server refuses', async () => {
    const lone = await reading()
    const { uploads } = lone.engine.handlers
    lone.api.on('UploadChannelImage', () => ({ file: 'https://files.test/cat.png' }))
    const id = await staged(lone)
    await uploads.describe({ id, name: 'Mruczek.png', alt: undefined }, lone.client)
    await send(lone, '', { uploadIds: [id], whenReady: true })
    await lone.clock.advance(5_000)
    const body = lone.api.to('SendMessage')[0]?.body as { message: { attachments: unknown[] } } | undefined
    expect(body?.message.attachments).toMatchObject([{ title: 'Mruczek.png' }])
    const late = async () => uploads.describe({ id, name: 'late.png', alt: undefined }, lone.client)
    await expect(late).rejects.toMatchObject({ code: 'upload/unknown' })
  })

  test('the server’s limits apply without a connection too, and are reported', async () => {
    const lone = await reading(
      [],
      echoing(withChannel(new FakeApi(), [])).on('GetApp', () => ({
        app: { file_upload_config: { blocked_file_extensions: ['.exe'], size_limit: 10 } },
      })),
    )
    await lone.clock.settle()
    const { folder } = lone
    await lone.engine.stop()
    const again = await aLoneEngine({ folder })
    const begin = (name: string, sizeBytes: number) =>
      again.engine.handlers.uploads.begin({ cid, name, sizeBytes, mimeType: 'text/plain' }, again.client)
    expect(await begin('a.exe', 1)).toMatchObject({
      state: 'blocked',
      reason: 'blocked_file_extensions',
      listed: ['.exe'],
    })
    expect(await begin('a.txt', 11)).toMatchObject({ state: 'blocked', reason: 'size_limit', limit: 10 })
    const { id } = await begin('a.txt', 1)
    const rename = async () =>
      again.engine.handlers.uploads.describe({ id, name: 'a.exe', alt: undefined }, again.client)
    await expect(rename).rejects.toMatchObject({ code: 'upload/name-refused' })
  })

  test('a file refused only for its name stays staged: after a restart another name sends it', async () => {
    const blocking = () =>
      echoing(withChannel(new FakeApi(), []))
        .on('GetApp', () => ({ app: { file_upload_config: { blocked_file_extensions: ['.exe'], size_limit: 10 } } }))
        .on('UploadChannelFile', () => ({ file: 'https://files.test/a' }))
    const lone = await reading([], blocking())
    const { uploads, drafts } = lone.engine.handlers
    const begin = (sizeBytes: number) =>
      uploads.begin({ cid, name: 'a.exe', sizeBytes, mimeType: 'text/plain' }, lone.client)
    expect((await begin(11)).renaming).toBeUndefined()
    const { id, renaming } = await begin(1)
    await uploads.chunk({ id, base64: 'YQ==' }, lone.client)
    expect(renaming).toBe('wanted')
    expect(await uploads.finish({ id }, lone.client)).toMatchObject({ state: 'blocked', renaming: 'ready' })
    await drafts.save({ cid, text: 'the program', uploadIds: [id], showInChannel: false, caret: 0 }, lone.client)
    const { folder, files } = lone
    await lone.engine.stop()
    const again = await aLoneEngine({ folder, files, api: blocking() })
    await again.online()
    await again.engine.handlers.uploads.describe({ id, name: 'a.exe.txt', alt: undefined }, again.client)
    await again.clock.advance(5_000)
    expect(again.replica.tables.uploads?.[id]).toMatchObject({ name: 'a.exe.txt', state: 'finished' })
  })

  test('each composer takes ten files; those of a thread or of a discarded draft do not count in another', async () => {
    const lone = await reading()
    const { uploads, drafts } = lone.engine.handlers
    const begin = (parentId?: MessageId) => uploads.begin({ ...announce, parentId }, lone.client)
    const saveDraft = (uploadIds: string[], parentId?: MessageId) =>
      drafts.save(
        { cid, parentId, text: 'look', quotedId: undefined, uploadIds, caret: 0, showInChannel: false },
        lone.client,
      )
    const ids: string[] = []
    for (let n = 0; n < 10; n += 1) ids.push((await begin()).id)
    await saveDraft(ids)
    expect(await begin()).toMatchObject({ state: 'blocked', reason: 'slots' })
    expect(await begin('m1' as MessageId)).toMatchObject({ state: 'pending' })
    await drafts.discard({ key: cid }, lone.client)
    expect(await begin()).toMatchObject({ state: 'pending' })
    await saveDraft(ids)
    expect(await begin()).toMatchObject({ state: 'blocked', reason: 'slots' })
  })

  const uploadItem = (lone: Lone) =>
    Object.values(lone.replica.tables.outbox ?? {}).find(({ kind }) => kind === 'upload')

  test.each([
    ['its tile', (lone: Lone, id: string) => lone.engine.handlers.uploads.pause({ id }, lone.client)],
    ['the outbox', (lone: Lone) => lone.engine.handlers.outbox.pause({ id: uploadItem(lone)?.id ?? '' }, lone.client)],
  ])(
    'an upload paused in %s ends its request and stays paused over a restart; its message waits',
    async (_of, pause) => {
      const lone = await reading()
      lone.api.on('UploadChannelImage', unanswered)
      const id = await staged(lone)
      await send(lone, 'look', { uploadIds: [id], whenReady: true })
      const pausing = pause(lone, id)
      await lone.clock.settle()
      await pausing
      await lone.clock.settle()
      expect(lone.api.to('UploadChannelImage')[0]?.signal?.aborted).toBe(true)
      expect(
        lone.replica
          .messages(`timeline:${CID}`)
          .at(-1)
          ?.uploads.map(({ state }) => state),
      ).toEqual(['paused'])
      expect(uploadItem(lone)).toMatchObject({ state: 'parked', reason: { code: 'upload/paused' } })
      await lone.engine.stop()
      const api = echoing(withChannel(new FakeApi(), [])).on('UploadChannelImage', () => ({
        file: 'https://files.test/a',
      }))
      const again = await aLoneEngine({ folder: lone.folder, files: lone.files, api, seed: 2 })
      await again.online()
      await again.clock.advance(60_000)
      expect(api.to('UploadChannelImage')).toEqual([])
      expect(api.to('SendMessage')).toEqual([])
      await again.engine.handlers.uploads.retry({ id }, again.client)
      await again.clock.advance(5_000)
      expect(api.to('UploadChannelImage')).toHaveLength(1)
      expect(api.to('SendMessage')).toHaveLength(1)
    },
  )

  test('pausing one upload leaves the other running', async () => {
    const lone = await reading()
    lone.api.on('UploadChannelImage', unanswered)
    const [first] = [await staged(lone), await staged(lone)]
    await lone.engine.handlers.uploads.pause({ id: first }, lone.client)
    await lone.clock.advance(10_000)
    expect(lone.api.to('UploadChannelImage').map(({ signal }) => signal?.aborted)).toEqual([true, false])
  })

  test('an upload that has just finished is not paused', async () => {
    const lone = await reading()
    lone.api.on('UploadChannelImage', () => ({ file: 'https://files.test/cat.png' }))
    const id = await staged(lone)
    await lone.clock.advance(1_000)
    await lone.engine.handlers.uploads.pause({ id }, lone.client)
    await send(lone, 'look', { uploadIds: [id] })
    await lone.clock.advance(5_000)
    expect(lone.api.to('SendMessage')).toHaveLength(1)
  })

  test('the bytes of a staged file can be read in pieces until it is sent', async () => {
    const lone = await reading()
    await lone.offline()
    const { uploads } = lone.engine.handlers
    const id = await staged(lone)
    const piece = async (start: number, length: number) => uploads.bytes({ id, start, length }, lone.client)
    expect(await piece(1, 5)).toEqual({ base64: Buffer.from('at').toString('base64'), sizeBytes: 3 })
    expect(await piece(3, 5)).toEqual({ base64: '', sizeBytes: 3 })
    await uploads.cancel({ id }, lone.client)
    await expect(piece(0, 1)).rejects.toMatchObject({ code: 'upload/unknown' })
  })

  test('a file that was uploaded and then removed is deleted from the server too', async () => {
    const lone = await reading()
    lone.api.on('UploadChannelImage', () => ({ file: 'https://files.test/cat.png' }))
    lone.api.on('DeleteChannelImage', () => ({}))
    const id = await staged(lone)
    await lone.clock.advance(1_000)
    await lone.engine.handlers.uploads.cancel({ id }, lone.client)
    await lone.clock.settle()
    expect(lone.api.to('DeleteChannelImage').map(({ body }) => body)).toEqual([{ url: 'https://files.test/cat.png' }])
    expect(lone.files.held.size).toBe(0)
  })

  test('a file whose last byte is accepted while it is removed is deleted from the server too', async () => {
    const lone = await reading()
    const accepted = Promise.withResolvers<{ file: string }>()
    lone.api.on('UploadChannelImage', () => accepted.promise)
    lone.api.on('DeleteChannelImage', () => ({}))
    const id = await staged(lone)
    await lone.engine.handlers.uploads.cancel({ id }, lone.client)
    accepted.resolve({ file: 'https://files.test/cat.png' })
    await lone.clock.advance(1_000)
    expect(lone.api.to('DeleteChannelImage').map(({ body }) => body)).toEqual([{ url: 'https://files.test/cat.png' }])
    expect(lone.files.held.size).toBe(0)
  })

  test('a removed file that the server could not delete is deleted later', async () => {
    const lone = await reading()
    lone.api.on('UploadChannelImage', () => ({ file: 'https://files.test/cat.png' }))
    lone.api.on('DeleteChannelImage', () => {
      throw failing({ kind: 'transport', transport: 'network', sent: false })
    })
    const id = await staged(lone)
    await lone.clock.advance(1_000)
    await lone.engine.handlers.uploads.cancel({ id }, lone.client)
    await lone.clock.settle()
    expect(lone.api.to('DeleteChannelImage')).toHaveLength(1)
    lone.api.on('DeleteChannelImage', () => ({}))
    await lone.clock.advance(600_000)
    expect(lone.api.to('DeleteChannelImage')).toHaveLength(2)
  })

  test('only a file of the same channel that was not sent yet makes room for its new version', async () => {
    const lone = await reading()
    await lone.offline()
    const { uploads } = lone.engine.handlers
    const begin = async (mebibytes: number, more: object = {}) =>
      uploads.begin({ ...announce, sizeBytes: mebibytes * 1024 * 1024, ...more }, lone.client)
    const [elsewhere, here] = [await begin(90, { cid: asCid('messaging:elsewhere') }), await begin(90)]
    await expect(begin(30, { replaces: elsewhere.id })).rejects.toMatchObject({ code: 'outbox/full' })
    expect((await begin(30, { replaces: here.id })).state).toBe('pending')
  })

  test('a new version of a file may take the place of the tenth', async () => {
    const lone = await reading()
    const { uploads } = lone.engine.handlers
    const ids: string[] = []
    for (let n = 0; n < 10; n += 1) ids.push((await uploads.begin(announce, lone.client)).id)
    expect(await uploads.begin(announce, lone.client)).toMatchObject({ state: 'blocked', reason: 'slots' })
    const instead = await uploads.begin({ ...announce, replaces: ids[3] }, lone.client)
    expect(instead.state).toBe('pending')
  })

  test('a message with a missing file is parked, never sent without it', async () => {
    const lone = await reading()
    lone.api.on('UploadChannelImage', () => {
      throw refused(413, 22)
    })
    await lone.offline()
    const id = await staged(lone)
    await send(lone, 'look', { uploadIds: [id] })
    await lone.online()
    expect(lone.replica.texts(CID)).toEqual(['m1', 'look (failed)'])
    expect(lone.api.to('SendMessage')).toEqual([])
    lone.api.on('UploadChannelImage', () => ({ file: 'https://files.test/cat.png' }))
    const message = lone.replica.messages(`timeline:${CID}`).at(-1)
    await lone.engine.handlers.outbox.retry({ id: message?.id ?? '' }, lone.client)
    await lone.clock.advance(5_000)
    expect(lone.replica.texts(CID)).toEqual(['m1', 'look'])
  })

  test('a canceled message returns its files, quote and text to the draft, and can be sent again', async () => {
    const lone = await reading()
    await lone.offline()
    const upload = await staged(lone)
    const quotedId = 'm1' as MessageId
    const id = await send(lone, 'look', { uploadIds: [upload], quotedId })
    const draft = { cid, parentId: undefined, text: 'later', quotedId: undefined, uploadIds: [], caret: 5 }
    await lone.engine.handlers.drafts.save({ ...draft, showInChannel: false }, lone.client)
    const back = await lone.engine.handlers.outbox.takeBack({ id }, lone.client)
    await lone.clock.settle()
    expect(back).toEqual({ text: 'look', cid, uploadIds: [upload], quotedId: 'm1', showInChannel: false })
    const stored = lone.replica.tables.drafts?.[CID]
    expect(stored?.text).toBe('look\n\nlater')
    expect(stored?.quotedId).toBe('m1')
    expect(stored?.uploads.map((each) => each.id)).toEqual([upload])
    lone.api.on('UploadChannelImage', () => ({ file: 'https://files.test/cat.png' }))
    await lone.engine.stop()
    const second = await aLoneEngine({ folder: lone.folder, api: lone.api, files: lone.files, seed: 2 })
    await send(second, 'look', { uploadIds: [upload], quotedId })
    await second.online()
    await second.clock.advance(5_000)
    const sent = second.api.to('SendMessage').map(({ body }) => (body as { message: Record<string, unknown> }).message)
    expect(sent).toMatchObject([{ text: 'look', quoted_message_id: 'm1', attachments: [{ title: 'cat.png' }] }])
  })

  test('AGR-33 a file that breaks a limit is blocked with its reason before any byte is read', async () => {
    const lone = await reading()
    const upload = await lone.engine.handlers.uploads.begin({ ...announce, sizeBytes: 104_857_601 }, lone.client)
    expect(upload.state).toBe('blocked')
    expect(upload.reason).toBe('size_limit')
    expect(lone.engine.notices().map(({ type }) => type)).toEqual(['validation:attachment:upload:blocked'])
  })

  test('a full disk refuses the chunk', async () => {
    const lone = await reading()
    const { id } = await lone.engine.handlers.uploads.begin(announce, lone.client)
    lone.files.full = true
    const chunk = lone.engine.handlers.uploads.chunk({ id, base64: 'Y2F0' }, lone.client)
    await expect(chunk).rejects.toMatchObject({ code: 'disk/full' })
  })

  test('more than 200 MB are refused before anything is copied, and accepted files stay', async () => {
    const lone = await reading()
    await lone.offline()
    const begin = async (mebibytes: number) =>
      lone.engine.handlers.uploads.begin({ ...announce, sizeBytes: mebibytes * 1024 * 1024 }, lone.client)
    const first = await begin(90)
    await begin(90)
    await expect(begin(30)).rejects.toMatchObject({ code: 'outbox/full' })
    await begin(20)
    await lone.clock.settle()
    expect(Object.keys(lone.replica.tables.uploads ?? {})).toHaveLength(3)
    await lone.engine.handlers.uploads.cancel({ id: first.id }, lone.client)
    await lone.clock.settle()
    expect((await begin(30)).state).toBe('pending')
  })
})
