import { expect, test } from 'vitest'
import { aLoneEngine, at, FakeApi, refused, withChannel, type LoneEngine } from '#kit/lone-engine.ts'
import * as media from '#main/cache/messages/media.ts'
import { openTestStores } from '#kit/stores.ts'
import { aMessageRow } from '#kit/rows.ts'
import { parseQuery } from '#shared/rules/search/search-query.ts'
import { searchHeld } from '#main/cache/search/query.ts'
import * as messages from '#main/cache/messages/messages.ts'

const URL = 'http://127.0.0.1:1/files/0123456789abcdef0123456789abcdef/parrot.gif'
const aWireEmoji = (name: string, fields: Record<string, unknown> = {}) => ({
  name,
  aliases: [],
  url: `${URL}?sig=a&exp=1`,
  mime_type: 'image/gif',
  width: 64,
  height: 64,
  created_by: 'me',
  created_at: at(0),
  updated_at: at(0),
  ...fields,
})

/** A server with custom emoji. */
function serving(emoji: readonly Record<string, unknown>[], version = '1.1', can = ['create-emoji']): FakeApi {
  const limits = { size_limit: 262_144, side_limit: 512, count_limit: 500 }
  return withChannel(new FakeApi())
    .on('GetApp', () => ({ app: { name: 'test', custom_emoji: { own_capabilities: can, version, ...limits } } }))
    .on('ListEmoji', () => ({ emoji, version }))
}

const names = ({ replica }: Pick<LoneEngine, 'replica'>) =>
  Object.values(replica.tables.emoji ?? {}).map(({ name, aliases }) => [name, ...aliases].join(' '))
const terms = ({ replica }: Pick<LoneEngine, 'replica'>) => replica.tables.emojiTerms?.['self']

async function connected(api: FakeApi, folder?: string): Promise<LoneEngine> {
  const lone = await aLoneEngine({ api, ...(folder === undefined ? {} : { folder }) })
  await lone.online()
  return lone
}

test('custom emoji are fetched on connection, cached, and not fetched again while unchanged', async () => {
  const api = serving([aWireEmoji('parrot', { aliases: ['bird', 'No Name'] }), aWireEmoji('UPPER'), { name: 'bare' }])
  const lone = await connected(api)
  expect(names(lone)).toMatchObject(['parrot bird'])
  expect(terms(lone)).toMatchObject({ canCreate: true, canManage: false })
  expect(lone.replica.tables.emoji?.['parrot']).toMatchObject({ moves: true, createdBy: 'me' })
  await lone.offline()
  await lone.online()
  expect(api.to('ListEmoji').length).toBe(1)
  await lone.engine.stop()
  const again = await aLoneEngine({ folder: lone.folder, api: new FakeApi() })
  expect(names(again)).toEqual(['parrot bird'])
  expect(terms(again)?.canCreate).toBe(true)
})

test('a server without custom emoji has no limits, and cached ones of another server are removed', async () => {
  const lone = await connected(serving([aWireEmoji('parrot')]))
  withChannel(lone.api)
  await lone.offline()
  await lone.online()
  expect(names(lone)).toEqual([])
  expect(terms(lone)).toBeUndefined()
  await expect(lone.engine.handlers.emoji.remove({ name: 'parrot' }, lone.client)).rejects.toMatchObject({
    code: 'emoji/not-here',
  })
})

test('events change the emoji, and the next connection compares the version', async () => {
  const api = serving([aWireEmoji('parrot')])
  const lone = await connected(api)
  await lone.hear(
    { type: 'emoji.created', created_at: at(1), emoji: aWireEmoji('tent') },
    {
      type: 'emoji.updated',
      created_at: at(2),
      emoji: aWireEmoji('kakadu', { aliases: ['parrot'] }),
      former_name: 'parrot',
    },
    { type: 'emoji.deleted', created_at: at(3), emoji: aWireEmoji('tent') },
  )
  expect(names(lone)).toEqual(['kakadu parrot'])
  await lone.offline()
  await lone.online()
  expect(api.to('ListEmoji').length).toBe(2)
  expect(names(lone)).toEqual(['parrot'])
})

test('a response that was in flight while an event arrived is requested again', async () => {
  const api = serving([aWireEmoji('parrot')])
  let requests = 0
  const lone = await aLoneEngine({ api })
  api.on('ListEmoji', () => {
    requests += 1
    const version = '1.1'
    if (requests > 1) return { emoji: [], version }
    void lone.hear({ type: 'emoji.deleted', created_at: at(3), emoji: aWireEmoji('parrot') })
    return Promise.resolve().then(() => ({ emoji: [aWireEmoji('parrot')], version }))
  })
  await lone.online()
  expect(requests).toBe(2)
  expect(names(lone)).toEqual([])
})

const input = { name: 'tent', aliases: ['camp'], base64: 'AAAA', mimeType: 'image/png' as const }

