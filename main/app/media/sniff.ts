/** The type of a file by its first bytes. Names and declared types cannot be trusted. */
type Signature = { readonly mimeType: string; readonly at: number; readonly bytes: readonly number[] }

const ascii = (text: string): readonly number[] => Array.from(text, (char) => char.charCodeAt(0))

const SIGNATURES: readonly Signature[] = [
  { mimeType: 'image/png', at: 0, bytes: [0x89, ...ascii('PNG\r\n'), 0x1a, 0x0a] },
  { mimeType: 'image/jpeg', at: 0, bytes: [0xff, 0xd8, 0xff] },
  { mimeType: 'image/gif', at: 0, bytes: ascii('GIF8') },
  { mimeType: 'image/webp', at: 8, bytes: ascii('WEBP') },
  { mimeType: 'image/avif', at: 4, bytes: ascii('ftypavi') },
  { mimeType: 'audio/wav', at: 8, bytes: ascii('WAVE') },
  { mimeType: 'audio/mp4', at: 4, bytes: ascii('ftypM4A') },
  { mimeType: 'video/quicktime', at: 4, bytes: ascii('ftypqt') },
  { mimeType: 'video/mp4', at: 4, bytes: ascii('ftyp') },
  { mimeType: 'video/webm', at: 0, bytes: [0x1a, 0x45, 0xdf, 0xa3] },
  { mimeType: 'audio/ogg', at: 0, bytes: ascii('OggS') },
  { mimeType: 'audio/flac', at: 0, bytes: ascii('fLaC') },
  { mimeType: 'audio/mpeg', at: 0, bytes: ascii('ID3') },
  { mimeType: 'audio/mpeg', at: 0, bytes: [0xff, 0xfb] },
  { mimeType: 'application/pdf', at: 0, bytes: ascii('%PDF-') },
  // Programs of Windows, Linux and macOS, and scripts with an interpreter line: never opened, whatever their name.
  { mimeType: 'application/x-executable', at: 0, bytes: ascii('MZ') },
  { mimeType: 'application/x-executable', at: 0, bytes: [0x7f, ...ascii('ELF')] },
  { mimeType: 'application/x-executable', at: 0, bytes: [0xcf, 0xfa, 0xed, 0xfe] },
  { mimeType: 'application/x-executable', at: 0, bytes: [0xca, 0xfe, 0xba, 0xbe] },
  { mimeType: 'application/x-executable', at: 0, bytes: ascii('#!') },
]

export const SNIFF_BYTES = 32

/** Unknown types, including HTML and SVG, can be saved but are not shown. */
export function sniff(head: Uint8Array): string {
  const found = SIGNATURES.find(({ at, bytes }) => bytes.every((byte, index) => head[at + index] === byte))
  return found?.mimeType ?? 'application/octet-stream'
}
