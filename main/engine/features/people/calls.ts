import type { HandlersOf } from '#shared/bridge/index.ts'
import type { UserId } from '#shared/lib/brand.ts'
import { flagTarget, muteUser, unmuteUser } from '#shared/wire/moderation.ts'
import * as mutes from '#main/cache/people/mutes.ts'
import type { CallContext } from '../../context.ts'
import type { Core } from '../../core.ts'
import { requireConnection } from '../require-connection.ts'
import { askToBlock, blockedPeople, recounted } from './blocking.ts'
import { changeProfile, setPortrait } from './profile.ts'

const MINUTE_MS = 60_000

/** See docs/wire.md 3.11 and 3.13. */
export function peopleCalls(core: Core): HandlersOf<'people', CallContext> {
  return {
    mute: ({ userId, muted, forMs }) => mute(core, userId, muted, forMs),
    block: ({ userId, blocked }) => askToBlock(core, userId, blocked),
    blocked: () => blockedPeople(core),
    changeProfile: (input) => changeProfile(core, input),
    setPortrait: ({ picture }) => setPortrait(core, picture),
    flag: async ({ userId, reason }) => {
      requireConnection(core)
      const why = reason === undefined ? {} : { reason }
      await core.api.send(flagTarget, { body: { target_user_id: userId, ...why }, signal: core.life })
    },
  }
}

async function mute(core: Core, userId: UserId, muted: boolean, forMs: number | undefined): Promise<void> {
  requireConnection(core)
  const minutes = muted && forMs !== undefined ? Math.ceil(forMs / MINUTE_MS) : undefined
  const timeout = minutes === undefined ? {} : { timeout: minutes }
  await core.api.send(muted ? muteUser : unmuteUser, { body: { target_id: userId, ...timeout }, signal: core.life })
  const expiresAt = minutes === undefined ? undefined : core.serverNow() + minutes * MINUTE_MS
  core.write((tx) => mutes.set(tx, 'user', userId, muted, expiresAt))
  core.background('mute', () => recounted(core))
}
