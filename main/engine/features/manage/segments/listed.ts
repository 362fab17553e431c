import { readSegment } from './decode.ts'
import type { Segment, SegmentKind, SegmentSort } from '#shared/domain/manage/segments.ts'
import { hasParts } from '#shared/rules/search/search-fold.ts'
import { createStoredList } from '../stored-list.ts'

/** The segments that the server listed last. */
export const LISTED = createStoredList('segments', readSegment)

/** Whether a segment is what somebody looks for: the text is in its name, its description or its id. */
export const isFound = ({ id, name, description }: Segment, find: string): boolean =>
  hasParts(`${name} ${description} ${id}`, find)

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
