import type { AttachmentKind } from '../../domain/attachment.ts'
import { plainText } from '../messages/text.ts'
import type { SearchPart } from '../../domain/search.ts'
import { isUnspaced, wordsOf, type Word } from './search-fold.ts'
import type { HasWhat, IsWhat, Term } from './search-query.ts'

/** The fields of a message that a search uses. Cache rows and decoded responses have them. */
type Searchable = {
  readonly id: string
  readonly cid: string
  readonly userId: string
  readonly type: string
  readonly text: string
  readonly parentId?: string
  readonly quotedId?: string
  readonly attachments: readonly { readonly kind: AttachmentKind; readonly title?: string }[]
  readonly mentionedUserIds: readonly string[]
  readonly reach?: readonly unknown[]
  readonly pinned: boolean
  readonly shadowed: boolean
  readonly createdAt: number
  readonly editedAt?: number
  readonly deletedAt?: number
  readonly reactionGroups: readonly unknown[]
  readonly replyCount: number
  readonly pollId?: string
  readonly custom: Readonly<Record<string, unknown>>
}

type SearchablePoll = {
  readonly name: string
  readonly description: string
  readonly options: readonly { readonly id: string; readonly text: string }[]
}

/** A searchable text of a message. `index` is that of the attachment or option. */
type SearchField = {
  readonly kind: 'text' | 'attachment' | 'poll' | 'poll-description' | 'poll-option'
  readonly index: number
  readonly text: string
}

const NEVER_FOUND: ReadonlySet<string> = new Set(['deleted', 'ephemeral', 'error'])

/** Whether a message can be found: it is not deleted or transient, and visible to the viewer. */
export const isSearchable = (message: Searchable, viewerId: string): boolean =>
  !NEVER_FOUND.has(message.type) &&
  message.deletedAt === undefined &&
  (!message.shadowed || message.userId === viewerId)

export function fieldsOf(message: Searchable, poll: SearchablePoll | undefined): SearchField[] {
  const titles = message.attachments.map(({ title }, index) => ({
    kind: 'attachment' as const,
    index,
    text: title ?? '',
  }))
  const options = poll?.options.map(({ text }, index) => ({ kind: 'poll-option' as const, index, text })) ?? []
  const all: SearchField[] = [
    { kind: 'text', index: 0, text: message.text },
    ...titles,
    { kind: 'poll', index: 0, text: poll?.name ?? '' },
    { kind: 'poll-description', index: 0, text: poll?.description ?? '' },
    ...options,
  ]
  return all.filter(({ text }) => text !== '')
}

/**
 * Separates the fields of a message, so that no phrase matches across them. It cannot occur in a query, since it is not
 * a word.
 */
const BETWEEN = '¦'

/** The folded text of a message for the index. */
export const bodyOf = (fields: readonly SearchField[]): string =>
  fields
    .map(({ text }) =>
      wordsOf(text)
        .map(({ word }) => word)
        .join(' '),
    )
    .join(` ${BETWEEN} `)

/**
 * Placed among the mentioned users of a message with a broadcast mention. Not a valid id: no id begins with an at sign.
 */
export const EVERYONE = '@'

/** States that can be read off the message itself; `quote` is not a filter, it narrows the search for replies. */
type MessageState = Exclude<IsWhat, 'mine' | Joined> | 'quote'

/** Filters that need other rows: the author of the quoted message, or the read mark. */
export type Joined = 'reply' | 'unread'

/**
 * Marks of a message in the index, in addition to its words. Ids are hashed to shorten them, so each hit is verified.
 */
export const mark = {
  from: (userId: string): string => `f${hashOf(userId)}`,
  in: (cid: string): string => `c${hashOf(cid)}`,
  mentions: (userId: string): string => `m${hashOf(userId)}`,
  has: (what: HasWhat): string => `h${what}`,
  is: (what: MessageState): string => `i${what}`,
}

const KIND_OF: Readonly<Record<AttachmentKind, HasWhat>> = {
  image: 'image',
  giphy: 'image',
  video: 'video',
  audio: 'audio',
  voiceRecording: 'audio',
  file: 'file',
  other: 'file',
  link: 'link',
}
const LINK = /\bhttps?:\/\/\S/i

