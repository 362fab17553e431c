/**
 * What one emoji is made of: a keycap, a flag of two letters, or a picture with its variation, skin tone, joined pictures
 * and tags. Written out, because the engine's own `\p{RGI_Emoji}` is a list of thousands and takes a twentieth of a second
 * to make ready, in the middle of the first painting.
 */
const PICTURE = String.raw`\p{ExtPict}(?:\uFE0F|\p{EMod})?`
const EMOJI = String.raw`(?:[#*\d]\uFE0F?\u20E3|\p{RI}{2}|${PICTURE}(?:\u200D${PICTURE})*[\u{E0020}-\u{E007F}]*)`

const ONE = new RegExp(`^${EMOJI}$`, 'u')
const SOME = new RegExp(String.raw`^(?:${EMOJI}\s*)+$`, 'u')
const EACH = new RegExp(EMOJI, 'gu')

export const isEmoji = (text: string): boolean => ONE.test(text)

/** How many emoji a text consists of; 0 when it holds anything else but spaces between them. */
export const emojiAlone = (text: string): number => (SOME.test(text) ? (text.match(EACH)?.length ?? 0) : 0)
