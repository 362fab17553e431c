import type {
  FilterGroup,
  ResolvedLine,
  SegmentKind,
  SegmentMember,
  SegmentMembership,
  SegmentReason,
  Segment,
  SegmentTarget,
  SegmentUse,
} from '#shared/domain/manage/segments.ts'
import { readFilter, type WireFilter, isObject } from '#shared/rules/segments/filter.ts'
import { failureOf, reasonsFor, type Subject } from '#shared/rules/segments/why.ts'
import { queryUsers } from '#shared/wire/app.ts'
import { querySegmentTargets, segmentTargetExists } from '#shared/wire/campaigns.ts'
import { queryChannels } from '#shared/wire/channels.ts'
import { ApiError } from '../../../api/errors.ts'
import type { EngineApi } from '../../../context.ts'
import type { Core, Requests } from '../../../core.ts'
import {
  asList,
  asWire,
  eachOf,
  countOf,
  flagOf,
  idOf,
  nameOf,
  textOf,
  timeOf,
  versionOf,
} from '../../../decode/read.ts'
import { storeSeen } from '../directory/people.ts'

/** Requests of one call. */
type Access = { readonly api: EngineApi; readonly core: Requests & Pick<Core, 'server'> }

/** A segment as it is asked about: `id` is absent for one that is not stored yet. */
type Audience = {
  readonly id?: string
  readonly kind: SegmentKind
  readonly filter: WireFilter
  readonly all: boolean
}

/** The contract's limits of one page. See docs/wire.md 6.5. */
const PAGE_OF = { user: 100, channel: 30 } as const
const LAST_OFFSET = 1_000
const FIRST = 50
/** Pages of one step of counting. */
const STEP = 10
/** People of one name who are looked at. */
const FOUND = 20

type Page = { readonly sort: string; readonly direction: 1 | -1; readonly limit: number; readonly offset?: number }

/** People or channels who match, as the wire has them. */
async function query({ api, core }: Access, kind: SegmentKind, filter: WireFilter, page: Page, inactive = false) {
  const { sort, direction, limit, offset = 0 } = page
  const asked = { filter_conditions: filter, sort: [{ field: sort, direction }], limit, offset }
  if (kind === 'user') {
    const asOf = core.asOf()
    const payload = { ...asked, include_deactivated_users: inactive }
    const found = asList((await api.send(queryUsers, { query: { payload }, signal: core.life })).users)
    core.write((tx) => storeSeen(tx, found, asOf))
    return found
  }
  const body = { ...asked, state: false, message_limit: 0, member_limit: 0 }
  const { channels } = await api.send(queryChannels, { body, signal: core.life })
  return asList(channels).map((each) => asWire(each)?.['channel'])
}

const both = (filter: WireFilter, more: WireFilter): WireFilter =>
  Object.keys(filter).length === 0 ? more : { $and: [filter, more] }

/** Nobody matches a filter without conditions; `all` needs none. */
const isAsked = ({ filter, all, kind }: Omit<Audience, 'id'>): boolean =>
  all ? kind === 'user' : Object.keys(filter).length > 0

const askedOf = ({ filter, all }: Omit<Audience, 'id'>): WireFilter => (all ? {} : filter)

/** People are counted along their ids, as far as there are any; channels as far as servers list them. */
export async function countStep(access: Access, { from, ...audience }: Audience & { readonly from?: string }) {
  if (!isAsked(audience)) return { count: 0 }
  const { kind } = audience
  const limit = PAGE_OF[kind]
  let count = 0
  let place = from
  for (let page = 0; page < STEP; page += 1) {
    const offset = kind === 'channel' ? Number(place ?? 0) : 0
    const filter =
      kind === 'user' && place !== undefined ? both(askedOf(audience), { id: { $gt: place } }) : askedOf(audience)
    const found = await query(access, kind, filter, {
      sort: kind === 'user' ? 'id' : 'created_at',
      direction: 1,
      limit,
      offset,
    })
    count += found.length
    const last = found.at(-1)
    if (found.length < limit || last === undefined) return { count }
    place = kind === 'user' ? readMember(kind, last)?.id : String(offset + limit)
    if (place === undefined || (kind === 'channel' && Number(place) > LAST_OFFSET)) return { count }
  }
  return { count, next: place }
}

