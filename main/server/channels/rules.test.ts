import { expect, test } from 'vitest'
import { fromText, optionalTime, toText } from '../time.ts'
import { capabilitiesOf, shownCapabilities, type Standing } from './capabilities.ts'
import { NEW_TYPE, withFlags } from './channel-types.ts'
import { distinctId } from './channels.ts'
import { cleanFileName, disposition } from '../uploads/file-names.ts'
import { fileIdIn, signedUrls } from '../uploads/file-url.ts'
import { probe, settleType } from '../uploads/file-kinds.ts'
import { toWords } from '../messages/word-folding.ts'

const standing = (changes: Partial<Standing>): Standing => ({
  type: 'messaging',
  appRole: 'user',
  channelRole: 'channel_member',
  isCreator: false,
  isPrivate: false,
  banned: false,
  frozen: false,
  cooldown: 0,
  flags: NEW_TYPE,
  ...changes,
})

const CASES: readonly [name: string, who: Partial<Standing>, capability: string, granted: boolean][] = [
  ['a member sends', {}, 'send-message', true],
  ['a member pins in messaging', {}, 'pin-message', true],
  ['a member does not edit others', {}, 'update-any-message', false],
  ['a member does not change the channel', {}, 'update-channel', false],
  ['a stranger does not read messaging', { channelRole: undefined }, 'read-channel', false],
  ['a stranger may create', { channelRole: undefined }, 'create-channel', true],
  ['a stranger reads a team', { type: 'team', channelRole: undefined }, 'read-channel', true],
  ['a stranger does not write in a team', { type: 'team', channelRole: undefined }, 'send-message', false],
  ['a stranger does not read commerce', { type: 'commerce', channelRole: undefined }, 'read-channel', false],
  ['a stranger writes in a livestream', { type: 'livestream', channelRole: undefined }, 'send-message', true],
  ['a stranger does not write in gaming', { type: 'gaming', channelRole: undefined }, 'send-message', false],
  ['only admins create gaming channels', { type: 'gaming', channelRole: undefined }, 'create-channel', false],
  ['the creator changes the channel', { isCreator: true }, 'update-channel', true],
  ['the creator deletes the channel', { isCreator: true }, 'delete-channel', true],
  ['a creator who left loses their rights', { isCreator: true, channelRole: undefined }, 'update-channel', false],
  ['a moderator edits others', { channelRole: 'channel_moderator' }, 'update-any-message', true],
  ['a moderator does not delete the channel', { channelRole: 'channel_moderator' }, 'delete-channel', false],
  ['an admin does everything', { appRole: 'admin', channelRole: undefined }, 'delete-channel', true],
  ['a banned member does not send', { banned: true }, 'send-message', false],
  ['a banned member still reads', { banned: true }, 'read-channel', true],
  ['a frozen channel takes no messages', { frozen: true }, 'send-message', false],
  ['a frozen channel still takes uploads', { frozen: true }, 'upload-file', true],
  ['slow mode binds a member', { cooldown: 5 }, 'slow-mode', true],
  ['slow mode does not bind the creator', { cooldown: 5, isCreator: true }, 'slow-mode', false],
  ['anonymous users do not read messaging', { appRole: 'anonymous', channelRole: undefined }, 'read-channel', false],
  ['a guest member writes', { appRole: 'guest' }, 'send-message', true],
  ['a guest member uploads nothing', { appRole: 'guest' }, 'upload-file', false],
]

test.each(CASES)('%s', (_name, who, capability, granted) => {
  expect(capabilitiesOf(standing(who)).has(capability)).toBe(granted)
})

test('a feature that is off removes its capability, and internal names are not shown', () => {
  const flags = withFlags(NEW_TYPE, { reactions: false, replies: 'no', automod: 'x' }, 'channel')
  const can = capabilitiesOf(standing({ flags }))
  expect([can.has('send-reaction'), can.has('send-reply'), flags.automod]).toEqual([false, true, 'disabled'])
  expect(shownCapabilities(can)).not.toContain('read-channel')
})

test.each([
  ['report.pdf', 'report.pdf'],
  ['../../etc/passwd', 'passwd'],
  ['C:\\Windows\\x.dll', 'x.dll'],
  ['.htaccess', 'htaccess'],
  ['a\u202Egpj.exe', 'agpj.exe'],
  ['a\u0000b\n.txt', 'ab.txt'],
  ['CON', '_CON'],
  ['lpt1.txt', '_lpt1.txt'],
  ['...', 'file'],
  ['', 'file'],
  ['name. . ', 'name'],
  ['Zażółć.png', 'Zażółć.png'],
  [`${'ż'.repeat(200)}.png`, `${'ż'.repeat(98)}.png`],
])('the name %j is stored as %j', (given, stored) => {
  expect(cleanFileName(given)).toBe(stored)
  expect(Buffer.byteLength(cleanFileName(given))).toBeLessThanOrEqual(200)
})

