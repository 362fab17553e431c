import {
  exportUser,
  deactivateUser,
  deleteUsers,
  getDevices,
  reactivateUser,
  restoreUsers,
  updateUsersPartial,
} from '#shared/wire/users.ts'
import { type UserId, asUserId } from '#shared/lib/brand.ts'
import type { EngineClient, HandlersOf } from '#shared/bridge/index.ts'
import type { DirectoryPerson, RefusedPerson } from '#shared/domain/manage/directory.ts'
import { AppError } from '#shared/lib/app-error.ts'
import { formatTime } from '#shared/lib/rfc3339.ts'
import { personId } from '#shared/rules/people/people.ts'
import { getTask, listRoles } from '#shared/wire/admin.ts'
import { queryUsers, upsertUsers } from '#shared/wire/app.ts'
import type { Filter } from '#shared/wire/endpoint.ts'
import { defineFeature } from '../../../registry/feature.ts'
import type { CallContext, EngineApi } from '../../../context.ts'
import type { Core, Requests } from '../../../core.ts'
import { asList, asWire, eachOf, idOf, nameOf } from '../../../decode/read.ts'
import { connectedApi, topicChanged } from '../authority.ts'
import { readDevice, readPerson, storeSeen, wireField, joinPublicChannels } from './people.ts'

declare module '../../../registry/feature.ts' {
  interface Offers {
    /** Everything the server has of one person, as JSON, and how many messages that is. */
    exportedPerson(userId: UserId): Promise<{ readonly text: string; readonly messages: number }>
  }
}

export const directoryFeature = defineFeature({
  create: (core: Parameters<typeof directoryCalls>[0]) => ({
    calls: { directory: directoryCalls(core) },
    offers: {
      async exportedPerson(userId: UserId) {
        const api = await peopleApi(core)
        const { user, messages, reactions } = await api.send(exportUser, { params: { id: userId }, signal: core.life })
        const text = JSON.stringify({ kind: 'parlor-person', version: 1, user, messages, reactions }, undefined, 1)
        return { text: `${text}\n`, messages: messages.length }
      },
    },
  }),
})

const SECOND_MS = 1_000

type Parts = Requests & Pick<Core, 'cache' | 'collector' | 'me' | 'memory' | 'ports' | 'server' | 'serverNow'>
type Handlers = HandlersOf<'directory', CallContext>

/** Requests with the right to manage people. */
const peopleApi = (core: Parts): Promise<EngineApi> => connectedApi(core, 'people')

/** See docs/wire.md 3.11. */
function directoryCalls(core: Parts): Handlers {
  return {
    list: async (query) => listPeople(core, await peopleApi(core), query),
    async person({ userId }) {
      const api = await peopleApi(core)
      const [person, devices] = await Promise.all([personOf(core, api, userId), devicesOf(core, api, userId)])
      return { person, devices }
    },
    async roles() {
      const api = await peopleApi(core)
      const { roles } = await api.send(listRoles, { signal: core.life })
      return asList(roles).flatMap((value) => roleOf(value) ?? [])
    },
    ...changes(core),
    ...activation(core),
    ...deletion(core),
    ...tokens(core),
  }
}

async function personOf(core: Parts, api: EngineApi, userId: UserId): Promise<DirectoryPerson> {
  const deleted = core.server?.source === 'owner' ? { include_deleted_users: true } : {}
  const payload = { filter_conditions: { id: userId }, limit: 1, include_deactivated_users: true, ...deleted }
  const asOf = core.asOf()
  const users = asList((await api.send(queryUsers, { query: { payload }, signal: core.life })).users)
  const person = readPerson(users[0], asOf)
  if (person?.id !== userId) throw new AppError('people/gone')
  core.write((tx) => storeSeen(tx, users, asOf))
  return person
}

async function devicesOf(core: Parts, api: EngineApi, userId: UserId) {
  const { devices } = await api.send(getDevices, { query: { user_id: userId }, signal: core.life })
  return eachOf(asList(devices), readDevice)
}

/** App roles only: those of a channel are given in the channel. */
function roleOf(value: unknown): string | undefined {
  const wire = asWire(value)
  const name = nameOf(wire?.['name'], 64)
  if (name === undefined || name === 'anonymous' || name.startsWith('channel_')) return undefined
  const scopes = asList(wire?.['scopes'])
  return scopes.length > 0 && scopes.every((scope) => scope === 'channel') ? undefined : name
}

/** Also shows the change to the windows that show the person elsewhere. */
function changed(core: Parts, people: readonly unknown[], asOf: number): void {
  core.write((tx) => storeSeen(tx, people, asOf))
  topicChanged(core, 'people')
}

type Profile = Pick<Parameters<EngineClient['directory']['change']>[0], 'name' | 'role' | 'teams' | 'language'>

