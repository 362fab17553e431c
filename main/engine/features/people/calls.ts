import type { HandlersOf } from '#shared/bridge/index.ts'
import { asUserId, type UserId } from '#shared/lib/brand.ts'
import { flagTarget, muteUser, unmuteUser } from '#shared/wire/moderation.ts'
import { blockUser, unblockUser } from '#shared/wire/users.ts'
import * as blocks from '#main/cache/tables/blocks.ts'
import * as mutes from '#main/cache/tables/mutes.ts'
import * as users from '#main/cache/tables/users.ts'
import { countedByServer } from '#main/cache/tables/unread.ts'
import type { CallContext } from '../../context.ts'
import type { Core } from '../../core.ts'
import { fetchThese } from '../../sync/list.ts'
import { fetchNewest } from '../channels/fetch.ts'
import { requireLine } from '../line.ts'
import { changeProfile, setPortrait } from './profile.ts'

const MINUTE_MS = 60_000

/** Source: wire contract 3.11 and 3.13. */
export function peopleCalls(core: Core): HandlersOf<'people', CallContext> {
  return {
    mute: ({ userId, muted, forMs }) => mute(core, userId, muted, forMs),
    block: async ({ userId, blocked }) => {
      requireLine(core)
      const body = { blocked_user_id: userId }
      await core.api.send(blocked ? blockUser : unblockUser, { body, signal: core.life })
      const isNew = core.write((tx) => {
        const before = blocks.blockedIds(tx)
        mutes.set(tx, 'block', userId, blocked)
        return blocks.changed(tx, before)
      })
      if (isNew) core.background('block', () => asServerSees(core))
    },
    blocked: () => {
      const ids = [...blocks.blockedIds(core.cache.reader)]
      const names = new Map(users.byIds(core.cache.reader, ids).map(({ id, name }) => [id, name]))
      return ids.map((id) => ({ id: asUserId(id), name: names.get(asUserId(id)) ?? id }))
    },
    changeProfile: (input) => changeProfile(core, input),
    setPortrait: ({ picture }) => setPortrait(core, picture),
    flag: async ({ userId, reason }) => {
      requireLine(core)
      const why = reason === undefined ? {} : { reason }
      await core.api.send(flagTarget, { body: { target_user_id: userId, ...why }, signal: core.life })
    },
  }
}

async function mute(core: Core, userId: UserId, muted: boolean, forMs: number | undefined): Promise<void> {
  requireLine(core)
  const minutes = muted && forMs !== undefined ? Math.ceil(forMs / MINUTE_MS) : undefined
  const timeout = minutes === undefined ? {} : { timeout: minutes }
  await core.api.send(muted ? muteUser : unmuteUser, { body: { target_id: userId, ...timeout }, signal: core.life })
  const expiresAt = minutes === undefined ? undefined : core.serverNow() + minutes * MINUTE_MS
  core.write((tx) => mutes.set(tx, 'user', userId, muted, expiresAt))
  core.background('mute', () => recounted(core))
}

/** What is on screen, without what is blocked or with what is not any more. */
async function asServerSees(core: Core): Promise<void> {
  const cids = new Set(core.collector.openLists().map((view) => view.cid))
  for (const cid of cids) await fetchNewest(core, cid)
  await recounted(core)
}

/** Where unread is the server's count, it has counted anew: by whom is muted or blocked now. Source: wire contract 8.14. */
async function recounted(core: Core): Promise<void> {
  await fetchThese(core, countedByServer(core.cache.reader, core.serverNow()))
}