/** These people or channels, by id; those that the server does not have are absent. */
export async function membersById(
  access: Access,
  kind: SegmentKind,
  ids: readonly string[],
): Promise<ReadonlyMap<string, SegmentMember>> {
  const found = await wiresById(access, kind, ids)
  return new Map(eachOf(found, (wire) => readMember(kind, wire)).map((member) => [member.id, member]))
}

async function wiresById(access: Access, kind: SegmentKind, ids: readonly string[]): Promise<readonly unknown[]> {
  const limit = PAGE_OF[kind]
  const idField = kind === 'user' ? 'id' : 'cid'
  const found: unknown[] = []
  for (let at = 0; at < ids.length; at += limit) {
    const filter = { [idField]: { $in: ids.slice(at, at + limit) } }
    found.push(...(await query(access, kind, filter, { sort: 'created_at', direction: -1, limit }, true)))
  }
  return found
}

export async function firstMembers(access: Access, audience: Audience) {
  const { kind } = audience
  const byHand = audience.id === undefined ? [] : await targetsOf(access, audience.id, FIRST)
  const matching = isAsked(audience) ? await firstMatching(access, audience) : []
  const added = new Set([...byHand, ...(await targetsAmong(access, audience.id, idsIn(kind, matching)))])
  const known = new Set(idsIn(kind, matching))
  const others = await wiresById(
    access,
    kind,
    byHand.filter((id) => !known.has(id)),
  )
  const group = readFilter(askedOf(audience))
  const members = [...matching, ...others].flatMap((wire) => {
    const member = readMember(kind, wire)
    if (member === undefined) return []
    return [{ ...member, reason: reasonOf(audience, group, wire, added.has(member.id)) }]
  })
  return members.toSorted((a, b) => (b.lastActiveAt ?? 0) - (a.lastActiveAt ?? 0)).slice(0, FIRST)
}

async function firstMatching(access: Access, audience: Audience): Promise<readonly unknown[]> {
  const { kind } = audience
  const sort = kind === 'user' ? 'last_active' : 'last_message_at'
  const found: unknown[] = []
  while (found.length < FIRST) {
    const limit = Math.min(PAGE_OF[kind], FIRST - found.length)
    const page = await query(access, kind, askedOf(audience), { sort, direction: -1, limit, offset: found.length })
    found.push(...page)
    if (page.length < limit) break
  }
  return found
}

const idsIn = (kind: SegmentKind, wires: readonly unknown[]): readonly string[] =>
  eachOf(wires, (wire) => readMember(kind, wire)?.id)

function reasonOf(
  { kind, all }: Audience,
  group: FilterGroup | undefined,
  wire: unknown,
  isAdded: boolean,
): SegmentReason {
  if (all) return { kind: 'all' }
  if (isAdded) return { kind: 'byHand' }
  return { kind: 'matches', conditions: group === undefined ? [] : reasonsFor(kind, group, subjectOf(wire)) }
}

const subjectOf = (wire: unknown): Subject => asWire(wire) ?? {}

async function targetsOf({ api, core }: Access, id: string, limit: number, filter: WireFilter = {}) {
  const reply = await api.send(querySegmentTargets, { params: { id }, body: { filter, limit }, signal: core.life })
  return eachOf(asList(reply.targets), (each) => readTarget(each)?.id)
}

/** Which of these were added by hand. */
const targetsAmong = async (access: Access, id: string | undefined, ids: readonly string[]) =>
  id === undefined || ids.length === 0 ? [] : targetsOf(access, id, ids.length, { target_id: { $in: ids } })

export async function membershipOf(
  access: Access,
  { targetId, ...audience }: Audience & { readonly targetId: string },
): Promise<SegmentMembership> {
  const { kind, id } = audience
  const isAdded = id !== undefined && (await isTarget(access, id, targetId))
  if (isAdded) return { in: true, reason: { kind: 'byHand' } }
  const group = readFilter(askedOf(audience))
  if (isAsked(audience)) {
    const idField = kind === 'user' ? 'id' : 'cid'
    const filter = both(askedOf(audience), { [idField]: targetId })
    const [wire] = await query(access, kind, filter, { sort: 'created_at', direction: -1, limit: 1 })
    if (wire !== undefined) return { in: true, reason: reasonOf(audience, group, wire, false) }
  }
  const [wire] = await wiresById(access, kind, [targetId])
  const failure = wire === undefined || group === undefined ? undefined : failureOf(kind, group, subjectOf(wire))
  return { in: false, ...failure }
}