function hasOf(message: Searchable): Set<HasWhat> {
  const has = new Set(message.attachments.map(({ kind }) => KIND_OF[kind]))
  if (LINK.test(message.text)) has.add('link')
  if (message.pollId !== undefined) has.add('poll')
  if (typeof message.custom['shared_location'] === 'object' && message.custom['shared_location'] !== null)
    has.add('location')
  if (message.reactionGroups.length > 0) has.add('reaction')
  return has
}

export function marksOf(message: Searchable): string[] {
  const is: MessageState[] = []
  if (message.pinned) is.push('pinned')
  if (message.parentId !== undefined || message.replyCount > 0) is.push('thread')
  if (message.editedAt !== undefined) is.push('edited')
  if (message.quotedId !== undefined) is.push('quote')
  return [
    mark.from(message.userId),
    mark.in(message.cid),
    ...message.mentionedUserIds.map(mark.mentions),
    ...(message.reach?.length ? [mark.mentions(EVERYONE)] : []),
    ...[...hasOf(message)].map(mark.has),
    ...is.map(mark.is),
  ]
}

/** FNV-1a over UTF-16 units, twice: 64 bits. Not cryptographic: it only shortens. */
function hashOf(text: string): string {
  let one = 0x811c9dc5
  let other = 0x9747b28c
  for (let at = 0; at < text.length; at += 1) {
    one = Math.imul(one ^ text.charCodeAt(at), 0x01000193) >>> 0
    other = Math.imul(other ^ text.charCodeAt(text.length - 1 - at), 0x01000193) >>> 0
  }
  return one.toString(36) + other.toString(36)
}

/** A query with resolved names, for the index and {@link matches}. */
export type ResolvedQuery = {
  readonly terms: readonly Pick<Term, 'words' | 'prefix' | 'exclude'>[]
  /** At least one mark of each group must be present. An empty group matches nothing. */
  readonly anyOf: readonly (readonly string[])[]
  readonly noneOf: readonly string[]
  /** Checked against other rows, not on the message alone: {@link matches} ignores these. */
  readonly joined: readonly { readonly what: Joined; readonly exclude: boolean }[]
  /** Epoch milliseconds: `from` inclusive, `until` exclusive. */
  readonly from?: number
  readonly until?: number
}

/**
 * Whether this message matches the query, except for `joined`. Equivalent to the index (a property test compares the
 * two).
 */
export function matches(message: Searchable, poll: SearchablePoll | undefined, resolved: ResolvedQuery): boolean {
  if (resolved.from !== undefined && message.createdAt < resolved.from) return false
  if (resolved.until !== undefined && message.createdAt >= resolved.until) return false
  const marks = new Set(marksOf(message))
  if (!resolved.anyOf.every((group) => group.some((one) => marks.has(one)))) return false
  if (resolved.noneOf.some((one) => marks.has(one))) return false
  const fields = fieldsOf(message, poll).map(({ text }) => wordsOf(text))
  return resolved.terms.every((term) => fields.some((words) => placesOf(words, term).length > 0) !== term.exclude)
}

type Place = readonly [from: number, to: number]

/** The positions of a term among the words of one field: first and last word. */
function placesOf(words: readonly Word[], term: Pick<Term, 'words' | 'prefix'>): Place[] {
  const places: Place[] = []
  const length = term.words.length
  for (let at = 0; at + length <= words.length; at += 1) {
    if (
      term.words.every((wanted, index) => isWord(words[at + index]?.word, wanted, term.prefix && index === length - 1))
    )
      places.push([at, at + length - 1])
  }
  return places
}

const isWord = (word: string | undefined, wanted: string, prefix: boolean): boolean =>
  word !== undefined && (prefix ? word.startsWith(wanted) : word === wanted)

/** Ranges of a text to emphasize, ascending and disjoint: UTF-16 offsets, end exclusive. */
type Stretch = readonly [start: number, end: number]

