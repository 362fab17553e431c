import * as v from 'valibot'
import { SEGMENT_KINDS, type Segment, type SegmentKind, type SegmentSort } from '#shared/domain/manage/segments.ts'
import { wordsOf } from '#shared/rules/search/search-fold.ts'
import * as meta from '#main/cache/meta.ts'
import type { Reader, Tx } from '#main/cache/tx.ts'

/** The segments that the server listed last, to be read without a connection. */
const KEY = 'segments'
/** More are not stored: a person reads this list. */
const MAX = 500

const stored = v.object({
  at: v.number(),
  segments: v.array(
    v.object({
      id: v.string(),
      kind: v.picklist(SEGMENT_KINDS),
      name: v.string(),
      description: v.string(),
      filter: v.string(),
      all: v.boolean(),
      size: v.number(),
      createdAt: v.optional(v.number()),
      updatedAt: v.optional(v.number()),
      locked: v.optional(v.boolean()),
      version: v.string(),
    }),
  ),
})

type Stored = { readonly at: number; readonly segments: readonly Segment[] }

export function storedSegments(reader: Reader): Stored | undefined {
  const text = meta.get(reader, KEY)
  if (text === undefined) return undefined
  const read = v.safeParse(v.pipe(v.string(), v.parseJson(), stored), text)
  return read.success ? read.output : undefined
}

/** A page of the list; the first one replaces what was stored. */
export function storeSegments(tx: Tx, page: readonly Segment[], at: number, isFirst: boolean): void {
  const known = isFirst ? [] : (storedSegments(tx)?.segments ?? [])
  const all = [...new Map([...known, ...page].map((segment) => [segment.id, segment])).values()]
  meta.set(tx, KEY, JSON.stringify({ at, segments: all.slice(0, MAX) }))
}

/** Whether a segment is what somebody looks for: the text is in its name, its description or its id. */
export function isFound({ id, name, description }: Segment, find: string): boolean {
  const words = foldedWords(find)
  const text = foldedWords(`${name} ${description} ${id}`)
  return words.every((word) => text.some((each) => each.includes(word)))
}

const foldedWords = (text: string): readonly string[] => wordsOf(text).map(({ word }) => word)

type Query = {
  readonly find: string
  readonly kind?: SegmentKind
  readonly sort: { readonly by: SegmentSort; readonly direction: 1 | -1 }
}

/** What of the stored segments a query asks for, in its order. */
export function queried(segments: readonly Segment[], { find, kind, sort }: Query): readonly Segment[] {
  const keyOf = ({ name, createdAt = 0, updatedAt = 0 }: Segment): string | number =>
    sort.by === 'name' ? name : sort.by === 'created_at' ? createdAt : updatedAt
  return segments
    .filter((each) => (kind === undefined || each.kind === kind) && isFound(each, find))
    .toSorted((a, b) => {
      const [left, right] = [keyOf(a), keyOf(b)]
      return (left < right ? -1 : left > right ? 1 : 0) * sort.direction
    })
}
