import type { EngineClient } from '#shared/bridge/index.ts'
import { command } from '../../../store/command.ts'

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