async function isTarget({ api, core }: Access, id: string, targetId: string): Promise<boolean> {
  try {
    await api.send(segmentTargetExists, { params: { id, targetId }, signal: core.life })
    return true
  } catch (error) {
    if (error instanceof ApiError && error.class === 'gone') return false
    throw error
  }
}

/** What a line can be, the surest first. */
const NAMED_BY = { user: ['id', 'email', 'name'], channel: ['cid', 'name'] } as const

export async function resolveLines(
  access: Access,
  kind: SegmentKind,
  lines: readonly string[],
): Promise<readonly ResolvedLine[]> {
  const resolved = new Map<string, SegmentMember[]>()
  for (const field of NAMED_BY[kind]) {
    const left = lines.filter((line) => !resolved.has(line) && (field !== 'email' || line.includes('@')))
    const limit = PAGE_OF[kind]
    // Several people can have one name: a page holds those of a few.
    const atOnce = field === 'name' ? Math.floor(limit / 5) : limit
    for (let at = 0; at < left.length; at += atOnce) {
      const filter = { [field]: { $in: left.slice(at, at + atOnce) } }
      const page = { sort: 'created_at', direction: -1, limit } as const
      for (const wire of await query(access, kind, filter, page, true)) {
        const member = readMember(kind, wire)
        const line = asWire(wire)?.[field]
        if (member === undefined || member.inactive === true || typeof line !== 'string') continue
        resolved.set(line, [...(resolved.get(line) ?? []), member])
      }
    }
  }
  return lines.map((line) => ({ line, found: resolved.get(line) ?? [] }))
}

export async function findMembers(access: Access, kind: SegmentKind, text: string): Promise<readonly SegmentMember[]> {
  const name = { name: { $autocomplete: text } }
  const filter = text === '' ? {} : kind === 'user' ? { $or: [name, { id: { $autocomplete: text } }] } : name
  const sort = kind === 'user' ? 'last_active' : 'last_message_at'
  const found = await query(access, kind, filter, { sort, direction: -1, limit: FOUND })
  return eachOf(found, (wire) => readMember(kind, wire))
}

/** See docs/wire.md 5.18. */
export function readSegment(value: unknown): Segment | undefined {
  const wire = asWire(value)
  const id = idOf(wire?.['id'])
  if (!wire || id === undefined) return undefined
  const filter = wire['filter']
  const kind: SegmentKind = wire['type'] === 'channel' ? 'channel' : 'user'
  return {
    id,
    kind,
    name: nameOf(wire['name']) ?? '',
    description: textOf(wire['description'], 1_000) ?? '',
    filter: JSON.stringify(isObject(filter) ? filter : {}),
    all: flagOf(wire[kind === 'user' ? 'all_users' : 'all_sender_channels']) ?? false,
    size: countOf(wire['size']) ?? 0,
    createdAt: timeOf(wire['created_at']),
    updatedAt: timeOf(wire['updated_at']),
    ...(wire['locked'] === true ? { locked: true } : {}),
    version: versionOf(wire),
  }
}

export function readTarget(value: unknown): SegmentTarget | undefined {
  const wire = asWire(value)
  const id = idOf(wire?.['target_id'])
  return id === undefined ? undefined : { id, addedAt: timeOf(wire?.['created_at']) }
}

/** A user or a channel of the wire, as a list shows it. */
function readMember(kind: SegmentKind, value: unknown): SegmentMember | undefined {
  const wire = asWire(value)
  const id = idOf(wire?.[kind === 'user' ? 'id' : 'cid'])
  if (!wire || id === undefined) return undefined
  const inactive = timeOf(wire['deactivated_at']) !== undefined || timeOf(wire['deleted_at']) !== undefined
  return {
    id,
    name: nameOf(wire['name']) ?? id,
    lastActiveAt: timeOf(wire[kind === 'user' ? 'last_active' : 'last_message_at']),
    ...(inactive ? { inactive } : {}),
  }
}

export function readUse(value: unknown): SegmentUse | undefined {
  const wire = asWire(value)
  const id = idOf(wire?.['id'])
  return id === undefined
    ? undefined
    : { id, name: nameOf(wire?.['name']) ?? id, status: nameOf(wire?.['status'], 64) ?? '' }
}
