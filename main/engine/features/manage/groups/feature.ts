import type { HandlersOf } from '#shared/bridge/index.ts'
import type { UserGroup } from '#shared/domain/manage/directory.ts'
import { AppError } from '#shared/lib/app-error.ts'
import {
  addUserGroupMembers,
  createUserGroup,
  deleteUserGroup,
  getUserGroup,
  listUserGroups,
  removeUserGroupMembers,
  searchUserGroups,
  updateUserGroup,
} from '#shared/wire/admin.ts'
import { asUserId } from '#shared/lib/brand.ts'
import type { Tx } from '#main/cache/store.ts'
import { defineFeature } from '../../../registry/feature.ts'
import type { ApplyContext } from '../../../sync/ingest.ts'
import { topicChanged, connectedApi } from '../authority.ts'
import { ApiError } from '../../../api/errors.ts'
import type { CallContext, EngineApi } from '../../../context.ts'
import type { Core, Requests } from '../../../core.ts'
import { asList, eachOf, asWire, flagOf, idOf, nameOf, textOf, timeOf } from '../../../decode/read.ts'
import { meet } from '../directory/people.ts'

/** Groups are not cached: screens that show them load them again. */
const changed = (_tx: Tx, _event: unknown, context: ApplyContext): void => topicChanged(context, 'people')

export const groupsFeature = defineFeature({
  events: {
    'user_group.created': changed,
    'user_group.updated': changed,
    'user_group.deleted': changed,
    'user_group.member_added': changed,
    'user_group.member_removed': changed,
  },
  create: (core: Parameters<typeof groupsCalls>[0]) => ({ calls: { groups: groupsCalls(core) } }),
})

const PAGE = 100

type Parts = Requests & Pick<Core, 'cache' | 'collector' | 'me' | 'memory' | 'server'>

/** See docs/wire.md 3.17. */
function groupsCalls(core: Parts): HandlersOf<'groups', CallContext> {
  const open = (): Promise<EngineApi> => connectedApi(core, 'people')
  const done = async (api: EngineApi, value: unknown): Promise<UserGroup> => {
    const group = readGroup(value)
    if (!group) throw new AppError('groups/gone')
    await loadMembers(core, api, [group])
    topicChanged(core, 'people')
    return group
  }
  return {
    async list({ find, after }) {
      const api = await open()
      const query = { limit: PAGE, ...(after === undefined ? {} : { id_gt: after }) }
      const reply =
        find === ''
          ? await api.send(listUserGroups, { query, signal: core.life })
          : await api.send(searchUserGroups, { query: { query: find, limit: PAGE }, signal: core.life })
      const found = asList(reply.user_groups)
      const groups = eachOf(found, readGroup)
      await loadMembers(core, api, groups)
      return { groups, next: find === '' && found.length === PAGE ? groups.at(-1)?.id : undefined }
    },
    async create({ id, name, description }) {
      const api = await open()
      if (id !== undefined && (await exists(core, api, id))) throw new AppError('groups/taken')
      const body = { name, ...(id === undefined ? {} : { id }), ...(description ? { description } : {}) }
      return done(api, (await api.send(createUserGroup, { body, signal: core.life })).user_group)
    },
    async change({ id, ...body }) {
      const api = await open()
      return done(
        api,
        (await api.send(updateUserGroup, { params: { id }, query: {}, body, signal: core.life })).user_group,
      )
    },
    async remove({ id }) {
      const api = await open()
      await api.send(deleteUserGroup, { params: { id }, query: {}, signal: core.life })
      topicChanged(core, 'people')
    },
    async addMembers({ id, memberIds, admin }) {
      const api = await open()
      const body = { member_ids: memberIds, as_admin: admin }
      return done(api, (await api.send(addUserGroupMembers, { params: { id }, body, signal: core.life })).user_group)
    },
    async removeMembers({ id, memberIds }) {
      const api = await open()
      const body = { member_ids: memberIds }
      return done(api, (await api.send(removeUserGroupMembers, { params: { id }, body, signal: core.life })).user_group)
    },
  }
}

async function exists(core: Parts, api: EngineApi, id: string): Promise<boolean> {
  try {
    await api.send(getUserGroup, { params: { id }, query: {}, signal: core.life })
    return true
  } catch (error) {
    if (error instanceof ApiError && error.class === 'gone') return false
    throw error
  }
}

/** Groups name their members only by id. */
const loadMembers = (core: Parts, api: EngineApi, groups: readonly UserGroup[]): Promise<void> =>
  meet(
    core,
    api,
    groups.flatMap(({ members }) => members.map(({ userId }) => userId)),
  )

/** See docs/wire.md 5.24. */
export function readGroup(value: unknown): UserGroup | undefined {
  const wire = asWire(value)
  const id = idOf(wire?.['id'])
  if (!wire || id === undefined) return undefined
  return {
    id,
    name: nameOf(wire['name']) ?? id,
    description: textOf(wire['description'], 1_024),
    teamId: nameOf(wire['team_id'], 64),
    createdAt: timeOf(wire['created_at']),
    members: eachOf(asList(wire['members']), (member) => {
      const userId = idOf(asWire(member)?.['user_id'])
      return userId === undefined
        ? undefined
        : { userId: asUserId(userId), admin: flagOf(asWire(member)?.['is_admin']) ?? false }
    }),
  }
}
