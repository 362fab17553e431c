import { endingOf, runsWhenOpened } from '#shared/rules/uploads/uploads.ts'

/** Name of a file that Parlor writes, with the local day: `parlor-team-plans-2026-11-22.json`. */
export function exportName(at: number, subject: string, ending: string): string {
  const what = subject.replaceAll(/[^A-Za-z0-9_-]/g, '-').slice(0, 60)
  const date = new Date(at)
  const day = [date.getFullYear(), date.getMonth() + 1, date.getDate()]
  return `parlor-${what}-${day.map((part) => String(part).padStart(2, '0')).join('-')}.${ending}`
}

/** The detected type of each extension, for types with a signature. */
const KINDS: Readonly<Record<string, readonly string[]>> = {
  png: ['image/png'],
  jpg: ['image/jpeg'],
  jpeg: ['image/jpeg'],
  gif: ['image/gif'],
  webp: ['image/webp'],
  avif: ['image/avif'],
  wav: ['audio/wav'],
  flac: ['audio/flac'],
  ogg: ['audio/ogg'],
  oga: ['audio/ogg'],
  opus: ['audio/ogg'],
  mp3: ['audio/mpeg'],
  m4a: ['audio/mp4', 'video/mp4'],
  mp4: ['video/mp4', 'audio/mp4', 'video/quicktime'],
  m4v: ['video/mp4'],
  mov: ['video/quicktime', 'video/mp4'],
  webm: ['video/webm'],
  mkv: ['video/webm'],
  pdf: ['application/pdf'],
}

/** Types without a signature: their bytes must not have that of another type. */
const UNTOLD = 'application/octet-stream'

/** A name for the system: without an extension it gets that of its detected type, if any. */
export function withEnding(name: string, sniffed: string): string {
  const known = Object.entries(KINDS).find(([, types]) => types[0] === sniffed)?.[0]
  return known === undefined || /\.[^.]+$/.test(name) ? name : `${name}.${known}`
}

/** `runs`: opening it would run code; `mismatch`: its name and its bytes are of different types. */
type OpenDecision = 'open' | 'runs' | 'mismatch'

/**
 * Whether a file from a conversation may be opened in the system's program for its type. Decided by the last ending of
 * its name, which is what the system uses, and by the type found in its bytes.
 */
export function openDecision(name: string, sniffed: string): OpenDecision {
  if (sniffed === 'application/x-executable') return 'runs'
  if (runsWhenOpened(name)) return 'runs'
  const ending = endingOf(name) ?? ''
  const wanted = KINDS[ending] ?? [UNTOLD]
  return wanted.includes(sniffed) ? 'open' : 'mismatch'
}

/** Numbers tried at most for one name. */
const ENOUGH = 1_000
const LONGEST = 200
/** Names that Windows reserves for devices, with any extension. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i

/**
 * A safe name for a file named by another user: it cannot leave the folder, be hidden, or display in reverse.
 */
export function safeFileName(name: string): string {
  const plain = name
    .normalize('NFC')
    .replaceAll(/[\p{Cc}\p{Cf}]/gu, '')
    .replaceAll(/[/\\:*?"<>|]/g, '_')
    .replace(/^[.\s]+/, '')
    .replace(/[.\s]+$/, '')
  const [stem, ending] = split(plain)
  const cut = `${stem.slice(0, LONGEST - ending.length)}${ending}`
  if (cut === '') return 'download'
  return DEVICE.test(cut) ? `_${cut}` : cut
}

/** The same name if it is free, otherwise with the next number: `plan (2).pdf`. */
export function freeFileName(name: string, exists: (name: string) => boolean): string {
  const [stem, ending] = split(name)
  for (let number = 1; number < ENOUGH; number += 1) {
    const candidate = number === 1 ? name : `${stem} (${number})${ending}`
    if (!exists(candidate)) return candidate
  }
  throw new Error('Impossible: a thousand files of one name')
}

/** `.tar.gz` counts as one extension. */
function split(name: string): [stem: string, ending: string] {
  const ending = /(?:\.tar)?\.[\p{L}\p{N}]{1,12}$/u.exec(name)?.[0] ?? ''
  return ending === name ? [name, ''] : [name.slice(0, name.length - ending.length), ending]
}
