/** Bidi controls, controls, interlinear marks and tag characters: a name or file name never needs them. */
const UNWANTED = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]/gu
/** More than eight marks on one letter only serve to cover other lines. */
const PILED_MARKS = /(\p{M}{8})\p{M}+/gu

/** A name, channel title or file name without characters that could disguise it. */
export const cleanName = (name: string): string => name.replaceAll(UNWANTED, '').replaceAll(PILED_MARKS, '$1')

/** Message text keeps its direction marks (it stands isolated), but not towers of marks. */
export const cleanText = (text: string): string => text.replaceAll(PILED_MARKS, '$1')
