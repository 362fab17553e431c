/** The hue of an id, 1 to 8. The same at all times and on all devices. */
export function hueOf(id: string): number {
  let hash = 0
  for (const char of id) hash = (Math.imul(hash, 31) + (char.codePointAt(0) ?? 0)) >>> 0
  return (hash % 8) + 1
}

/** First letters of two words, or the first letter of one. Emoji and brackets do not count as words. */
export function initialsOf(name: string): string {
  const text = name.split(/\s+/).filter((word) => /^[\p{L}\p{N}]/u.test(word))
  const letters = text.map((word) => String.fromCodePoint(word.codePointAt(0) ?? 63))
  const first = letters[0] ?? '?'
  const last = letters.length > 1 ? (letters.at(-1) ?? '') : ''
  return (first + last).toLocaleUpperCase()
}

/** Two letters for a channel in the rail: the first letters of its first two words, or the first two of a single word. */
export function twoLetters(name: string): string {
  const text = name.split(/[\s_\-.]+/).filter((word) => /^[\p{L}\p{N}]/u.test(word))
  const first = Array.from(text[0] ?? '?')
  const second = text[1] === undefined ? (first[1] ?? '') : (Array.from(text[1])[0] ?? '')
  return `${first[0] ?? '?'}${second}`
}