test('a disposition names the file for old and new readers', () => {
  expect(disposition('attachment', 'ż "x".txt')).toBe(
    `attachment; filename="_ _x_.txt"; filename*=UTF-8''%C5%BC%20%22x%22.txt`,
  )
})

const bytes = (hex: string, length = 40): Buffer => Buffer.concat([Buffer.from(hex, 'hex'), Buffer.alloc(length)])

test.each([
  [
    'png',
    bytes('89504e470d0a1a0a0000000d4948445200000010000000200806'),
    { mimeType: 'image/png', width: 16, height: 32 },
  ],
  ['gif', bytes('47494638396110002000'), { mimeType: 'image/gif', width: 16, height: 32 }],
  ['jpeg', bytes('ffd8ffe000040000ffc0001108002000100301'), { mimeType: 'image/jpeg', width: 16, height: 32 }],
  [
    'webp',
    bytes('524946460000000057454250565038580a000000000000000f00001f0000'),
    { mimeType: 'image/webp', width: 16, height: 32 },
  ],
  ['pdf', Buffer.from('%PDF-1.7'), { mimeType: 'application/pdf' }],
  ['svg', Buffer.from('<?xml version="1.0"?><svg/>'), { mimeType: 'image/svg+xml' }],
  ['plain text', Buffer.from('hello'), undefined],
  ['a cut png', Buffer.from('89504e470d0a1a0a', 'hex'), undefined],
])('%s is detected by its first bytes', (_name, head, found) => {
  expect(probe(head)).toEqual(found)
})

test.each([
  ['image/png', 'image/png', { mimeType: 'image/png' }],
  ['image/png', 'image/gif', { conflict: 'the file is not image/png' }],
  ['image/png', undefined, { conflict: 'the file is not image/png' }],
  ['text/plain', 'text/html', { mimeType: 'text/html' }],
  ['text/plain', undefined, { mimeType: 'text/plain' }],
  ['', 'application/pdf', { mimeType: 'application/pdf' }],
  ['application/zip', 'application/x-msdownload', { mimeType: 'application/x-msdownload' }],
])('a file declared as %j with bytes of %j', (declared, found, settled) => {
  expect(settleType(declared, found === undefined ? undefined : { mimeType: found })).toEqual(settled)
})

test('times keep microseconds and accept every RFC 3339 form', () => {
  const at = fromText('2026-11-21T18:40:01.123456Z') ?? 0
  expect(toText(at)).toBe('2026-11-21T18:40:01.123456Z')
  expect(fromText('2026-11-21T19:40:01.123456789+01:00')).toBe(at)
  expect(fromText('2026-11-21T18:40:01Z')).toBe(at - 123_456)
  expect([null, '', '0001-01-01T00:00:00Z', 'soon', 5].map(optionalTime)).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
    undefined,
  ])
})

test('the same users have the same distinct id in any order', () => {
  expect(distinctId(['b', 'a', 'a'])).toBe(distinctId(['a', 'b']))
  expect(distinctId(['a', 'b'])).not.toBe(distinctId(['a', 'c']))
})

test('words are found without accents', () => {
  expect([toWords('Łukasz-Żak'), toWords('Ёлка Æon'), toWords('  ')]).toEqual([' lukasz zak', ' елка aeon', ''])
})

test('addresses of this server follow its port, others stay', () => {
  const id = 'a'.repeat(32)
  const baseUrl = () => 'http://127.0.0.1:2'
  const urls = signedUrls({ secret: 's', baseUrl, nowMs: () => 0, seconds: () => 90_000 })
  expect(urls.moved(`["http://127.0.0.1:1/files/${id}/x"]`)).toBe(`["http://127.0.0.1:2/files/${id}/x"]`)
  expect(urls.fresh(`["http://127.0.0.1:1/files/${id}/a b","x"]`)).toBe(
    `["${urls.signed(id, 'x').replace('/x?', '/a b?')}","x"]`,
  )
  expect(urls.fresh('http://127.0.0.1:1/files/giphy/0.gif')).toBe('http://127.0.0.1:2/files/giphy/0.gif')
  expect(urls.fresh('http://example.com/files/x')).toBe('http://example.com/files/x')
  expect([fileIdIn(`http://127.0.0.1:1/files/${id}/x`), fileIdIn(`http://evil/files/${id}`)]).toEqual([id, undefined])
})
