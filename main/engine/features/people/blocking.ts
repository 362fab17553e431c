import type { IntentFor } from '#shared/domain/intent.ts'
import { NO_CHANNEL } from '#shared/domain/outbox.ts'
import { asUserId, type UserId } from '#shared/lib/brand.ts'
import { isBlocking } from '#shared/rules/people/people.ts'
import { blockUser, unblockUser } from '#shared/wire/users.ts'
import * as blocks from '#main/cache/people/blocks.ts'
import * as channels from '#main/cache/channels/channels.ts'
import * as members from '#main/cache/channels/members.ts'
import * as mutes from '#main/cache/people/mutes.ts'
import { countedByServer } from '#main/cache/channels/unread.ts'
import * as users from '#main/cache/people/users.ts'
import { isBlocked, visibleChannel } from '../../changes/visible.ts'
import type { Core, Timelines } from '../../core.ts'
import type { Done } from '../../outbox/runner.ts'
import { fetchThese } from '../../sync/list.ts'
import { fetchNewest } from '../channels/fetch.ts'

type BlockIntent = IntentFor<'block-person'> | IntentFor<'unblock-person'>

/** Queued without a connection too, and shown at once. */
export function askToBlock(
  core: Pick<Core, 'cache' | 'context' | 'outbox' | 'runner'>,
  userId: UserId,
  blocked: boolean,
): void {
  if (isBlocked(core.context, userId) === blocked) return
  const kind = blocked ? 'block-person' : 'unblock-person'
  core.outbox.add({ kind, cid: NO_CHANNEL, payload: { userId, directCid: directWith(core, userId) } })
  core.runner.kick()
}

const directWith = (core: Pick<Core, 'cache' | 'context'>, userId: UserId) =>
  members.cidsOf(core.cache.reader, userId).find((cid) => visibleChannel(core.context, cid)?.directUserId === userId)

/** Blocked users, including pending blocks and without pending unblocks. */
export function blockedPeople(
  core: Pick<Core, 'cache' | 'context' | 'outbox'>,
): readonly { readonly id: UserId; readonly name: string }[] {
  const { reader } = core.cache
  const queued = core.outbox.in(NO_CHANNEL).flatMap((each) => (isBlocking(each) ? [each.payload.userId] : []))
  const known = [...blocks.blockedIds(reader)].map(asUserId)
  const ids = [...new Set([...known, ...queued])].filter((id) => isBlocked(core.context, id))
  const names = new Map(users.byIds(reader, ids).map(({ id, name }) => [id, name]))
  return ids.map((id) => ({ id, name: names.get(id) ?? id }))
}

type Parts = Timelines & Pick<Core, 'background' | 'cache' | 'delivery' | 'me' | 'ports' | 'serverNow' | 'syncState'>

/** See docs/wire.md 3.11. Repeating either request changes nothing. */
export async function block(core: Parts, { kind, payload }: BlockIntent, signal: AbortSignal): Promise<Done> {
  const { userId, directCid } = payload
  const blocked = kind === 'block-person'
  await core.api.send(blocked ? blockUser : unblockUser, { body: { blocked_user_id: userId }, signal })
  let isNew = false
  return {
    apply: (tx) => {
      const before = blocks.blockedIds(tx)
      mutes.set(tx, 'block', userId, blocked)
      if (directCid !== undefined && channels.byCid(tx, directCid)) channels.patch(tx, directCid, { blocked })
      isNew = blocks.changed(tx, before)
    },
    after: () => {
      if (isNew) core.background('block', () => refreshOpenChannels(core))
    },
  }
}

/** Fetches the open channels again: messages of blocked users disappear, those of unblocked ones return. */
async function refreshOpenChannels(core: Parts): Promise<void> {
  const cids = new Set(core.collector.openLists().map((view) => view.cid))
  for (const cid of cids) await fetchNewest(core, cid)
  await recounted(core)
}

/** Fetches unread counts that the server counts: they depend on muted and blocked users. See docs/wire.md 8.14. */
export async function recounted(core: Parts): Promise<void> {
  await fetchThese(core, countedByServer(core.cache.reader, core.serverNow()))
}
