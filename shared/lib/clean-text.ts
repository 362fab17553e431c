/** Direction overrides, invisible marks, controls and tag characters. */
const UNSAFE = /[\p{Cc}\u{61C}\u{200E}\u{200F}\u{202A}-\u{202E}\u{2066}-\u{2069}\u{FFF9}-\u{FFFB}\u{E0000}-\u{E007F}]/gu
/** Stacked marks beyond the eighth on one base letter. */
const ZALGO = /(\p{M}{8})\p{M}+/gu

/** What no text may hold: NUL goes, a lone surrogate becomes U+FFFD. Every border does this to what comes in. */
export const cleaned = (text: string): string => text.toWellFormed().replaceAll('\u0000', '')

/** Spaces of any script, marks on nothing, joiners and other signs without a shape, and the empty pattern of braille. */
const UNSEEN = /^[\s\p{Z}\p{Cc}\p{Cf}\p{M}\p{Default_Ignorable_Code_Point}\u2800]*$/u

/** Nothing of it is seen. */
export const isBlank = (text: string): boolean => UNSEEN.test(text)

/** Words of a message: lone surrogates become U+FFFD, NUL goes, and what is too long is cut at a whole character. */
export function cleanText(text: string, limit: number): string {
  return clipped(cleaned(text), limit)
}

/** Words as they are drawn: they keep their direction marks, because they stand isolated, but not towers of marks. */
export const shownText = (text: string): string => text.replace(ZALGO, '$1')

/** A name, title or file name: one line that cannot disguise itself or grow out of its line. */
export function cleanName(text: string, limit = Number.POSITIVE_INFINITY): string {
  return clipped(text.toWellFormed().replace(UNSAFE, '').replace(ZALGO, '$1').trim(), limit)
}

function clipped(text: string, limit: number): string {
  if (text.length <= limit) return text
  return text.slice(0, limit).replace(/[\u{D800}-\u{DBFF}]$/u, '')
}
