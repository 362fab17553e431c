/**
 * Text normalization for search: lower case, no accents, ł as l, ё as е, ß as ss. Scripts without spaces (Chinese,
 * Japanese, Korean, Thai …) are split into overlapping pairs of characters, so that any part of a text is found. Any
 * change of the output requires a new {@link FOLD_VERSION}.
 */
export const FOLD_VERSION = 2

/** A folded word, and its range in the text (UTF-16 units, end exclusive). */
export type Word = { readonly word: string; readonly start: number; readonly end: number }

/** Longer words are cut, in texts and in queries alike: keys and encoded bytes, not words. */
const WORD_LIMIT = 64

/** Letters that Unicode does not decompose. */
export const LETTERS: Readonly<Record<string, string>> = {
  ł: 'l',
  đ: 'd',
  ð: 'd',
  ø: 'o',
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  þ: 'th',
  ħ: 'h',
  ŧ: 't',
  ŋ: 'n',
  ı: 'i',
  ſ: 's',
  ґ: 'г',
  ς: 'σ',
}

/** Accents of Latin, Greek, Cyrillic, Hebrew and Arabic. Marks of other scripts are part of their words. */
const ACCENTS: readonly (readonly [number, number])[] = [
  [0x0300, 0x036f],
  [0x0483, 0x0489],
  [0x0591, 0x05bd],
  [0x05bf, 0x05bf],
  [0x05c1, 0x05c1],
  [0x05c2, 0x05c2],
  [0x05c4, 0x05c4],
  [0x05c5, 0x05c5],
  [0x05c7, 0x05c7],
  [0x0610, 0x061a],
  [0x064b, 0x065f],
  [0x0670, 0x0670],
  [0x06d6, 0x06dc],
  [0x06df, 0x06e4],
  [0x06e7, 0x06e7],
  [0x06e8, 0x06e8],
  [0x06ea, 0x06ed],
  [0x1ab0, 0x1aff],
  [0x1dc0, 0x1dff],
  [0x20d0, 0x20ff],
  [0xfe20, 0xfe2f],
]
const isAccent = (character: string): boolean => {
  const code = character.codePointAt(0) ?? 0
  return ACCENTS.some(([first, last]) => code >= first && code <= last)
}
const IN_WORD = /[\p{L}\p{N}\p{M}]/u
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー]/u
const PICTURE = /\p{Extended_Pictographic}/u

/** The folded form of one character, or why it has none. */
type Folded = { readonly kind: 'letter' | 'unspaced' | 'picture' | 'accent' | 'gap'; readonly text: string }

const folded = new Map<string, Folded>()
const FOLDED_LIMIT = 20_000

function foldCharacter(character: string): Folded {
  const known = folded.get(character)
  if (known) return known
  const made = createFolded(character)
  if (folded.size >= FOLDED_LIMIT) folded.clear()
  folded.set(character, made)
  return made
}

function createFolded(character: string): Folded {
  if (isAccent(character)) return { kind: 'accent', text: '' }
  if (UNSPACED.test(character)) return { kind: 'unspaced', text: character.normalize('NFKC').toLowerCase() }
  if (PICTURE.test(character)) return { kind: 'picture', text: character }
  if (!IN_WORD.test(character)) return { kind: 'gap', text: '' }
  const small = character.toLowerCase()
  // The only letter whose accent makes it a different letter to its readers.
  if (small === 'й') return { kind: 'letter', text: small }
  const plain = Array.from(small.normalize('NFKD')).filter((part) => !isAccent(part))
  const text = plain.map((part) => LETTERS[part] ?? part.toLowerCase()).join('')
  return /^[\p{L}\p{N}\p{M}]+$/u.test(text) ? { kind: 'letter', text } : { kind: 'gap', text: '' }
}

/** A combining mark that forms another letter with the letter before it: и + ̆, か + ゙. */
function composed(before: string, mark: string): string | undefined {
  const whole = `${before}${mark}`.normalize('NFC')
  return whole.length === 1 && (whole === 'й' || UNSPACED.test(whole)) ? whole : undefined
}

/** The folded words of a short text, such as a name, where it does not matter at which place they are. */
export const foldedWords = (text: string): readonly string[] =>
  fold(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')

/** Whether each word that is asked for is part of a word of the text. */
export function hasParts(text: string, asked: string): boolean {
  const words = foldedWords(text)
  return foldedWords(asked).every((part) => words.some((word) => word.includes(part)))
}

/** All words of a text, in order. */
export function wordsOf(text: string): Word[] {
  return /^[\0-\x7F]*$/.test(text) ? plainWords(text) : anyWords(text)
}

function plainWords(text: string): Word[] {
  const words: Word[] = []
  for (const match of text.toLowerCase().matchAll(/[a-z0-9]+/g)) {
    const start = match.index
    words.push({ word: match[0].slice(0, WORD_LIMIT), start, end: start + match[0].length })
  }
  return words
}

function anyWords(text: string): Word[] {
  const words: Word[] = []
  let word = ''
  let start = 0
  /** Characters of a run without spaces, with their ranges. */
  let run: Word[] = []
  let at = 0
  const endWord = (): void => {
    if (word !== '') words.push({ word: word.slice(0, WORD_LIMIT), start, end: at })
    word = ''
  }
  const endRun = (): void => {
    words.push(...pairsOf(run))
    run = []
  }
  for (const character of text) {
    const next = at + character.length
    const { kind, text: letters } = foldCharacter(character)
    const last = run.at(-1)
    if (last && run.length > 0 && /\p{M}/u.test(character) && composed(last.word, character) !== undefined) {
      run[run.length - 1] = { ...last, word: composed(last.word, character) ?? last.word, end: next }
    } else if (kind === 'accent') {
      const whole = word === '' ? undefined : composed(word.slice(-1), character)
      if (whole !== undefined) word = `${word.slice(0, -1)}${whole}`
    } else if (kind === 'unspaced') {
      endWord()
      run.push({ word: letters, start: at, end: next })
    } else {
      endRun()
      if (kind === 'letter') {
        if (word === '') start = at
        word += letters
      } else {
        endWord()
        if (kind === 'picture') words.push({ word: letters, start: at, end: next })
      }
    }
    at = next
  }
  endWord()
  endRun()
  return words
}

/** 東京都 becomes 東京, 京都 and 都: every substring is a prefix of one of them. */
function pairsOf(run: readonly Word[]): Word[] {
  return run.map((one, index) => {
    const after = run[index + 1]
    return after ? { word: one.word + after.word, start: one.start, end: after.end } : one
  })
}

/** Whether the text contains a script without spaces. */
export const isUnspaced = (word: string): boolean => UNSPACED.test(word)

/** The folded words of a text, separated by spaces: equal for texts that a search treats as equal. */
export const fold = (text: string): string =>
  wordsOf(text)
    .map(({ word }) => word)
    .join(' ')
