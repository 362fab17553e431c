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
import type { EngineClient } from '#shared/bridge/index.ts'
import { command } from '../../../store/command.ts'

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

type Input<Name extends keyof EngineClient['segments']> = Parameters<EngineClient['segments'][Name]>[0]

/** Quiet: errors are shown in place of what was asked for, or in the form that asked. */
const quiet = { quiet: true }

export const loadSegments = command(
  'segments/listed',
  (input: Input<'list'>, engine) => engine.segments.list(input),
  quiet,
)
export const loadSegment = command(
  'segments/loaded',
  (input: Input<'get'>, engine) => engine.segments.get(input),
  quiet,
)
export const createSegment = command(
  'segments/created',
  (input: Input<'create'>, engine) => engine.segments.create(input),
  quiet,
)
export const changeSegment = command(
  'segments/changed',
  (input: Input<'change'>, engine) => engine.segments.change(input),
  quiet,
)
export const removeSegment = command(
  'segments/removed',
  (input: Input<'remove'>, engine) => engine.segments.remove(input),
  quiet,
)
export const addTargets = command(
  'segments/targetsAdded',
  (input: Input<'addTargets'>, engine) => engine.segments.addTargets(input),
  quiet,
)
export const removeTargets = command(
  'segments/targetsRemoved',
  (input: Input<'removeTargets'>, engine) => engine.segments.removeTargets(input),
  quiet,
)
export const loadTargets = command(
  'segments/targetsListed',
  (input: Input<'targets'>, engine) => engine.segments.targets(input),
  quiet,
)
export const loadMembership = command(
  'segments/membershipLoaded',
  (input: Input<'membership'>, engine) => engine.segments.membership(input),
  quiet,
)
export const loadMembers = command(
  'segments/membersLoaded',
  (input: Input<'members'>, engine) => engine.segments.members(input),
  quiet,
)
export const countMembers = command(
  'segments/counted',
  (input: Input<'count'>, engine) => engine.segments.count(input),
  quiet,
)
export const resolveLines = command(
  'segments/linesResolved',
  (input: Input<'resolve'>, engine) => engine.segments.resolve(input),
  quiet,
)
export const findMembers = command(
  'segments/membersFound',
  (input: Input<'find'>, engine) => engine.segments.find(input),
  quiet,
)
export const loadUses = command(
  'segments/usesLoaded',
  (input: Input<'uses'>, engine) => engine.segments.uses(input),
  quiet,
)
