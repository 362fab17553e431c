import type { FilterGroup, Segment, SegmentKind } from '#shared/domain/manage/segments.ts'
import {
  filterText,
  isSameFilter,
  isUnfinished,
  readFilter,
  writeFilter,
  type WireFilter,
  filterProblem,
  type FilterProblem,
} from '#shared/rules/segments/filter.ts'

/** A filter while it is being changed: as groups of conditions and as JSON, which stay in step. */
export type Draft = {
  /** The stored version that the change is based on. */
  readonly base: string
  /** As it is typed, which may be no filter. */
  readonly text: string
  /** What is wrong with the text. */
  readonly problem?: FilterProblem
  /** The last filter that the text was, as JSON. */
  readonly valid: string
  /** The same as groups; absent: it has parts that only JSON can say. */
  readonly group?: FilterGroup
}

export const draftOf = ({ filter, version }: Pick<Segment, 'filter' | 'version'>): Draft => {
  const wire = JSON.parse(filter) as WireFilter
  return { base: version, text: filterText(wire), valid: filter, group: readFilter(wire) }
}

export function withText(kind: SegmentKind, draft: Draft, text: string): Draft {
  const problem = filterProblem(kind, text)
  if (problem !== undefined) return { ...draft, text, problem }
  const wire = JSON.parse(text) as WireFilter
  return { base: draft.base, text, valid: JSON.stringify(wire), group: readFilter(wire) }
}

/** While something is not filled in, the filter of before counts. */
export function withGroup(kind: SegmentKind, draft: Draft, group: FilterGroup): Draft {
  const text = filterText(writeFilter(group))
  const isWhole = group.of.length === 0 || (!isUnfinished(group) && filterProblem(kind, text) === undefined)
  return { base: draft.base, text, group, valid: isWhole ? JSON.stringify(writeFilter(group)) : draft.valid }
}

/** Back to the last text that was a filter. */
export const withoutMistake = ({ base, valid, group }: Draft): Draft => ({
  base,
  text: filterText(JSON.parse(valid) as WireFilter),
  valid,
  group,
})

/** Why it cannot be saved yet; `undefined`: it can. */
export function obstacleOf({ problem, group, text, valid }: Draft): 'problem' | 'unfinished' | undefined {
  if (problem !== undefined) return 'problem'
  const isUnwritten = group !== undefined && !isSameFilter(text, valid)
  return isUnwritten ? 'unfinished' : undefined
}

export const isChanged = (draft: Draft, { filter }: Pick<Segment, 'filter'>): boolean =>
  draft.problem !== undefined || !isSameFilter(draft.text, filter)
