/** Letters that Unicode does not decompose. See docs/wire.md 7.18 "diacritics". */
const LETTERS: Readonly<Record<string, string>> = { ł: 'l', đ: 'd', ø: 'o', ß: 'ss', æ: 'ae', ё: 'е' }

/** Lower case, without accents. */
export function fold(text: string): string {
  return text
    .toLowerCase()
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[łđøßæё]/g, (letter) => LETTERS[letter] ?? letter)
}

/** ` anna maria`: each word with a leading space, so that " an" matches words with this prefix. */
export function toWords(text: string): string {
  return fold(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
    .map((word) => ` ${word}`)
    .join('')
}
