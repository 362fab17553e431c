import { describe, expect, test } from 'vitest'
import { cleanFileName, disposition } from '#main/server/uploads/file-kinds.ts'

/** File names of users and attackers, and what is stored of them. */
const UNCHANGED = [
  'a.txt',
  'A.TXT',
  'my file.pdf',
  'zażółć gęślą jaźń.png',
  'Привет мир.docx',
  '日本語.jpg',
  'مرحبا.png',
  'שלום.txt',
  '😀.gif',
  '👩‍👩‍👧.png',
  'a.b.c.tar.gz',
  'no-extension',
  '-rf',
  '--help',
  '~',
  '$HOME',
  '%PATH%',
  '`id`',
  '$(id)',
  ';rm -rf x',
  '&& x',
  'a&b.txt',
  "it's.txt",
  'a#b.txt',
  'a+b=c.txt',
  '(1).txt',
  '[x].txt',
  '{x}.txt',
  '!.txt',
  '@.txt',
  '^.txt',
  'a,b.txt',
  'con-cert.txt',
  'console.log',
  'auxiliary.txt',
  'nullable.txt',
  'com10.txt',
  'lpt.txt',
  'prnt',
  'a.con',
  'com',
  '0',
  '1.2.3',
]
const FOLDERS = [
  '../a.txt',
  '../../a.txt',
  '..\\a.txt',
  '..\\..\\a.txt',
  '/etc/a.txt',
  '/a.txt',
  '//a.txt',
  'C:\\a.txt',
  'C:/a.txt',
  '\\\\server\\share\\a.txt',
  '//server/share/a.txt',
  './a.txt',
  '.\\a.txt',
  'x/../a.txt',
  'x\\..\\a.txt',
  '~/a.txt',
  'file:///etc/a.txt',
  'http://evil.example/a.txt',
  '..././a.txt',
  '....//a.txt',
  'a/b/c/a.txt',
  '\u202e../a.txt',
  '/\u0000/a.txt',
]
const STRIPPED: readonly (readonly [string, string])[] = [
  ['a\u0000.txt', 'a.txt'],
  ['a.txt\u0000.png', 'a.txt.png'],
  ['a\n.txt', 'a.txt'],
  ['a\r\n.txt', 'a.txt'],
  ['a\t.txt', 'a.txt'],
  ['a\u0001\u001f.txt', 'a.txt'],
  ['a\u007f.txt', 'a.txt'],
  ['a\u0085.txt', 'a.txt'],
  ['a\u009f.txt', 'a.txt'],
  ['a\u202egnp.exe', 'agnp.exe'],
  ['a\u202d.txt', 'a.txt'],
  ['\u2066a\u2069.txt', 'a.txt'],
  ['a\u200e.txt', 'a.txt'],
  ['a\u200f.txt', 'a.txt'],
  ['a\u061c.txt', 'a.txt'],
  ['a\u200b.txt', 'a.txt'],
  ['a\ufeff.txt', 'a.txt'],
  ['a\u00ad.txt', 'a.txt'],
  ['a\u2028.txt', 'a.txt'],
  ['a\u2029.txt', 'a.txt'],
  ['a\ud800.txt', 'a.txt'],
  ['a\udfff.txt', 'a.txt'],
  ['a<b>.txt', 'ab.txt'],
  ['a:b.txt', 'ab.txt'],
  ['a.txt:stream', 'a.txtstream'],
  ['a.txt::$DATA', 'a.txt$DATA'],
  ['"a".txt', 'a.txt'],
  ['a|b.txt', 'ab.txt'],
  ['a?.txt', 'a.txt'],
  ['a*.txt', 'a.txt'],
  ['.htaccess', 'htaccess'],
  ['..a', 'a'],
  ['...', 'file'],
  ['.', 'file'],
  ['..', 'file'],
  ['', 'file'],
  [' ', 'file'],
  ['   ', 'file'],
  ['/', 'file'],
  ['\\', 'file'],
  ['a/', 'file'],
  ['../', 'file'],
  ['\u0000', 'file'],
  ['\u202e', 'file'],
  ['a.txt.', 'a.txt'],
  ['a.txt...', 'a.txt'],
  ['a.txt ', 'a.txt'],
  ['a.txt . .', 'a.txt'],
  [' a.txt', 'a.txt'],
  ['. . a.txt', 'a.txt'],
  ['a.exe.', 'a.exe'],
  ['a.exe\u0000', 'a.exe'],
  ['a.exe\u202e ', 'a.exe'],
  ['a.exe\u3000', 'a.exe'],
  ['a.exe\u00a0.', 'a.exe'],
  ['e\u0301.txt', 'é.txt'],
  ['o\u0308.txt', 'ö.txt'],
]
const RESERVED = [
  'con',
  'CON',
  'Con.txt',
  'prn',
  'PRN.pdf',
  'aux',
  'aux.c',
  'nul',
  'NUL.txt',
  'nul.tar.gz',
  'com0',
  'com1',
  'COM9.txt',
  'com¹',
  'com²',
  'com³.txt',
  'lpt0',
  'lpt1',
  'LPT9.log',
  'lpt³',
  'con.',
  'con ',
  '.con',
  'aux. .',
  '../nul.txt',
  'co\u200bn',
]
const LONG = [
  'x'.repeat(300),
  `${'x'.repeat(300)}.png`,
  `${'ż'.repeat(150)}.png`,
  `${'😀'.repeat(80)}.png`,
  `a.${'x'.repeat(300)}`,
  `${'x'.repeat(100_000)}.png`,
  `${'. '.repeat(50_000)}x.png`,
  `${'/'.repeat(100_000)}a.png`,
  `${'e\u0301'.repeat(1_000)}.png`,
  `x${'\u0000'.repeat(100_000)}.png`,
  '.'.repeat(100_000),
  `${' '.repeat(100_000)}.png`,
]

describe('SRV-24 names of files', () => {
  test.each(UNCHANGED)('SRV-24 %j keeps its name', (name) => {
    // A family emoji is joined by characters of no width; without them it is still a picture of people.
    expect(cleanFileName(name)).toBe(name.normalize('NFC').replaceAll('\u200d', ''))
  })
  test.each(FOLDERS)('SRV-24 %j loses its folders', (name) => expect(cleanFileName(name)).toBe('a.txt'))
  test.each(STRIPPED)('SRV-24 %j becomes %j', (name, clean) => expect(cleanFileName(name)).toBe(clean))
  test.each(RESERVED)('SRV-24 %j is not a device name', (name) => expect(cleanFileName(name)).toMatch(/^_/))
  test.each(LONG)('SRV-24 a long name is cut to 200 bytes', (name) => {
    const clean = cleanFileName(name)
    expect(Buffer.byteLength(clean)).toBeLessThanOrEqual(200)
    expect(clean.length).toBeGreaterThan(0)
    expect(cleanFileName(clean)).toEqual(clean)
    // Where only characters that are removed precede the extension, the extension is the name.
    expect(clean.endsWith('png')).toBe(name.endsWith('.png'))
  })

  const ALL = [...UNCHANGED, ...FOLDERS, ...STRIPPED.map(([name]) => name), ...RESERVED, ...LONG]
  test('SRV-24 the corpus has 150 names', () => expect(new Set(ALL).size).toBeGreaterThanOrEqual(150))

  test('SRV-24 no name can break out of its header', () => {
    for (const name of ALL) {
      const header = disposition('attachment', cleanFileName(name))
      expect(header).toMatch(/^attachment; filename="[\x20-\x21\x23-\x5b\x5d-\x7e]+"; filename\*=UTF-8''[\w.~!%-]+$/)
    }
  })
})
