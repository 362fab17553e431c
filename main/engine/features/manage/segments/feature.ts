import type { HandlersOf } from '#shared/bridge/index.ts'
import {
  SEGMENT_LIMITS,
  type Segment,
  type SegmentMember,
  type SegmentKind,
  type SegmentSort,
} from '#shared/domain/manage/segments.ts'
import { AppError } from '#shared/lib/app-error.ts'
import type { WireFilter } from '#shared/rules/segments/filter.ts'
import {
  addSegmentTargets,
  createSegment,
  deleteSegment,
  deleteSegmentTargets,
  getSegment,
  queryCampaigns,
  querySegments,
  querySegmentTargets,
  updateSegment,
} from '#shared/wire/campaigns.ts'
import { hasParts } from '#shared/rules/search/search-fold.ts'
import { ApiError } from '../../../api/errors.ts'
import type { CallContext, EngineApi } from '../../../context.ts'
import type { Core, Requests } from '../../../core.ts'
import { asList, cursorOf, eachOf } from '../../../decode/read.ts'
import { defineFeature } from '../../../registry/feature.ts'
import { connectedApi, requireRight, topicChanged } from '../authority.ts'
import {
  countStep,
  findMembers,
  firstMembers,
  membershipOf,
  membersById,
  resolveLines,
  readSegment,
  readTarget,
  readUse,
} from './audience.ts'
import { createStoredList } from '../stored-list.ts'

const PAGE = 50
/** Segments of one request while a text is looked for: servers cannot search in them. */
const SEARCH_PAGE = 100
const TARGETS = 100
const NEWEST_FIRST = { by: 'created_at', direction: -1 } as const

type Parts = Requests & Pick<Core, 'cache' | 'collector' | 'me' | 'memory' | 'server' | 'serverNow'>
type Handlers = HandlersOf<'segments', CallContext>
type ListQuery = Parameters<Handlers['list']>[0]

/** See docs/wire.md 3.15. No event tells of segments: a window that changes one shows it to the others. */
export const segmentsFeature = defineFeature({
  create: (core: Parts) => ({ calls: { segments: { ...reading(core), ...changing(core), ...looking(core) } } }),
})

const apiOf = (core: Parts): Promise<EngineApi> => connectedApi(core, 'campaigns')

function reading(core: Parts): Pick<Handlers, 'list' | 'get' | 'uses'> {
  return {
    async list(query) {
      if (!core.isHealthy()) {
        const { at, rows } = offlineList(core)
        return { segments: queried(rows, { ...query, sort: query.sort ?? NEWEST_FIRST }), asOf: at }
      }
      return listSegments(core, await apiOf(core), query)
    },
    async get({ id }) {
      if (!core.isHealthy()) {
        const { at, rows } = offlineList(core)
        const segment = rows.find((each) => each.id === id)
        if (segment === undefined) throw new AppError('network/offline')
        return { segment, asOf: at }
      }
      return { segment: await loadSegment(core, await apiOf(core), id) }
    },
    async uses({ id }) {
      const api = await apiOf(core)
      const body = { filter: { segments: { $in: [id] } }, limit: 100, user_limit: 0 }
      return eachOf(asList((await api.send(queryCampaigns, { body, signal: core.life })).campaigns), readUse)
    },
  }
}

function offlineList(core: Parts) {
  requireRight(core, 'campaigns')
  const known = LISTED.read(core.cache.reader)
  if (known === undefined) throw new AppError('network/offline')
  return known
}

async function listSegments(core: Parts, api: EngineApi, { find, kind, sort = NEWEST_FIRST, after }: ListQuery) {
  const filter = kind === undefined ? {} : { type: kind }
  const found: Segment[] = []
  let next = after
  /** A search reads on until a page is full. */
  const isSearch = find !== ''
  do {
    const body = {
      filter,
      sort: [{ field: sort.by, direction: sort.direction }],
      limit: isSearch ? SEARCH_PAGE : PAGE,
      ...(next === undefined ? {} : { next }),
    }
    const reply = await api.send(querySegments, { body, signal: core.life })
    if (kind === undefined) {
      const [isFirst, at] = [next === undefined, core.serverNow()]
      core.write((tx) => LISTED.write(tx, asList(reply.segments), at, isFirst))
    }
    found.push(...eachOf(reply.segments, readSegment).filter((each) => !isSearch || isFound(each, find)))
    next = cursorOf(reply.next, next)
    if (!isSearch) break
  } while (next !== undefined && found.length < PAGE)
  return { segments: found, next }
}

async function loadSegment(core: Parts, api: EngineApi, id: string): Promise<Segment> {
  const { segment } = await orGone(api.send(getSegment, { params: { id }, signal: core.life }))
  return known(segment)
}

function known(value: unknown): Segment {
  const segment = readSegment(value)
  if (segment === undefined) throw new AppError('segments/gone')
  return segment
}

/** A segment that the server does not have. */
async function orGone<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw isGone(error) ? new AppError('segments/gone', { cause: error }) : error
  }
}

const isGone = (error: unknown): boolean => error instanceof ApiError && error.class === 'gone'

