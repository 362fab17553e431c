import { expect, test } from 'vitest'
import { probe, settleType, cleanFileName, disposition } from './file-kinds.ts'
import { fileIdIn, signedUrls } from './upload-files.ts'

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
  expect(fileIdIn(`http://127.0.0.1:1/files/${id}/x`)).toEqual(id)
  expect(fileIdIn(`https://chat.example/files/${id}`), 'a name that this server had').toEqual(id)
  expect(urls.fresh(`http://evil.example/files/${id}`)).toBe(`http://evil.example/files/${id}`)
  expect(fileIdIn('http://evil.example/files/x')).toBeUndefined()
})
