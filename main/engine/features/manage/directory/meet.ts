import { queryUsers } from '#shared/wire/app.ts'
import * as users from '#main/cache/people/users.ts'
import type { EngineApi } from '../../../context.ts'
import type { Core, Requests } from '../../../core.ts'
import { asList } from '../../../decode/read.ts'
import { storeSeen } from './decode.ts'

/** The contract's limit of one page. See docs/wire.md 6.5. */
const PAGE = 100

/** Asks for those whom this device does not know, so that they can be named. */
export async function meet(
  core: Pick<Requests, 'asOf' | 'life' | 'write'> & Pick<Core, 'cache'>,
  api: EngineApi,
  ids: readonly string[],
): Promise<void> {
  const known = new Set<string>(users.byIds(core.cache.reader, ids).map(({ id }) => id))
  const unknown = [...new Set(ids)].filter((id) => !known.has(id))
  for (let at = 0; at < unknown.length; at += PAGE) {
    const payload = {
      filter_conditions: { id: { $in: unknown.slice(at, at + PAGE) } },
      limit: PAGE,
      include_deactivated_users: true,
    }
    const asOf = core.asOf()
    const found = await api.send(queryUsers, { query: { payload }, signal: core.life })
    core.write((tx) => storeSeen(tx, asList(found.users), asOf))
  }
}
