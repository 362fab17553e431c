/**
 * One emoji: a keycap, a flag of two letters, or a pictograph with variation selector, skin tone, joined pictographs and
 * tags. Written out, because compiling `\p{RGI_Emoji}`, a list of thousands, takes about 50 ms during the first paint.
 */
const PICTURE = String.raw`\p{ExtPict}(?:\uFE0F|\p{EMod})?`
const EMOJI = String.raw`(?:[#*\d]\uFE0F?\u20E3|\p{RI}{2}|${PICTURE}(?:\u200D${PICTURE})*[\u{E0020}-\u{E007F}]*)`

const ONE = new RegExp(`^${EMOJI}$`, 'u')
const SOME = new RegExp(String.raw`^(?:${EMOJI}\s*)+$`, 'u')
const EACH = new RegExp(EMOJI, 'gu')

export const isEmoji = (text: string): boolean => ONE.test(text)

/** The number of emoji in a text of only emoji and spaces; 0 for any other text. */
export const emojiAlone = (text: string): number => (SOME.test(text) ? (text.match(EACH)?.length ?? 0) : 0)
