import type { EngineClient } from '#shared/bridge/index.ts'
import type { DirectoryPerson } from '#shared/domain/manage/directory.ts'
import { formatTime } from '#shared/lib/rfc3339.ts'
import { queryUsers } from '#shared/wire/app.ts'
import type { Filter } from '#shared/wire/pagination.ts'
import type { EngineApi } from '../../../context.ts'
import type { Core, Requests } from '../../../core.ts'
import { asList, eachOf } from '../../../decode/read.ts'
import { readPerson, storeSeen } from './decode.ts'

const PAGE = 100
/** No server goes further into the list. */
const LAST_OFFSET = 1_000

type Parts = Requests & Pick<Core, 'server'>
type Query = Required<
  Pick<Parameters<EngineClient['directory']['list']>[0], 'find' | 'roles' | 'teams' | 'sort' | 'offset'>
> &
  Parameters<EngineClient['directory']['list']>[0]
/** `cut`: there are further people, but the server lists none of them. */
type Page = { readonly people: readonly DirectoryPerson[]; readonly more: boolean; readonly cut?: true }

/** A page of the directory. */
export async function listPeople(core: Parts, api: EngineApi, query: Query): Promise<Page> {
  const isLocal = core.server?.source === 'owner'
  if (query.state === 'deactivated' && !isLocal) return everyoneDeactivated(core, api, query)
  if (query.state === 'deleted' && !isLocal) return { people: [], more: false }
  const { people, full } = await pageOf(core, api, query, query.offset)
  const isLast = query.offset >= LAST_OFFSET
  return { people, more: full && !isLast, ...(full && isLast ? { cut: true } : {}) }
}

/** Other servers cannot filter by it: all that they list are searched. */
async function everyoneDeactivated(core: Parts, api: EngineApi, query: Query): Promise<Page> {
  const found: DirectoryPerson[] = []
  for (let offset = 0; offset <= LAST_OFFSET; offset += PAGE) {
    const { people, full } = await pageOf(core, api, { ...query, state: undefined }, offset)
    found.push(...people.filter(({ deactivatedAt }) => deactivatedAt !== undefined))
    if (!full) return { people: found, more: false }
  }
  return { people: found, more: false, cut: true }
}

async function pageOf(core: Parts, api: EngineApi, query: Query, offset: number) {
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
