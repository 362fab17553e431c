const latin = (text: string): Buffer<ArrayBuffer> => Buffer.from(text, 'latin1')
const u32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

export const png = (width: number, height: number): Buffer<ArrayBuffer> =>
  Buffer.concat([latin('\x89PNG\r\n\x1a\n\0\0\0\rIHDR'), u32(width), u32(height), latin('\x08\x06\0\0\0')])

/** @param before bytes of metadata in front of the frame that has the size */
export function jpeg(width: number, height: number, before = 0): Buffer<ArrayBuffer> {
  const parts = [latin('\xff\xd8')]
  for (let left = before; left > 0; left -= 65_000) parts.push(latin('\xff\xe1\xfd\xea'), Buffer.alloc(65_000))
  const frame = Buffer.from([0xff, 0xc0, 0, 17, 8, height >> 8, height & 255, width >> 8, width & 255, 3, 1, 0, 0])
  return Buffer.concat([...parts, frame, latin('\xff\xd9')])
}

const gif = (width: number, height: number): Buffer<ArrayBuffer> => {
  const bytes = Buffer.alloc(13)
  bytes.write('GIF89a', 'latin1')
  bytes.writeUInt16LE(width, 6)
  bytes.writeUInt16LE(height, 8)
  return bytes
}

const webp = (width: number, height: number): Buffer<ArrayBuffer> => {
  const bytes = Buffer.alloc(30)
  bytes.write('RIFF\0\0\0\0WEBPVP8X', 'latin1')
  bytes.writeUIntLE(width - 1, 24, 3)
  bytes.writeUIntLE(height - 1, 27, 3)
  return bytes
}

/** @param tiles sizes of the boxes, the whole among them */
const avif = (...tiles: readonly (readonly [number, number])[]): Buffer<ArrayBuffer> =>
  Buffer.concat([
    latin('\0\0\0\x1cftypavif\0\0\0\0'),
    ...tiles.map(([width, height]) => Buffer.concat([latin('\0\0\0\x14ispe\0\0\0\0'), u32(width), u32(height)])),
  ])

const BOX = (brand: string) => latin(`\0\0\0\x18ftyp${brand}\0\0\0\0isomavc1`)

/** The first bytes by which kinds of files are recognized. */
export const BYTES = {
  png: png(2, 3),
  jpeg: jpeg(2, 3),
  gif: gif(2, 3),
  webp: webp(2, 3),
  avif: avif([2, 3]),
  mp4: BOX('isom'),
  m4a: BOX('M4A '),
  webm: latin('\x1aE\xdf\xa3webm'),
  ogg: latin('OggS\0\0'),
  mp3: latin('ID3\x03\0'),
  wav: latin('RIFF\0\0\0\0WAVEfmt '),
  pdf: latin('%PDF-1.7\n'),
  zip: latin('PK\x03\x04\x14\0'),
  exe: latin('MZ\x90\0'),
  elf: latin('\x7fELF\x02'),
  svg: latin('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'),
  xmlSvg: latin('<?xml version="1.0"?>\n<!-- x --><svg onload="alert(1)"/>'),
  html: latin('<!DOCTYPE html><script>alert(1)</script>'),
  text: latin('just words'),
} as const

type Bytes = keyof typeof BYTES

