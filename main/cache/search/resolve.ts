import { wordsOf } from '#shared/rules/search/search-fold.ts'
import type { HasWhat, IsWhat } from '#shared/rules/search/filter-names.ts'
import { EVERYONE, mark, type Joined, type ResolvedQuery } from '#shared/rules/search/search-match.ts'
import type { Filter, SearchQuery, Span } from '#shared/rules/search/search-query.ts'
import type { Reader } from '../tx.ts'

/** Resolves the names in a query to ids, and its filters to marks of the index. */
const PEOPLE = 'SELECT id, name FROM users'
const CHANNELS = `SELECT cid AS id, json_extract(json, '$.name') AS name FROM channels`

/** Several people may share a first name; at most this many are used. */
const SAME_NAME_LIMIT = 50

type Named = { readonly id: string; readonly name: string | null }
type ResolveInput = {
  readonly query: SearchQuery
  readonly cid?: string
  readonly hasAny?: readonly HasWhat[]
  readonly from?: number
  readonly until?: number
  readonly unread?: UnreadMarks
}

/** Read marks of each channel with something unread, in epoch milliseconds by cid; includes local marks. */
export type UnreadMarks = { readonly now: number; readonly readTo: Readonly<Record<string, number>> }

const isJoined = (what: IsWhat): what is Joined => what === 'reply' || what === 'unread'

/** Marks of every such message, so that the index leaves few rows to check against the tables. */
function narrowing(what: Joined, unread: UnreadMarks | undefined): readonly string[] {
  if (what === 'reply') return [mark.is('thread'), mark.is('quote')]
  return Object.keys(unread?.readTo ?? {}).map(mark.in)
}

/** The ids of the names in the filters, for querying the server. */
export type FilterIds = {
  readonly from: readonly string[]
  readonly in: readonly string[]
  readonly mentions: readonly string[]
}

type Resolved = { readonly resolved: ResolvedQuery; readonly unmatched: readonly Span[]; readonly filterIds: FilterIds }

export function resolveQuery(reader: Reader, input: ResolveInput): Resolved {
  const { query, cid, hasAny } = input
  const unmatched: Span[] = []
  const joined = query.filters.flatMap((filter) =>
    filter.kind === 'is' && isJoined(filter.what) ? [{ what: filter.what, exclude: filter.exclude }] : [],
  )
  const groups = query.filters.filter(isMarked).map((filter) => {
    const ids = idsFor(reader, filter)
    const marks = ids.map((id) => markOf(reader, filter, id))
    if (marks.length === 0) unmatched.push({ start: filter.start, end: filter.end })
    return { filter, ids, marks }
  })
  const wanted = groups.filter(({ filter }) => !filter.exclude)
  const either = (kind: Filter['kind']): (readonly string[])[] => {
    const same = wanted.filter(({ filter }) => filter.kind === kind)
    return same.length === 0 ? [] : [same.flatMap(({ marks }) => marks)]
  }
  const each = wanted.filter(({ filter }) => filter.kind !== 'from' && filter.kind !== 'in').map(({ marks }) => marks)
  const idsOf = (kind: Filter['kind']): readonly string[] =>
    wanted.filter(({ filter }) => filter.kind === kind).flatMap(({ ids }) => ids)
  return {
    resolved: {
      terms: query.terms.map(({ words, prefix, exclude }) => ({ words, prefix, exclude })),
      anyOf: [
        ...either('from'),
        ...(cid === undefined ? either('in') : [[mark.in(cid)]]),
        ...(hasAny ? [hasAny.map(mark.has)] : []),
        ...each,
        ...joined.flatMap(({ what, exclude }) => (exclude ? [] : [narrowing(what, input.unread)])),
      ],
      noneOf: groups.filter(({ filter }) => filter.exclude).flatMap(({ marks }) => marks),
      joined,
      from: input.from,
      until: input.until,
    },
    unmatched,
    filterIds: { from: idsOf('from'), in: cid === undefined ? idsOf('in') : [cid], mentions: idsOf('mentions') },
  }
}

/** A filter that corresponds to one or more marks of the index. */
type Marked =
  | Exclude<Filter, { readonly kind: 'time' | 'is' }>
  | (Extract<Filter, { readonly kind: 'is' }> & { readonly what: Exclude<IsWhat, Joined> })

const isMarked = (filter: Filter): filter is Marked =>
  filter.kind !== 'time' && !(filter.kind === 'is' && isJoined(filter.what))

function idsFor(reader: Reader, filter: Marked): readonly string[] {
  switch (filter.kind) {
    case 'has':
    case 'is':
      return [filter.what]
    case 'mentions':
      if (filter.me) return [reader.viewerId, EVERYONE]
      return idsNamed(reader.db.all<Named>(PEOPLE), filter.value)
    case 'from':
      return filter.me ? [reader.viewerId] : idsNamed(reader.db.all<Named>(PEOPLE), filter.value)
    case 'in':
      return idsNamed(reader.db.all<Named>(CHANNELS), filter.value)
  }
}

function markOf(reader: Reader, filter: Marked, id: string): string {
  switch (filter.kind) {
    case 'has':
      return mark.has(filter.what)
    case 'is':
      return filter.what === 'mine' ? mark.from(reader.viewerId) : mark.is(filter.what)
    case 'from':
    case 'in':
    case 'mentions':
      return mark[filter.kind](id)
  }
}

/** By id; otherwise by the whole name; otherwise by prefixes of consecutive words of the name. */
function idsNamed(all: readonly Named[], value: string): readonly string[] {
  const exact = all.filter(({ id }) => id === value || id.endsWith(`:${value}`))
  if (exact.length > 0) return exact.map(({ id }) => id)
  const wanted = wordsOf(value).map(({ word }) => word)
  if (wanted.length === 0) return []
  const named = all.map(({ id, name }) => ({ id, words: wordsOf(name ?? '').map(({ word }) => word) }))
  const same = named.filter(({ words }) => words.join(' ') === wanted.join(' '))
  const begun = same.length > 0 ? same : named.filter(({ words }) => hasBeginnings(words, wanted))
  return begun.slice(0, SAME_NAME_LIMIT).map(({ id }) => id)
}

const hasBeginnings = (words: readonly string[], wanted: readonly string[]): boolean =>
  words.some((_, at) => wanted.every((part, index) => words[at + index]?.startsWith(part) === true))
