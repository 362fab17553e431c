import { afterAll, beforeAll, expect, test } from 'vitest'
import type { WireEmoji, WireEmojiTerms } from '#shared/wire/emoji.ts'
import type { Json } from '#main/server/http/json.ts'
import { insertUpload, uploadById } from '#main/server/uploads/upload-files.ts'
import { ADMIN, openRoom, type Room } from '../room.ts'

let room: Room
beforeAll(() => {
  room = openRoom(['ann', 'bob'])
  room.done('UpdateUsers', ADMIN, { body: { users: { gus: { role: 'guest' } } } })
})
afterAll(() => room.close())

let made = 0
/** An upload for no channel, as it is stored after its bytes were sniffed. */
function picture(more: Partial<Parameters<typeof insertUpload>[1]> = {}): string {
  made += 1
  const id = made.toString(16).padStart(32, '0')
  insertUpload(room.server.services.db, {
    id,
    name: 'e.png',
    mime_type: 'image/png',
    size_bytes: 100,
    user_id: 'ann',
    cid: null,
    width: 64,
    height: 64,
    created_at: 1,
    ...more,
  })
  return `http://127.0.0.1:9999/files/${id}/e.png?sig=x&exp=1`
}

const add = (name: string, body: Json = {}, who = 'ann') =>
  room.ask('CreateEmoji', who, { body: { name, url: picture({ user_id: who }), ...body } })
const listed = () => room.done<{ emoji: WireEmoji[] }>('ListEmoji', 'bob').emoji
const fields = (outcome: { reply: Json }) => outcome.reply['exception_fields']
const terms = (who: string) =>
  room.done<{ app: { custom_emoji: WireEmojiTerms } }>('GetApp', who).app.custom_emoji.own_capabilities
const version = () => room.done<{ app: { custom_emoji: WireEmojiTerms } }>('GetApp', 'ann').app.custom_emoji.version

test('everyone is notified of an emoji that is added, renamed and deleted, and its picture is deleted with it', () => {
  const bob = room.listen('bob')
  const before = version()
  const { reply } = add('parrot', { aliases: ['bird'] })
  const emoji = reply['emoji'] as WireEmoji
  expect(emoji.name).toBe('parrot')
  expect(emoji.aliases).toEqual(['bird'])
  expect(emoji.created_by).toBe('ann')
  expect(emoji.mime_type).toBe('image/png')
  const id = /files\/([a-f0-9]{32})\//.exec(emoji.url)?.[1] ?? ''
  expect(version()).not.toBe(before)
  room.done('UpdateEmoji', 'ann', { params: { name: 'parrot' }, body: { name: 'kakadu' } })
  expect(listed().map(({ name, aliases }) => [name, aliases])).toEqual([['kakadu', ['bird', 'parrot']]])
  room.done('DeleteEmoji', 'ann', { params: { name: 'kakadu' } })
  expect(listed()).toEqual([])
  expect(uploadById(room.server.services.db, id)).toBeUndefined()
  expect(version()).toEqual(before)
  const events = bob.takeEvents()
  expect(events.map((event) => [event['type'], event['former_name']])).toEqual([
    ['emoji.created', undefined],
    ['emoji.updated', 'parrot'],
    ['emoji.deleted', undefined],
  ])
})

test('names and aliases are unique together, and codes of reactions keep their meaning', () => {
  add('cairn', { aliases: ['stones'] })
  add('tent')
  expect(fields(add('Cairn'))).toEqual({ name: 'form' })
  expect(fields(add('x'))).toEqual({ name: 'form' })
  expect(fields(add('a'.repeat(31)))).toEqual({ name: 'form' })
  expect(fields(add('like'))).toEqual({ name: 'reserved' })
  expect(fields(add('stones'))).toEqual({ name: 'taken' })
  expect(fields(add('camp', { aliases: ['cairn'] }))).toEqual({ aliases: 'taken' })
  expect(fields(add('camp', { aliases: Array.from({ length: 11 }, (_, at) => `camp${at}`) }))).toEqual({
    aliases: 'count_limit',
  })
  expect(fields(room.ask('UpdateEmoji', 'ann', { params: { name: 'tent' }, body: { name: 'cairn' } }))).toEqual({
    name: 'taken',
  })
  // Its own names are free for it, and a former one can be reused.
  room.done('UpdateEmoji', 'ann', { params: { name: 'cairn' }, body: { name: 'stones' } })
  room.done('UpdateEmoji', 'ann', { params: { name: 'stones' }, body: { aliases: [] } })
  expect(listed().map(({ name, aliases }) => [name, aliases])).toEqual([
    ['stones', []],
    ['tent', []],
  ])
})

test('the picture must be an upload of the same user for no channel, of a known type, and small', () => {
  const refused = (more: Parameters<typeof picture>[0]) => fields(add('sign', { url: picture(more) }))
  expect(refused({ user_id: 'bob' })).toEqual({ url: 'unknown' })
  expect(refused({ cid: 'messaging:x' })).toEqual({ url: 'unknown' })
  expect(refused({ mime_type: 'image/svg+xml' })).toEqual({ url: 'type' })
  expect(refused({ mime_type: 'text/plain' })).toEqual({ url: 'type' })
  expect(refused({ size_bytes: 256_001 })).toEqual({ url: 'size_limit' })
  expect(refused({ height: 513 })).toEqual({ url: 'side_limit' })
  expect(refused({ width: null, height: null })).toEqual({ url: 'side_limit' })
  expect(fields(add('sign', { url: 'https://example.org/files/x.png' }))).toEqual({ url: 'unknown' })
  expect(fields(add('sign', { url: listed()[0]?.url ?? '' }))).toEqual({ url: 'taken' })
})

test('as long as it is used, the picture cannot be deleted as a file', () => {
  add('lake')
  const { url = '' } = listed().find(({ name }) => name === 'lake') ?? {}
  expect(room.ask('DeleteImage', 'ann', { query: { url } }).code).toBe(4)
})

test('guests add nothing, others change only their own emoji, an administrator any', () => {
  add('hut')
  expect(terms('gus')).toEqual([])
  expect(terms('bob')).toEqual(['create-emoji'])
  expect(add('shed', {}, 'gus').code).toBe(17)
  expect(room.ask('DeleteEmoji', 'bob', { params: { name: 'hut' } }).code).toBe(17)
  const forBob = { name: 'shed', url: picture({ user_id: 'bob' }), user_id: 'bob' }
  expect(room.done<{ emoji: WireEmoji }>('CreateEmoji', ADMIN, { body: forBob }).emoji.created_by).toBe('bob')
  room.done('DeleteEmoji', ADMIN, { params: { name: 'hut' } })
  expect(listed().map(({ name }) => name)).not.toContain('hut')
})

test('a workspace has at most 500', () => {
  const left = 500 - listed().length
  for (let at = 0; at < left; at += 1) room.done('CreateEmoji', 'ann', { body: { name: `many${at}`, url: picture() } })
  expect(fields(add('beyond'))).toEqual({ emoji: 'count_limit' })
})