const profileOf = ({ name, role, teams, language }: Profile): Record<string, unknown> => ({
  ...(name === undefined ? {} : { name }),
  ...(role === undefined ? {} : { role }),
  ...(teams === undefined ? {} : { teams }),
  ...(language ? { language } : {}),
})

function changes(core: Parts): Pick<Handlers, 'create' | 'change' | 'changeRole'> {
  return {
    async create({ id, join, ...profile }) {
      const api = await peopleApi(core)
      const userId = id ?? personId(profile.name, core.ports.ids)
      if (id !== undefined) {
        const payload = { filter_conditions: { id }, limit: 1, include_deactivated_users: true }
        const { users } = await api.send(queryUsers, { query: { payload }, signal: core.life })
        if (asList(users).length > 0) throw new AppError('people/taken')
      }
      const asOf = core.asOf()
      const body = { users: { [userId]: { id: userId, ...profileOf(profile) } } }
      const { users } = await api.send(upsertUsers, { body, signal: core.life })
      if (join) await joinPublicChannels(api, userId, core.life)
      changed(core, Object.values(asWire(users) ?? {}), asOf)
      return { userId: asUserId(userId) }
    },
    async change({ userId, fields = {}, removeFields = [], ...profile }) {
      const api = await peopleApi(core)
      if (userId === core.me && profile.role !== undefined) throw new AppError('people/yourself')
      const custom = Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, wireField(name, value)]))
      const unset = [...removeFields, ...(profile.language === '' ? ['language'] : [])]
      const user = { id: userId, set: { ...custom, ...profileOf(profile) }, ...(unset.length === 0 ? {} : { unset }) }
      const asOf = core.asOf()
      const { users } = await api.send(updateUsersPartial, { body: { users: [user] }, signal: core.life })
      const person = readPerson(asWire(users)?.[userId], asOf)
      if (!person) throw new AppError('people/gone')
      changed(core, Object.values(asWire(users) ?? {}), asOf)
      return person
    },
    async changeRole({ userIds, role }) {
      const api = await peopleApi(core)
      return forEach(core, userIds, async (id) => {
        const users = [{ id, set: { role } }]
        await api.send(updateUsersPartial, { body: { users }, signal: core.life })
      })
    },
  }
}

function activation(core: Parts): Pick<Handlers, 'deactivate' | 'reactivate'> {
  return {
    async deactivate({ userIds, deleteMessages }) {
      const api = await peopleApi(core)
      return forEach(core, userIds, async (id) => {
        const body = { created_by_id: core.me, ...(deleteMessages ? { mark_messages_deleted: true } : {}) }
        await api.send(deactivateUser, { params: { id }, body, signal: core.life })
      })
    },
    async reactivate({ userIds, restoreMessages }) {
      const api = await peopleApi(core)
      return forEach(
        core,
        userIds,
        async (id) => {
          const body = { created_by_id: core.me, ...(restoreMessages ? { restore_messages: true } : {}) }
          await api.send(reactivateUser, { params: { id }, body, signal: core.life })
        },
        true,
      )
    },
  }
}

function deletion(core: Parts): Pick<Handlers, 'remove' | 'restore'> {
  return {
    async remove({ userIds, user, messages, conversations, newOwnerId }) {
      const api = await peopleApi(core)
      const ids = userIds.filter((id) => id !== core.me)
      const refused: RefusedPerson[] = ids.length < userIds.length ? [{ userId: core.me, code: 'people/yourself' }] : []
      if (ids.length === 0) return { refused, running: false }
      const body = {
        user_ids: ids,
        user,
        ...(messages === undefined ? {} : { messages }),
        ...(conversations === undefined ? {} : { conversations }),
        ...(newOwnerId === undefined ? {} : { new_channel_owner_id: newOwnerId }),
      }
      const { task_id: id } = await api.send(deleteUsers, { body, signal: core.life })
      // A server that names no task has done it at once, or says nothing about it.
      const task = idOf(id) === undefined ? {} : await api.send(getTask, { params: { id }, signal: core.life })
      topicChanged(core, 'people')
      return {
        refused: [...refused, ...failedIn(asWire(task)?.['result'])],
        running: asWire(task)?.['status'] !== 'completed',
      }
    },
    async restore({ userIds }) {
      const api = await peopleApi(core)
      await api.send(restoreUsers, { body: { user_ids: userIds }, signal: core.life })
      topicChanged(core, 'people')
    },
  }
}

/** See docs/wire.md 3.1 `/tasks/{id}`: one outcome per id. */
function failedIn(result: unknown): readonly RefusedPerson[] {
  return Object.entries(asWire(result) ?? {}).flatMap(([userId, outcome]) => {
    const status = asWire(outcome)?.['status']
    return status === undefined || status === 'ok' ? [] : [{ userId, code: 'people/not-deleted' }]
  })
}

