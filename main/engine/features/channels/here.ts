import type { Cid, UserId } from '#shared/lib/brand.ts'
import { splitCid } from '#shared/rules/channels/channels.ts'
import { getChannel } from '#shared/wire/channels.ts'
import type { Core } from '../../core.ts'
import { asList } from '../../decode/read.ts'
import { writeUser } from '../../sync/write.ts'

/** Number of names that are displayed. */
const NAMES = 30

/**
 * Users who have a channel open now. Only the server knows: events report changes, not the users who were there
 * before.
 */
export async function here(core: Core, cid: Cid): Promise<readonly UserId[]> {
  if (!core.isHealthy()) return []
  const asOf = core.asOf()
  const query = { state: true, messages_limit: 1, members_limit: 1, watchers_limit: NAMES }
  const reply = await core.api.send(getChannel, { params: splitCid(cid), query, signal: core.life })
  return core.write((tx) => asList(reply.watchers).flatMap((user) => writeUser(tx, user, asOf)?.id ?? []))
}