function changing(core: Parts): Pick<Handlers, 'create' | 'change' | 'remove' | 'addTargets' | 'removeTargets'> {
  const changed = (): void => topicChanged(core, 'segments')
  return {
    async create({ id, kind, name, description, filter, all }) {
      const api = await apiOf(core)
      if (id !== undefined && (await exists(core, api, id))) throw new AppError('segments/taken')
      const body = {
        type: kind,
        name,
        ...(id === undefined ? {} : { id }),
        ...(description ? { description } : {}),
        ...(filter === undefined || all ? {} : { filter: parsed(filter) }),
        ...(all ? (kind === 'user' ? { all_users: true } : { all_sender_channels: true }) : {}),
      }
      const made = known((await api.send(createSegment, { body, signal: core.life })).segment)
      changed()
      return made
    },
    async change({ id, version, name, description, filter }) {
      const api = await apiOf(core)
      const check = async (): Promise<void> => {
        if ((await loadSegment(core, api, id)).version !== version) throw new AppError('segments/changed')
      }
      // Servers that do not know the expected version are asked first; ours refuses whoever was faster in between.
      await check()
      const body = {
        expected_updated_at: version,
        ...(name === undefined ? {} : { name }),
        ...(description === undefined ? {} : { description }),
        ...(filter === undefined ? {} : { filter: parsed(filter) }),
      }
      try {
        const { segment } = await orGone(api.send(updateSegment, { params: { id }, body, signal: core.life }))
        changed()
        return known(segment)
      } catch (error) {
        if (error instanceof ApiError && error.class === 'invalid') await check()
        throw error
      }
    },
    async remove({ id }) {
      const api = await apiOf(core)
      await orGone(api.send(deleteSegment, { params: { id }, signal: core.life }))
      changed()
    },
    async addTargets({ id, targetIds }) {
      const api = await apiOf(core)
      const ids = [...new Set(targetIds)].slice(0, SEGMENT_LIMITS.added)
      try {
        await api.send(addSegmentTargets, { params: { id }, body: { target_ids: ids }, signal: core.life })
      } catch (error) {
        // The same code says that a target does not exist.
        if (isGone(error) && (await exists(core, api, id))) {
          throw new AppError('segments/unknown-target', { cause: error })
        }
        throw isGone(error) ? new AppError('segments/gone', { cause: error }) : error
      }
      changed()
      return loadSegment(core, api, id)
    },
    async removeTargets({ id, targetIds }) {
      const api = await apiOf(core)
      const body = { target_ids: [...new Set(targetIds)] }
      await orGone(api.send(deleteSegmentTargets, { params: { id }, body, signal: core.life }))
      changed()
      return loadSegment(core, api, id)
    },
  }
}

async function exists(core: Parts, api: EngineApi, id: string): Promise<boolean> {
  try {
    await api.send(getSegment, { params: { id }, signal: core.life })
    return true
  } catch (error) {
    if (isGone(error)) return false
    throw error
  }
}

/** The contract of the calls says that it is an object. */
const parsed = (filter: string): WireFilter => JSON.parse(filter) as WireFilter

function looking(core: Parts): Pick<Handlers, 'targets' | 'membership' | 'members' | 'count' | 'resolve' | 'find'> {
  const access = async () => ({ api: await apiOf(core), core })
  return {
    async targets({ id, kind, from, after }) {
      const reach = await access()
      const filter = from === undefined ? {} : { target_id: { $gte: from } }
      const body = { filter, limit: TARGETS, ...(after === undefined ? {} : { next: after }) }
      const reply = await orGone(reach.api.send(querySegmentTargets, { params: { id }, body, signal: core.life }))
      const targets = eachOf(asList(reply.targets), readTarget)
      const members = await membersById(
        reach,
        kind,
        targets.map((each) => each.id),
      )
      return { targets: targets.map((each) => withMember(each, members)), next: cursorOf(reply.next, after) }
    },
    membership: async ({ filter, ...query }) => membershipOf(await access(), { ...query, filter: parsed(filter) }),
    members: async ({ filter, ...query }) => firstMembers(await access(), { ...query, filter: parsed(filter) }),
    count: async ({ filter, ...query }) => countStep(await access(), { ...query, filter: parsed(filter) }),
    resolve: async ({ kind, lines }) => resolveLines(await access(), kind, lines),
    find: async ({ kind, text }) => findMembers(await access(), kind, text),
  }
}

function withMember<Target extends { readonly id: string }>(
  target: Target,
  members: ReadonlyMap<string, SegmentMember>,
): Target & { readonly member?: SegmentMember } {
  const member = members.get(target.id)
  return member === undefined ? target : { ...target, member }
}

/** The segments that the server listed last. */
const LISTED = createStoredList('segments', readSegment)

/** Whether a segment is what somebody looks for: the text is in its name, its description or its id. */
const isFound = ({ id, name, description }: Segment, find: string): boolean =>
  hasParts(`${name} ${description} ${id}`, find)

type Query = {
  readonly find: string
  readonly kind?: SegmentKind
  readonly sort: { readonly by: SegmentSort; readonly direction: 1 | -1 }
}

/** What of the stored segments a query asks for, in its order. */
function queried(segments: readonly Segment[], { find, kind, sort }: Query): readonly Segment[] {
  const keyOf = ({ name, createdAt = 0, updatedAt = 0 }: Segment): string | number =>
    sort.by === 'name' ? name : sort.by === 'created_at' ? createdAt : updatedAt
  return segments
    .filter((each) => (kind === undefined || each.kind === kind) && isFound(each, find))
    .toSorted((a, b) => {
      const [left, right] = [keyOf(a), keyOf(b)]
      return (left < right ? -1 : left > right ? 1 : 0) * sort.direction
    })
}
