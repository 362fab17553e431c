/**
 * Kinds of files that run, install, configure or call something when they are opened, or are pages that run scripts.
 * They are only ever saved.
 */
const RUNS = new Set(
  [
    'action app appimage application appref-ms appx appxbundle applescript bash bat chm cmd com command cpl crx csh',
    'desktop deb diagcab dll dmg dotm exe fileloc fish flatpak flatpakref gadget hlp hta htm html img inetloc inf iqy',
    'iso jar jnlp js jse ksh lib library-ms lnk lua mht mhtml mjs mpkg msc msi msix msixbundle msp mst ocx one osx pif',
    'pkg php pl potm ppam pptm prf ps1 ps1xml ps2 psc1 psd1 psm1 py pyc pyw rb rdp reg rpm run scf scpt scptd scr',
    'search-ms settingcontent-ms sh shtml slk sldm snap so svg sys terminal theme themepack tool url vb vbe vbs vhd',
    'vhdx webloc wflow workflow ws wsc wsf wsh xhtml xla xlam xlm xlsm xltm xll xml xpi xsl xslt zsh docm class dylib',
  ].flatMap((line) => line.split(' ')),
)

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
  const ending = /\.([^.]+)$/.exec(name.trim().toLowerCase())?.[1]
  if (sniffed === 'application/x-executable') return 'runs'
  // Without an extension the system decides by the bytes, by its own rules.
  if (ending === undefined || RUNS.has(ending)) return 'runs'
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
