import { fold, type Lexicon, type Token } from './lexicon.ts'

const DATE = /^(\d{1,2})[./](\d{1,2})(?:[./](\d{4}))?$/
const ISO = /^(\d{4})-(\d{1,2})-(\d{1,2})$/

/** What the words mean one by one; `undefined` when there is a word that means nothing here. */
export function tokensOf(text: string, { joined, words }: Lexicon): readonly Token[] | undefined {
  let line = fold(text)
    .replaceAll(/(\d),(\d)/g, '$1.$2')
    .replaceAll(/[,;!?()«»"„”“…]/g, ' ')
    .replaceAll(/(\d+)(?:st|nd|rd|th)(?![\p{L}])/gu, ' #$1 ')
    .replaceAll(/(\d+)-(?:го|ого|его|е|ое|ый|му)(?![\p{L}])/gu, ' #$1 ')
    .replaceAll(/(\d)(\p{L})/gu, '$1 $2')
    .replaceAll(/(\p{L})(\d)/gu, '$1 $2')
    .replaceAll(/(\p{L})-(\p{L})/gu, '$1 $2')
  for (const [pattern, by] of joined) line = line.replaceAll(pattern, by)
  const tokens: Token[] = []
  for (const word of line.split(/\s+/)) {
    const token = word === '' ? undefined : (tokenOfDigits(word) ?? words.get(word.replace(/\.+$/, '')))
    if (token) tokens.push(token)
    else if (word !== '') return undefined
  }
  return joinNumbers(tokens)
}

function tokenOfDigits(word: string): Token | undefined {
  const clock = /^(\d{1,2}):(\d{2})$/.exec(word)
  if (clock) return { kind: 'clock', hour: Number(clock[1]), minute: Number(clock[2]) }
  const iso = ISO.exec(word)
  if (iso) return { kind: 'date', day: Number(iso[3]), month: Number(iso[2]), year: Number(iso[1]) }
  if (/^#\d{1,2}$/.test(word)) return { kind: 'number', value: Number(word.slice(1)), ordinal: true }
  const date = DATE.exec(word)
  if (date?.[3] !== undefined || (date && word.includes('/'))) return dateOf(date)
  // `2.5`, `9.30` and `24.11` are told apart by what stands around them.
  if (/^\d{1,4}(\.\d{1,2})?\.?$/.test(word))
    return { kind: 'number', value: Number(word), ...(/^0\d|\.\d\d/.test(word) ? { padded: true } : {}) }
  return undefined
}

/** With a slash Americans put the month first: where both readings exist, neither is taken. */
function dateOf([all, first = '', second = '', year]: RegExpExecArray): Token | undefined {
  const [one, two] = [Number(first), Number(second)]
  const ambiguous = all.includes('/') && one <= 12 && two <= 12 && one !== two
  if (ambiguous) return undefined
  const swapped = all.includes('/') && two > 12
  const place = swapped ? { day: two, month: one } : { day: one, month: two }
  return { kind: 'date', ...place, ...(year === undefined ? {} : { year: Number(year) }) }
}

/** `twenty five` is one number. */
function joinNumbers(tokens: readonly Token[]): readonly Token[] {
  const joined: Token[] = []
  for (const token of tokens) {
    const before = joined.at(-1)
    const isRest = token.kind === 'number' && token.value < 10 && Number.isInteger(token.value)
    const isTens = before?.kind === 'number' && before.value >= 20 && before.value < 100 && before.value % 10 === 0
    if (isRest && isTens && token.value > 0 && before.padded !== true && token.padded !== true) {
      joined[joined.length - 1] = { ...token, value: before.value + token.value }
    } else joined.push(token)
  }
  return joined
}
