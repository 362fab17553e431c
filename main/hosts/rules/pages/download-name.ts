/** More than this many of one name in a folder, and something else is wrong. */
const ENOUGH = 1_000
const LONGEST = 200
/** Names that Windows keeps for devices, with any ending. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i

/**
 * A name for a file that someone else named: nothing of it may lead out of the folder, hide, or turn the name round on
 * the screen.
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

/** The same name where nothing has it yet, else with the next number: `plan (2).pdf`. */
export function freeFileName(name: string, exists: (name: string) => boolean): string {
  const [stem, ending] = split(name)
  for (let number = 1; number < ENOUGH; number += 1) {
    const candidate = number === 1 ? name : `${stem} (${number})${ending}`
    if (!exists(candidate)) return candidate
  }
  throw new Error('Impossible: a thousand files of one name')
}

/** `.gz` of `a.tar.gz` alone would part what belongs together. */
function split(name: string): [stem: string, ending: string] {
  const ending = /(?:\.tar)?\.[\p{L}\p{N}]{1,12}$/u.exec(name)?.[0] ?? ''
  return ending === name ? [name, ''] : [name.slice(0, name.length - ending.length), ending]
}
