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
