import type { HandlersOf } from '#shared/bridge/index.ts'
import type { Findable } from '#shared/domain/manage/directory.ts'
import { AppError } from '#shared/lib/app-error.ts'
import { changedGrants, type RightChange } from '#shared/rules/channels/grants.ts'
import { createRole, deleteRole, getChannelType, listChannelTypes, updateChannelType } from '#shared/wire/admin.ts'
import { queryUsers } from '#shared/wire/app.ts'
import { queryChannels } from '#shared/wire/channels.ts'
import { defineFeature } from '../../../registry/feature.ts'
import { ApiError } from '../../../api/errors.ts'
import type { CallContext, EngineApi } from '../../../context.ts'
import type { Core, Requests } from '../../../core.ts'
import { asList, asWire, idOf, nameOf } from '../../../decode/read.ts'
import { writeUser } from '../../../sync/write.ts'
import { connectedApi, topicChanged } from '../authority.ts'
import { readStanding, readGrants, readTable } from './table.ts'

export const rolesFeature = defineFeature({
  create: (core: Parameters<typeof rolesCalls>[0]) => ({ calls: { roles: rolesCalls(core) } }),
})

type Parts = Requests & Pick<Core, 'cache' | 'collector' | 'me' | 'memory' | 'server'>

/** See docs/wire.md 3.16 and 8.1. */
function rolesCalls(core: Parts): HandlersOf<'roles', CallContext> {
  const allowed = (): Promise<EngineApi> => connectedApi(core, 'roles')
  return {
    list: async () => readTable(core, await allowed()),
    async create({ name, like }) {
      const api = await allowed()
      await addRole(core, api, name)
      await changeTypes(core, api, (grants) => ({ ...grants, [name]: grants[like] ?? [] }))
      topicChanged(core, 'roles')
    },
    async remove({ name }) {
      const api = await allowed()
      await api.send(deleteRole, { params: { name }, signal: core.life })
      await changeTypes(core, api, ({ [name]: gone, ...others }) => (gone === undefined ? undefined : others))
      topicChanged(core, 'roles')
    },
    async save({ type, changes }) {
      await saveRights(core, await allowed(), type, changes)
      topicChanged(core, 'roles')
    },
    standing: async ({ userId, cid }) => readStanding(core, await allowed(), userId, cid),
    find: async ({ what, text }) => {
      const api = await allowed()
      return what === 'people' ? findPeople(core, api, text.trim()) : findChannels(core, api, text.trim())
    },
  }
}

async function addRole({ life }: Pick<Core, 'life'>, api: EngineApi, name: string): Promise<void> {
  try {
    await api.send(createRole, { body: { name }, signal: life })
  } catch (error) {
    throw error instanceof ApiError && error.class === 'exists' ? new AppError('roles/exists', { cause: error }) : error
  }
}

type Grants = ReturnType<typeof readGrants>

/** Changes the grants of each channel type; `undefined` leaves a type alone. */
async function changeTypes(
  { life: signal }: Pick<Core, 'life'>,
  api: EngineApi,
  change: (grants: Grants) => Grants | undefined,
): Promise<void> {
  const { channel_types: types } = await api.send(listChannelTypes, { signal })
  for (const [name, type] of Object.entries(asWire(types) ?? {})) {
    const grants = change(readGrants(asWire(type)?.['grants']))
    if (grants !== undefined) await api.send(updateChannelType, { params: { name }, body: { grants }, signal })
  }
}

/** On what is in force now, not on what the window showed: what someone else changed meanwhile stays. */
async function saveRights(
  { life: signal }: Pick<Core, 'life'>,
  api: EngineApi,
  name: string,
  changes: readonly RightChange[],
): Promise<void> {
  const now = asWire(await api.send(getChannelType, { params: { name }, signal }))
  const grants = changedGrants(readGrants(now?.['grants']), changes)
  await api.send(updateChannelType, { params: { name }, body: { grants }, signal })
}

const FOUND = 20

async function findPeople(core: Parts, api: EngineApi, text: string): Promise<readonly Findable[]> {
  const asOf = core.asOf()
  const filter = text === '' ? {} : { $or: [{ name: { $autocomplete: text } }, { id: text }] }
  const payload = { filter_conditions: filter, limit: FOUND }
  const { users } = await api.send(queryUsers, { query: { payload }, signal: core.life })
  return core.write((tx) =>
    asList(users).flatMap((user) => {
      const row = writeUser(tx, user, asOf)
      return row === undefined ? [] : [{ id: row.id, name: row.name ?? row.id }]
    }),
  )
}

async function findChannels({ life }: Pick<Core, 'life'>, api: EngineApi, text: string): Promise<readonly Findable[]> {
  const { channels } = await api.send(queryChannels, {
    body: {
      filter_conditions: text === '' ? {} : { name: { $autocomplete: text } },
      sort: [{ field: 'last_message_at', direction: -1 }],
      state: false,
      limit: FOUND,
      message_limit: 0,
    },
    signal: life,
  })
  return asList(channels).flatMap((state) => {
    const channel = asWire(asWire(state)?.['channel'])
    const id = idOf(channel?.['cid'])
    return id === undefined ? [] : [{ id, name: nameOf(channel?.['name']) ?? id }]
  })
}
