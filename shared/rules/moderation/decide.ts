import {
  type BlockList,
  type Rule,
  type RuleCondition,
  type TextRange,
  LIST_KINDS,
  RULE_ACTIONS,
  RULE_FINDS,
  type ListKind,
} from '../../domain/manage/rules.ts'
import { asCid } from '../../lib/brand.ts'
import { LETTERS } from '../search/search-fold.ts'

/** A word in the form in which words are compared. */
type ComparedWord = TextRange & { readonly word: string }

const UNSPACED = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}`

/**
 * A character of a script without spaces, which is a word of its own so that any part of a text matches, or a run of
 * letters, digits and marks. Invisible characters inside a word do not split it.
 */
const WORD = new RegExp(String.raw`[${UNSPACED}]\p{M}*|[[\p{L}\p{N}\p{M}\p{Cf}]--[${UNSPACED}]]+`, 'gv')

const LETTER = new RegExp(`[${Object.keys(LETTERS).join('')}]`, 'g')

/** Lower case, without accents and invisible characters, in compatible forms: `Łódź` and `lodz` are equal. */
const compared = (text: string): string =>
  /^[a-z0-9]*$/.test(text)
    ? text
    : text
        .normalize('NFKD')
        .toLowerCase()
        .replaceAll(/[\p{M}\p{Cf}]/gu, '')
        .replaceAll(LETTER, (letter) => LETTERS[letter] ?? letter)

/** The words of a text with their places. */
function comparedWords(text: string): ComparedWord[] {
  const words: ComparedWord[] = []
  for (const { 0: raw, index } of text.matchAll(WORD)) {
    const word = compared(raw)
    if (word !== '') words.push({ word, start: index, end: index + raw.length })
  }
  return words
}

/** A domain name or the last part of an address, compared like a word. */
const comparedName = (name: string): string => compared(name).replace(/^[.@]+/, '')

/** A host or an e-mail address in a text. */
type ComparedAddress = TextRange & {
  readonly kind: 'host' | 'email'
  readonly host: string
  readonly user: string
}

const RUN = /[\p{L}\p{N}\p{M}\p{Cf}._%+@-]+/gu
const TOP_LEVEL = /^\p{L}{2,}$/u

/** Hosts and e-mail addresses in a text, found in one pass. */
function addressesIn(text: string): ComparedAddress[] {
  return [...text.matchAll(RUN)].flatMap(({ 0: raw, index }): ComparedAddress[] => {
    const run = raw.slice(0, endOf(raw))
    if (!run.includes('.')) return []
    const at = run.lastIndexOf('@')
    const host = compared(run.slice(at + 1))
    const user = at < 1 ? '' : compared(run.slice(0, at))
    const dot = host.lastIndexOf('.')
    const isHost = dot > 0 && (TOP_LEVEL.test(host.slice(dot + 1)) || host.slice(dot + 1).startsWith('xn--'))
    if (!isHost) return []
    // What stands before @ in a link is no mailbox: the link leads to the host.
    const isEmail = user !== '' && text.slice(index - 2, index) !== '//'
    return [{ kind: isEmail ? 'email' : 'host', host, user, start: index, end: index + run.length }]
  })
}

/** Where a run ends without the full stop of its sentence. */
function endOf(run: string): number {
  let end = run.length
  while (end > 0 && '.-_%+@'.includes(run.charAt(end - 1))) end -= 1
  return end
}

const DIGITS_FROM = 9
const DIGITS_TO = 15
const NUMBER = /[+(]?\d[\d ().\u00A0\u2011-]*/gu

/** Telephone numbers: 9 to 15 digits with the usual separators. */
function phonesIn(text: string): TextRange[] {
  return [...text.matchAll(NUMBER)].flatMap(({ 0: raw, index }) => {
    const digits = raw.replaceAll(/\D/g, '').length
    if (digits < DIGITS_FROM || digits > DIGITS_TO) return []
    return [{ start: index, end: index + raw.replace(/\D+$/, '').length }]
  })
}

/** What a text is compared by: computed once for all rules. */
export type ReadText = {
  readonly text: string
  readonly words: readonly ComparedWord[]
  readonly addresses: readonly ComparedAddress[]
}

export const readText = (text: string): ReadText => ({ text, words: comparedWords(text), addresses: addressesIn(text) })

/** Finds the parts of a text that match. The number of entries hardly matters: they are looked up, not tried one by one. */
export type Matcher = (text: ReadText) => readonly TextRange[]

/** Entries of a block list as a matcher. */
export function listMatcher({ kind, words }: Pick<BlockList, 'kind' | 'words'>): Matcher {
  if (kind === 'word') return phraseMatcher(words)
  const entries = new Set(words.map((word) => comparedName(word.trim())).filter((entry) => entry !== ''))
  return ({ addresses }) =>
    addresses.filter((address) => address.kind === ADDRESS_OF[kind] && isListed(entries, address))
}

const ADDRESS_OF = { domain: 'host', email: 'email' } as const

/** The address itself, its domain, or a domain that this one belongs to. */
function isListed(entries: ReadonlySet<string>, { host, user }: ComparedAddress): boolean {
  if (user !== '' && entries.has(`${user}@${host}`)) return true
  const labels = host.split('.')
  return labels.some((_, index) => entries.has(labels.slice(index).join('.')))
}

/** Parts of words and what follows them, looked up by their lengths. */
class Parts {
  readonly #next = new Map<string, Place>()
  readonly #lengths = new Set<number>()

  follow(part: string): Place {
    const known = this.#next.get(part) ?? new Place()
    this.#next.set(part, known)
    this.#lengths.add(part.length)
    return known
  }

  /** The places behind the parts that `cut` takes from a word. */
  *matching(cut: (length: number) => Iterable<string>): Generator<Place> {
    for (const length of this.#lengths) {
      for (const part of cut(length)) {
        const next = this.#next.get(part)
        if (next !== undefined) yield next
      }
    }
  }
}

/** Longer words are no words: only their beginning is searched for parts. */
const SEARCHED = 200

/** A place in all phrases at once: those that begin with the same words share it. */
class Place {
  readonly #whole = new Map<string, Place>()
  #starts?: Parts
  #ends?: Parts
  #within?: Parts
  /** A phrase ends here. */
  ends = false

  /** The place behind a word of a phrase; `*` at one of its ends, or both, stands for the rest of the word. */
  follow(word: string, before: boolean, after: boolean): Place {
    if (before && after) return (this.#within ??= new Parts()).follow(word)
    if (before) return (this.#ends ??= new Parts()).follow(word)
    if (after) return (this.#starts ??= new Parts()).follow(word)
    const known = this.#whole.get(word) ?? new Place()
    this.#whole.set(word, known)
    return known
  }

  *matching(word: string): Generator<Place> {
    const whole = this.#whole.get(word)
    if (whole !== undefined) yield whole
    if (this.#starts) yield* this.#starts.matching((length) => [word.slice(0, length)])
    if (this.#ends) yield* this.#ends.matching((length) => (length > word.length ? [] : [word.slice(-length)]))
    if (this.#within) yield* this.#within.matching((length) => partsOf(word.slice(0, SEARCHED), length))
  }
}

function* partsOf(word: string, length: number): Generator<string> {
  for (let at = 0; at + length <= word.length; at += 1) yield word.slice(at, at + length)
}

/** Whole words in sequence, whatever is between them, regardless of case and accents. */
function phraseMatcher(phrases: readonly string[]): Matcher {
  const start = new Place()
  for (const phrase of phrases) {
    const words = comparedWords(phrase)
    let place = start
    for (const { word, start: from, end } of words) {
      place = place.follow(word, phrase.charAt(from - 1) === '*', phrase.charAt(end) === '*')
    }
    if (words.length > 0) place.ends = true
  }
  return ({ words }) =>
    words.flatMap(({ start: from }, index) => endsFrom(words, index, start).map((end) => ({ start: from, end })))
}

/** Where the phrases end that begin at a word. */
function endsFrom(words: readonly ComparedWord[], index: number, place: Place): number[] {
  const word = words[index]
  if (word === undefined) return []
  return [...place.matching(word.word)].flatMap((next) => [
    ...(next.ends ? [word.end] : []),
    ...endsFrom(words, index + 1, next),
  ])
}

/** A message that is being written, or was. */
export type RuleSubject = {
  readonly text: string
  readonly attachments: number
  readonly cid: string
  readonly role: string
  /** When the author's account was created; absent: not known, and counted as long ago. */
  readonly joinedAt?: number
  /** When the message is written. Epoch milliseconds, like `joinedAt`. */
  readonly at: number
}

/** The rule that decides about a message, and the parts of the text that it is about. */
export type Decision<Kind extends Rule = Rule> = { readonly rule: Kind; readonly ranges: readonly TextRange[] }

export type Decide<Kind extends Rule = Rule> = (subject: RuleSubject) => Decision<Kind> | undefined

const DAY_MS = 86_400_000
const EXEMPT: ReadonlySet<string> = new Set(['admin', 'moderator'])

/** A message as the rules read it. */
type Read = { readonly subject: RuleSubject; readonly read: ReadText }

/** The matching parts; `undefined`: the condition does not hold. */
type Check = (message: Read) => readonly TextRange[] | undefined

const NOTHING: readonly TextRange[] = []

/**
 * Prepares rules for many messages. The first rule that is switched on and whose conditions all hold decides. A rule
 * without conditions matches nothing, and so does a condition whose block list does not exist.
 */
export function decideBy<Kind extends Rule>(rules: readonly Kind[], lists: readonly BlockList[]): Decide<Kind> {
  const matchers = new Map<string, Matcher>()
  const named = new Map(lists.map((list) => [list.name, list]))
  const matcherOf = (name: string): Matcher | undefined => {
    const list = named.get(name)
    if (list === undefined) return undefined
    const made = matchers.get(name) ?? listMatcher(list)
    matchers.set(name, made)
    return made
  }
  const active = rules
    .filter(({ enabled, conditions }) => enabled && conditions.length > 0)
    .map((rule) => ({ rule, checks: rule.conditions.map((condition) => checkOf(condition, matcherOf)) }))
  return (subject) => {
    const isExempt = EXEMPT.has(subject.role)
    const message: Read = { subject, read: readText(subject.text) }
    for (const { rule, checks } of active) {
      if (isExempt && rule.everyone !== true) continue
      const ranges = all(checks, message)
      if (ranges !== undefined) return { rule, ranges: joined(ranges) }
    }
    return undefined
  }
}

function all(checks: readonly Check[], message: Read): readonly TextRange[] | undefined {
  const ranges: TextRange[] = []
  for (const check of checks) {
    const found = check(message)
    if (found === undefined) return undefined
    ranges.push(...found)
  }
  return ranges
}

function checkOf(condition: RuleCondition, matcherOf: (list: string) => Matcher | undefined): Check {
  switch (condition.kind) {
    case 'list':
      return matching(matcherOf(condition.list))
    case 'words':
      return matching(phraseMatcher(condition.words))
    case 'has':
      return FINDS[condition.what]
    case 'joined': {
      const youngest = condition.days * DAY_MS
      return ({ subject: { at, joinedAt } }) =>
        joinedAt !== undefined && at - joinedAt < youngest ? NOTHING : undefined
    }
    case 'role':
      return ({ subject }) => (subject.role === condition.role ? NOTHING : undefined)
    case 'channel':
      return ({ subject }) => (subject.cid === condition.cid ? NOTHING : undefined)
  }
}

const matching =
  (matcher: Matcher | undefined): Check =>
  ({ read }) =>
    some(matcher?.(read) ?? NOTHING)

const some = (ranges: readonly TextRange[]): readonly TextRange[] | undefined =>
  ranges.length > 0 ? ranges : undefined

const FINDS: Readonly<Record<Extract<RuleCondition, { kind: 'has' }>['what'], Check>> = {
  link: ({ read }) => some(read.addresses.filter(({ kind }) => kind === 'host')),
  email: ({ read }) => some(read.addresses.filter(({ kind }) => kind === 'email')),
  phone: ({ subject }) => some(phonesIn(subject.text)),
  attachment: ({ subject }) => (subject.attachments > 0 ? NOTHING : undefined),
}

/** In order, overlapping ones as one. */
function joined(ranges: readonly TextRange[]): TextRange[] {
  const merged: TextRange[] = []
  for (const { start, end } of ranges.toSorted((a, b) => a.start - b.start || a.end - b.end)) {
    const last = merged.at(-1)
    if (last !== undefined && start < last.end) merged[merged.length - 1] = { ...last, end: Math.max(last.end, end) }
    else merged.push({ start, end })
  }
  return merged
}

/** The text with one • for each character of the parts that match; spaces stay. */
export function masked(text: string, ranges: readonly TextRange[]): string {
  let at = 0
  let out = ''
  for (const { start, end } of ranges) {
    out += text.slice(at, start) + text.slice(start, end).replaceAll(/\S/gu, '•')
    at = end
  }
  return out + text.slice(at)
}

/** The matching words as written, each once. */
export const hitsIn = (text: string, ranges: readonly TextRange[]): string[] => [
  ...new Set(ranges.map(({ start, end }) => text.slice(start, end))),
]

type Fields = Readonly<Record<string, unknown>>

const MAX_CONDITIONS = 20
const MAX_WORDS = 200
const MAX_WORD = 255
const MAX_DAYS = 3_650
const MAX_TEXT = 500

/**
 * A rule as it is sent. `undefined` for one of another shape: servers have rules that are not of this kind. See
 * docs/wire.md 5.26.
 */
export function readRule(value: unknown): Rule | undefined {
  if (!isFields(value)) return undefined
  const { id, name, enabled, conditions, action, sender_text: text } = value
  const known = RULE_ACTIONS.find((each) => each === action)
  if (typeof id !== 'string' || typeof name !== 'string' || known === undefined) return undefined
  if (!Array.isArray(conditions) || conditions.length > MAX_CONDITIONS) return undefined
  const read = conditions.map(readCondition)
  if (!read.every((each) => each !== undefined)) return undefined
  return {
    id,
    name,
    enabled: enabled !== false,
    conditions: read,
    action: known,
    ...(typeof text === 'string' && text !== '' ? { text: text.slice(0, MAX_TEXT) } : {}),
  }
}

/** Rules are checked in the order of their positions; those without one come last. */
export const positionOf = (value: unknown): number => {
  const position = isFields(value) ? value['position'] : undefined
  return typeof position === 'number' && Number.isFinite(position) ? position : Number.MAX_SAFE_INTEGER
}

/** Configurations that apply to what is written in channels of a type, the nearest first; others are for checks that name them. */
export const configKeys = (type: string): readonly string[] => [`chat:${type}`, 'chat']

/** The block lists that a moderation configuration names, as rules: one list each, `flag` or `remove`. */
export function configRules(key: string, config: unknown): Rule[] {
  const lists = isFields(config) ? config['block_list_config'] : undefined
  if (!isFields(lists) || lists['enabled'] === false || !Array.isArray(lists['rules'])) return []
  return lists['rules'].flatMap((entry: unknown): Rule[] => {
    if (!isFields(entry) || typeof entry['name'] !== 'string') return []
    const { name, action } = entry
    return [
      {
        id: `${key}/${name}`,
        name,
        enabled: true,
        conditions: [{ kind: 'list', list: name }],
        action: action === 'remove' ? 'block' : 'flag',
        everyone: true,
      },
    ]
  })
}

/** The fields of a rule as they are sent. */
export const writeRule = ({ id, name, enabled, conditions, action, text }: Rule): Fields => ({
  id,
  name,
  enabled,
  conditions,
  action,
  ...(text === undefined || text === '' ? {} : { sender_text: text }),
})

function readCondition(value: unknown): RuleCondition | undefined {
  if (!isFields(value)) return undefined
  const { kind, list, words, what, days, role, cid } = value
  if (kind === 'list' && typeof list === 'string' && list !== '') return { kind, list }
  if (kind === 'words' && Array.isArray(words) && words.length <= MAX_WORDS) {
    const texts = words.filter((word) => typeof word === 'string' && word !== '' && word.length <= MAX_WORD)
    return texts.length === words.length ? { kind, words: texts } : undefined
  }
  if (kind === 'has') {
    const found = RULE_FINDS.find((each) => each === what)
    return found && { kind, what: found }
  }
  if (kind === 'joined' && typeof days === 'number' && days > 0 && days <= MAX_DAYS) return { kind, days }
  if (kind === 'role' && typeof role === 'string' && role !== '') return { kind, role }
  if (kind === 'channel' && typeof cid === 'string' && cid !== '') return { kind, cid: asCid(cid) }
  return undefined
}

/** The kind of a block list; `undefined`: one that is not matched here. */
export const listKindOf = (type: string | undefined): ListKind | undefined =>
  type === undefined || type === '' ? 'word' : LIST_KINDS.find((kind) => kind === type)

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