/** Name, declared type and bytes of a file, and the result: how it is served, or `refused`. */
export const PAIRS: readonly (readonly [name: string, declared: string, bytes: Bytes, outcome: string])[] = [
  ['a.png', 'image/png', 'png', 'inline image/png'],
  ['a.png', 'image/png', 'jpeg', 'refused'],
  ['a.png', 'image/png', 'gif', 'refused'],
  ['a.png', 'image/png', 'svg', 'refused'],
  ['a.png', 'image/png', 'html', 'refused'],
  ['a.png', 'image/png', 'text', 'refused'],
  ['a.png', 'image/png', 'exe', 'refused'],
  ['a.png', 'IMAGE/PNG', 'png', 'inline image/png'],
  ['a.jpg', 'image/jpeg', 'jpeg', 'inline image/jpeg'],
  ['a.jpg', 'image/jpg', 'jpeg', 'inline image/jpg'],
  ['a.jpg', 'image/jpeg', 'png', 'refused'],
  ['a.jpg', 'image/jpeg', 'html', 'refused'],
  ['a.jpg', 'image/jpeg', 'zip', 'refused'],
  ['a.gif', 'image/gif', 'gif', 'inline image/gif'],
  ['a.gif', 'image/gif', 'svg', 'refused'],
  ['a.gif', 'image/gif', 'webp', 'refused'],
  ['a.webp', 'image/webp', 'webp', 'inline image/webp'],
  ['a.webp', 'image/webp', 'wav', 'refused'],
  ['a.avif', 'image/avif', 'avif', 'inline image/avif'],
  ['a.avif', 'image/avif', 'mp4', 'refused'],
  ['a.svg', 'image/svg+xml', 'svg', 'attachment image/svg+xml'],
  ['a.svg', 'image/png', 'svg', 'refused'],
  ['a.svg', 'text/plain', 'svg', 'attachment image/svg+xml'],
  ['a.svg', 'text/plain', 'xmlSvg', 'attachment image/svg+xml'],
  ['a.svg', 'video/mp4', 'svg', 'attachment image/svg+xml'],
  ['a.html', 'text/html', 'html', 'attachment text/html'],
  ['a.html', 'text/plain', 'html', 'attachment text/html'],
  ['a.txt', 'text/plain', 'html', 'attachment text/html'],
  ['a.mp4', 'video/mp4', 'html', 'attachment text/html'],
  ['a.mp3', 'audio/mpeg', 'html', 'attachment text/html'],
  ['a.html', 'image/png', 'png', 'attachment image/png'],
  ['a.png.html', 'image/png', 'png', 'attachment image/png'],
  ['a.svg', 'image/gif', 'gif', 'attachment image/gif'],
  ['a.exe', 'image/jpeg', 'jpeg', 'attachment image/jpeg'],
  ['a.hta', 'video/mp4', 'mp4', 'attachment video/mp4'],
  ['a.xml', 'text/xml', 'text', 'attachment text/xml'],
  ['a.xhtml', 'application/xhtml+xml', 'text', 'attachment application/xhtml+xml'],
  ['a.js', 'text/javascript', 'text', 'attachment text/javascript'],
  ['a.txt', 'text/plain', 'text', 'attachment text/plain'],
  ['a.txt', 'text/plain; charset=utf-8', 'text', 'attachment text/plain'],
  ['a.txt', 'application/octet-stream', 'text', 'attachment application/octet-stream'],
  ['a.bin', 'application/octet-stream', 'png', 'inline image/png'],
  ['a.bin', 'application/octet-stream', 'html', 'attachment text/html'],
  ['a.bin', 'application/octet-stream', 'pdf', 'attachment application/pdf'],
  ['a.pdf', 'application/pdf', 'pdf', 'attachment application/pdf'],
  ['a.pdf', 'application/pdf', 'html', 'attachment text/html'],
  ['a.zip', 'application/zip', 'zip', 'attachment application/zip'],
  [
    'a.docx',
    'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    'zip',
    'attachment application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  ],
  ['a.exe', 'application/octet-stream', 'exe', 'attachment application/x-msdownload'],
  ['a.txt', 'text/plain', 'exe', 'attachment application/x-msdownload'],
  ['a.mp4', 'video/mp4', 'exe', 'attachment application/x-msdownload'],
  ['a', 'text/plain', 'elf', 'attachment application/x-executable'],
  ['a.mp4', 'video/mp4', 'mp4', 'inline video/mp4'],
  ['a.mov', 'video/quicktime', 'mp4', 'inline video/quicktime'],
  ['a.m4a', 'audio/mp4', 'm4a', 'inline audio/mp4'],
  ['a.webm', 'video/webm', 'webm', 'inline video/webm'],
  ['a.webm', 'audio/webm', 'webm', 'inline audio/webm'],
  ['a.ogg', 'audio/ogg', 'ogg', 'inline audio/ogg'],
  ['a.mp3', 'audio/mpeg', 'mp3', 'inline audio/mpeg'],
  ['a.mp3', 'audio/mp3', 'mp3', 'inline audio/mp3'],
  ['a.wav', 'audio/wav', 'wav', 'inline audio/wav'],
  ['a.swf', 'application/x-shockwave-flash', 'text', 'attachment application/x-shockwave-flash'],
]

/** Pictures by the size in their header: fifty million pixels are the most. */
export const PICTURES: readonly (readonly [
  name: string,
  outcome: 'taken' | 'refused',
  bytes: Buffer<ArrayBuffer>,
  type: string,
])[] = [
  ['a png of 50 million pixels', 'taken', png(10_000, 5_000), 'image/png'],
  ['a png of one row more', 'refused', png(10_000, 5_001), 'image/png'],
  ['a png as large as a png can say', 'refused', png(0x7fffffff, 0x7fffffff), 'image/png'],
  ['a png without a height', 'refused', png(10, 0), 'image/png'],
  ['a png cut before its size', 'refused', png(2, 3).subarray(0, 20), 'image/png'],
  ['a jpeg of 65,535 by 65,535', 'refused', jpeg(65_535, 65_535), 'image/jpeg'],
  ['a jpeg behind 130 KB of metadata', 'taken', jpeg(2, 3, 130_000), 'image/jpeg'],
  ['a far too large jpeg behind 330 KB of metadata', 'refused', jpeg(65_535, 65_535, 330_000), 'image/jpeg'],
  ['a small jpeg behind 330 KB of metadata', 'taken', jpeg(2, 3, 330_000), 'image/jpeg'],
  ['a jpeg that says no size', 'refused', latin('\xff\xd8\xff\xe1\0\x04ab\xff\xd9'), 'image/jpeg'],
  ['a jpeg that says it is a file of bytes', 'refused', jpeg(65_535, 65_535), 'application/octet-stream'],
  ['a gif of 65,535 by 65,535', 'refused', gif(65_535, 65_535), 'image/gif'],
  ['a webp of 16,384 by 16,384', 'refused', webp(16_384, 16_384), 'image/webp'],
  ['an avif of many tiles', 'refused', avif([512, 512], [20_000, 20_000], [512, 512]), 'image/avif'],
  ['an avif of some tiles', 'taken', avif([512, 512], [1_024, 1_024]), 'image/avif'],
  ['an avif without a size', 'refused', avif(), 'image/avif'],
]