export function stretchesOf(text: string, terms: readonly Pick<Term, 'words' | 'prefix' | 'exclude'>[]): Stretch[] {
  const words = wordsOf(text)
  const found = terms
    .filter(({ exclude }) => !exclude)
    .flatMap((term) => placesOf(words, term).map(([from, to]) => stretchOf(words, term, from, to)))
    .toSorted((a, b) => a[0] - b[0] || a[1] - b[1])
  const joined: Stretch[] = []
  for (const [start, end] of found) {
    const last = joined.at(-1)
    if (last && start <= last[1]) joined[joined.length - 1] = [last[0], Math.max(last[1], end)]
    else joined.push([start, end])
  }
  return joined
}

/** Words of scripts without spaces are split into pairs: of the last pair only the queried part is emphasized. */
function stretchOf(words: readonly Word[], term: Pick<Term, 'words' | 'prefix'>, from: number, to: number): Stretch {
  const first = words[from]
  const last = words[to]
  const wanted = term.words.at(-1) ?? ''
  const isPart = term.prefix && last !== undefined && isUnspaced(wanted) && last.word.length > wanted.length
  return [first?.start ?? 0, isPart ? last.start + wanted.length : (last?.end ?? 0)]
}

/**
 * The query in the syntax of SQLite's full-text index with the columns `body` and `marks`, or `undefined` if it has
 * only a time range or exclusions: then every message is scanned, newest first.
 */
export function expressionOf(resolved: ResolvedQuery): string | undefined {
  const phrase = ({ words, prefix }: Pick<Term, 'words' | 'prefix'>): string =>
    `body : "${words.join(' ')}"${prefix ? ' *' : ''}`
  const wanted = [
    ...resolved.terms.filter(({ exclude }) => !exclude).map(phrase),
    ...resolved.anyOf.map((group) => `marks : (${group.map((one) => `"${one}"`).join(' OR ')})`),
  ]
  const unwanted = [
    ...resolved.terms.filter(({ exclude }) => exclude).map(phrase),
    ...resolved.noneOf.map((one) => `marks : "${one}"`),
  ]
  if (wanted.length === 0) return undefined
  const all = wanted.map((one) => `(${one})`).join(' AND ')
  return unwanted.length === 0 ? all : `(${all}) NOT (${unwanted.map((one) => `(${one})`).join(' OR ')})`
}

const EXCERPT_LENGTH = 240
/** Characters before the first match. */
const LEAD = 60

type Terms = readonly Pick<Term, 'words' | 'prefix' | 'exclude'>[]

/** The parts of a hit for a list: the text always, the other fields if they contain a match. */
export function partsOf(fields: readonly SearchField[], terms: Terms): SearchPart[] {
  return fields.map(withoutSigns).flatMap((field) => {
    const stretches = stretchesOf(field.text, terms)
    return field.kind === 'text' || stretches.length > 0 ? [partOf(field, stretches)] : []
  })
}

/** Matches are computed on the displayed text, so that offsets are right. */
const withoutSigns = (field: SearchField): SearchField =>
  field.kind === 'text' ? { ...field, text: plainText(field.text) } : field

function partOf({ kind, index, text }: SearchField, stretches: readonly Stretch[]): SearchPart {
  const start = beginning(text, stretches[0]?.[0] ?? 0)
  const end = whole(text, Math.min(text.length, start + EXCERPT_LENGTH))
  const marks = stretches
    .filter(([from, to]) => to > start && from < end)
    .map(([from, to]) => [Math.max(from, start) - start, Math.min(to, end) - start] as const)
  const excerpt = text.slice(start, end).replaceAll(/[\r\n\t]/g, ' ')
  return { kind, index, excerpt, marks, cutBefore: start > 0, cutAfter: end < text.length }
}

/** Starts some characters before the first match, at the beginning of a word if one is nearby. */
function beginning(text: string, first: number): number {
  if (first <= EXCERPT_LENGTH - LEAD) return 0
  const from = first - LEAD
  const space = text.indexOf(' ', from)
  return space >= 0 && space < first ? space + 1 : whole(text, from)
}

/** Never inside a surrogate pair. */
function whole(text: string, at: number): number {
  const unit = text.charCodeAt(at)
  return unit >= 0xdc00 && unit <= 0xdfff ? at - 1 : at
}
