/** Direction overrides, invisible marks, controls and tag characters. */
const UNSAFE = /[\p{Cc}\u{61C}\u{200E}\u{200F}\u{202A}-\u{202E}\u{2066}-\u{2069}\u{FFF9}-\u{FFFB}\u{E0000}-\u{E007F}]/gu
/** Combining marks beyond the eighth on one base letter. */
const ZALGO = /(\p{M}{8})\p{M}+/gu

/**
 * What no text may contain: NUL is removed, a lone surrogate becomes U+FFFD. Every boundary applies this to its input.
 */
export const cleaned = (text: string): string => text.toWellFormed().replaceAll('\u0000', '')

/**
 * Spaces of any script, marks without a base, joiners and other characters without a glyph, and the empty braille
 * pattern.
 */
const UNSEEN = /^[\s\p{Z}\p{Cc}\p{Cf}\p{M}\p{Default_Ignorable_Code_Point}\u2800]*$/u

/** Whether nothing of the text is visible. */
export const isBlank = (text: string): boolean => UNSEEN.test(text)

/**
 * Text of a message: lone surrogates become U+FFFD, NUL is removed, and the rest is cut to the limit at a whole
 * character.
 */
export function cleanText(text: string, limit: number): string {
  return clipped(cleaned(text), limit)
}

/**
 * Text for display: it keeps its direction marks, because it is rendered isolated, but not more than eight combining
 * marks.
 */
export const shownText = (text: string): string => text.replace(ZALGO, '$1')

/** Most names, and all types of events: nothing in them could be removed. */
const PLAIN = /^[!-~](?:[ -~]*[!-~])?$/

/** A name, title or file name: one line that cannot disguise itself or overflow vertically. */
export function cleanName(text: string, limit = Number.POSITIVE_INFINITY): string {
  if (PLAIN.test(text)) return clipped(text, limit)
  return clipped(text.toWellFormed().replace(UNSAFE, '').replace(ZALGO, '$1').trim(), limit)
}

function clipped(text: string, limit: number): string {
  if (text.length <= limit) return text
  return text.slice(0, limit).replace(/[\u{D800}-\u{DBFF}]$/u, '')
}