function tokens(core: Parts): Pick<Handlers, 'signOut' | 'issueToken'> {
  return {
    async signOut({ userId }) {
      const api = await peopleApi(core)
      // Tokens count whole seconds: a token that this computer renews within this second stays valid.
      const now = Math.floor(core.serverNow() / SECOND_MS) * SECOND_MS
      const users = [{ id: userId, set: { revoke_tokens_issued_before: formatTime(now) } }]
      await api.send(updateUsersPartial, { body: { users }, signal: core.life })
    },
    async issueToken({ userId, forMs }) {
      const api = await peopleApi(core)
      const issue = core.server?.issueToken
      if (issue === undefined) throw new AppError('app/not-local')
      const person = await personOf(core, api, userId)
      if (person.deactivatedAt !== undefined || person.deletedAt !== undefined) throw new AppError('people/inactive')
      return issue(userId, forMs)
    },
  }
}

/** One request per person, so that one refusal does not stop the rest. The viewer's own user is left alone. */
async function forEach(
  core: Parts,
  userIds: readonly UserId[],
  run: (id: UserId) => Promise<void>,
  withMe = false,
): Promise<{ readonly refused: readonly RefusedPerson[] }> {
  const refused: RefusedPerson[] = []
  for (const userId of userIds) {
    try {
      if (userId === core.me && !withMe) throw new AppError('people/yourself')
      await run(userId)
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      refused.push({ userId, code: error.code })
    }
  }
  topicChanged(core, 'people')
  return { refused }
}

const PAGE = 100
/** No server goes further into the list. */
const LAST_OFFSET = 1_000

type ListParts = Requests & Pick<Core, 'server'>
type Query = Required<
  Pick<Parameters<EngineClient['directory']['list']>[0], 'find' | 'roles' | 'teams' | 'sort' | 'offset'>
> &
  Parameters<EngineClient['directory']['list']>[0]
/** `cut`: there are further people, but the server lists none of them. */
type Page = { readonly people: readonly DirectoryPerson[]; readonly more: boolean; readonly cut?: true }

/** A page of the directory. */
async function listPeople(core: ListParts, api: EngineApi, query: Query): Promise<Page> {
  const isLocal = core.server?.source === 'owner'
  if (query.state === 'deactivated' && !isLocal) return everyoneDeactivated(core, api, query)
  if (query.state === 'deleted' && !isLocal) return { people: [], more: false }
  const { people, full } = await pageOf(core, api, query, query.offset)
  const isLast = query.offset >= LAST_OFFSET
  return { people, more: full && !isLast, ...(full && isLast ? { cut: true } : {}) }
}

/** Other servers cannot filter by it: all that they list are searched. */
async function everyoneDeactivated(core: ListParts, api: EngineApi, query: Query): Promise<Page> {
  const found: DirectoryPerson[] = []
  for (let offset = 0; offset <= LAST_OFFSET; offset += PAGE) {
    const { people, full } = await pageOf(core, api, { ...query, state: undefined }, offset)
    found.push(...people.filter(({ deactivatedAt }) => deactivatedAt !== undefined))
    if (!full) return { people: found, more: false }
  }
  return { people: found, more: false, cut: true }
}

async function pageOf(core: ListParts, api: EngineApi, query: Query, offset: number) {
  const asOf = core.asOf()
  const { by, direction } = query.sort
  const payload = {
    filter_conditions: filterOf(query),
    sort: [{ field: by, direction }, ...(by === 'name' ? [] : [{ field: 'name', direction: 1 as const }])],
    limit: PAGE,
    offset,
    include_deactivated_users: query.state !== 'active',
    ...(query.state === 'deleted' ? { include_deleted_users: true } : {}),
  }
  const found = asList((await api.send(queryUsers, { query: { payload }, signal: core.life })).users)
  core.write((tx) => storeSeen(tx, found, asOf))
  return { people: eachOf(found, (value) => readPerson(value, asOf)), full: found.length === PAGE }
}

/** See docs/wire.md 6.3 "Users". */
function filterOf({ find, roles, teams, state, activeAfter, activeBefore }: Query): Filter {
  const active = {
    ...(activeAfter === undefined ? {} : { $gte: formatTime(activeAfter) }),
    ...(activeBefore === undefined ? {} : { $lt: formatTime(activeBefore) }),
  }
  return {
    ...(find === '' ? {} : { $or: [{ name: { $autocomplete: find } }, { id: { $autocomplete: find } }] }),
    ...(roles.length === 0 ? {} : { role: { $in: roles } }),
    ...(teams.length === 0 ? {} : { teams: { $in: teams } }),
    ...(state === 'banned' ? { banned: true } : {}),
    ...(state === 'deactivated' ? { deactivated_at: { $exists: true } } : {}),
    ...(state === 'deleted' ? { deleted_at: { $exists: true } } : {}),
    ...(Object.keys(active).length === 0 ? {} : { last_active: active }),
  }
}