test('an emoji is uploaded, added and shown, and leaves nothing in the staging folder', async () => {
  const api = serving([])
    .on('UploadImage', () => ({ file: URL }))
    .on('CreateEmoji', ({ body }) => ({ emoji: aWireEmoji('tent', { aliases: (body as typeof input).aliases }) }))
  const lone = await connected(api)
  await lone.engine.handlers.emoji.add(input, lone.client)
  await lone.clock.settle()
  expect(names(lone)).toEqual(['tent camp'])
  expect([...lone.files.held.keys()]).toEqual([])
  expect(api.to('CreateEmoji')[0]?.body).toEqual({ name: 'tent', aliases: ['camp'], url: URL })
})

test('invalid or taken names are refused before any request; without a connection every change is', async () => {
  const api = serving([aWireEmoji('parrot', { aliases: ['bird'] })])
  const lone = await connected(api)
  const add = (name: string, aliases: string[] = []) =>
    lone.engine.handlers.emoji.add({ ...input, name, aliases }, lone.client)
  await expect(add('Tent')).rejects.toMatchObject({ code: 'emoji/form', params: { name: 'Tent' } })
  await expect(add('like')).rejects.toMatchObject({ code: 'emoji/reserved' })
  await expect(add('tent', ['bird'])).rejects.toMatchObject({ code: 'emoji/taken', params: { name: 'bird' } })
  expect(api.to('UploadImage')).toEqual([])
  await lone.offline()
  await expect(add('tent')).rejects.toMatchObject({ code: 'network/offline' })
})

test('a name taken by another user meanwhile is reported, and the picture is deleted', async () => {
  const api = serving([])
    .on('UploadImage', () => ({ file: URL }))
    .on('DeleteImage', () => ({}))
    .on('CreateEmoji', () => {
      throw refused(400, 4, "'tent' is taken")
    })
  const lone = await connected(api)
  api.on('ListEmoji', () => ({ emoji: [aWireEmoji('tent')], version: '1.2' }))
  await expect(lone.engine.handlers.emoji.add(input, lone.client)).rejects.toMatchObject({ code: 'emoji/taken' })
  await lone.clock.settle()
  expect(names(lone)).toEqual(['tent'])
  expect(api.to('DeleteImage').map(({ body }) => body)).toEqual([{ url: URL }])
})

test('a picture that the server rejects is reported with its own error', async () => {
  const api = serving([]).on('UploadImage', () => {
    throw refused(400, 4, 'the picture has too many pixels')
  })
  const lone = await connected(api)
  await expect(lone.engine.handlers.emoji.add(input, lone.client)).rejects.toMatchObject({ code: 'emoji/picture' })
})

test('an own emoji is renamed and deleted; a missing one is reported as missing', async () => {
  const api = serving([aWireEmoji('parrot')])
    .on('UpdateEmoji', () => ({ emoji: aWireEmoji('kakadu', { aliases: ['parrot'] }) }))
    .on('DeleteEmoji', () => ({}))
  const lone = await connected(api)
  const { emoji } = lone.engine.handlers
  await emoji.change({ name: 'parrot', to: 'kakadu', aliases: [] }, lone.client)
  await lone.clock.settle()
  expect(names(lone)).toEqual(['kakadu parrot'])
  await emoji.remove({ name: 'kakadu' }, lone.client)
  await lone.clock.settle()
  expect(names(lone)).toEqual([])
  api
    .on('ListEmoji', () => ({ emoji: [], version: '0.0' }))
    .on('DeleteEmoji', () => {
      throw refused(404, 16)
    })
  await expect(emoji.remove({ name: 'kakadu' }, lone.client)).rejects.toMatchObject({ code: 'emoji/gone' })
})

test('the reference of a picture stays the same while only its signature changes', async () => {
  const lone = await connected(serving([aWireEmoji('parrot')]))
  const { image } = lone.replica.tables.emoji?.['parrot'] ?? { image: '' }
  await lone.hear({ type: 'emoji.updated', emoji: aWireEmoji('parrot', { url: `${URL}?sig=b&exp=2` }) })
  expect(lone.replica.tables.emoji?.['parrot']?.image).toEqual(image)
  expect(image.startsWith('emoji/parrot.')).toBe(true)
  await lone.engine.stop()
  const { cache } = openTestStores({ folder: lone.folder, installId: 'install-1' })
  expect(media.source(cache.reader, image)?.url).toContain('sig=b')
})

test('a message is found by the name of an emoji in it, and by its parts', () => {
  const { cache } = openTestStores()
  cache.transaction((tx) => messages.put(tx, aMessageRow({ text: 'well done :party_parrot:' })))
  const found = (text: string) =>
    cache.read((reader) =>
      searchHeld(reader, { query: parseQuery(text, { year: 2026, month: 11, day: 21 }), limit: 5 }),
    ).keys.length
  expect(found(':party_parrot:')).toBe(1)
  expect(found('parrot')).toBe(1)
  expect(found('party_parrot')).toBe(1)
  expect(found('other')).toBe(0)
})
