import type { HandlersOf } from '#shared/bridge/index.ts'
import type { UserId } from '#shared/lib/brand.ts'
import { flagTarget, muteUser, unmuteUser } from '#shared/wire/moderation.ts'
import * as mutes from '#main/cache/people/mutes.ts'
import type { CallContext } from '../../context.ts'
import type { Core, Timelines } from '../../core.ts'
import { requireConnection } from '../require-connection.ts'
import { askToBlock, blockedPeople, recounted } from './blocking.ts'
import { updateUsersPartial } from '#shared/wire/users.ts'
import { uploadLooseImage } from '#shared/wire/uploads.ts'
import type { SmallPicture } from '#shared/bridge/schemas.ts'
import { formatTime } from '#shared/lib/rfc3339.ts'
import * as users from '#main/cache/people/users.ts'
import { timeIn } from '../../decode/read.ts'
import { writeUser } from '../../sync/write.ts'
import { sendSmall } from '../uploads/small.ts'

const MINUTE_MS = 60_000

type Parts = Timelines &
  Pick<
    Core,
    | 'background'
    | 'cache'
    | 'context'
    | 'delivery'
    | 'me'
    | 'outbox'
    | 'ports'
    | 'runner'
    | 'serverNow'
    | 'stagingFolder'
    | 'syncState'
  >

/** See docs/wire.md 3.11 and 3.13. */
export function peopleCalls(core: Parts): HandlersOf<'people', CallContext> {
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

async function mute(core: Parts, userId: UserId, muted: boolean, forMs: number | undefined): Promise<void> {
  requireConnection(core)
  const minutes = muted && forMs !== undefined ? Math.ceil(forMs / MINUTE_MS) : undefined
  const timeout = minutes === undefined ? {} : { timeout: minutes }
  await core.api.send(muted ? muteUser : unmuteUser, { body: { target_id: userId, ...timeout }, signal: core.life })
  const expiresAt = minutes === undefined ? undefined : core.serverNow() + minutes * MINUTE_MS
  core.write((tx) => mutes.set(tx, 'user', userId, muted, expiresAt))
  core.background('mute', () => recounted(core))
}

/** Changes fields of the viewer's profile; others stay. See docs/wire.md 3.11, `UpdateUsersPartial`. */
async function changeProfile(
  core: Parts,
  { name, statusText, statusUntil }: { readonly name?: string; readonly statusText?: string; statusUntil?: number },
): Promise<void> {
  const end = statusText ? statusUntil : undefined
  const set = {
    ...(name === undefined ? {} : { name }),
    ...(statusText ? { status_text: statusText } : {}),
    ...(end === undefined ? {} : { status_until: formatTime(end) }),
  }
  const until = users.byId(core.cache.reader, core.me)?.statusUntil
  const unset = [
    ...(statusText === '' ? ['status_text'] : []),
    ...(statusText !== undefined && end === undefined && until !== undefined ? ['status_until'] : []),
  ]
  await patchMe(core, set, unset)
}

/** Removes a status that has ended. See docs/wire.md 5.2. */
export const clearStatus = (core: Parts): Promise<void> => patchMe(core, {}, ['status_text', 'status_until'])

/** Without a picture the current one is removed. */
async function setPortrait(core: Parts, picture: SmallPicture | undefined): Promise<void> {
  requireConnection(core)
  if (picture === undefined) return patchMe(core, {}, ['image'])
  await sendSmall(core, 'portrait', picture, async (file) => {
    const { file: image } = await core.api.upload(uploadLooseImage, { file, signal: core.life })
    await patchMe(core, { image }, [])
  })
}

async function patchMe(core: Parts, set: Record<string, unknown>, unset: readonly string[]): Promise<void> {
  requireConnection(core)
  if (Object.keys(set).length + unset.length === 0) return
  const asOf = core.asOf()
  const user = { id: core.me, set, ...(unset.length === 0 ? {} : { unset }) }
  const { users } = await core.api.send(updateUsersPartial, { body: { users: [user] }, signal: core.life })
  const me = users[core.me]
  if (me !== undefined) core.write((tx) => writeUser(tx, me, Math.max(asOf, timeIn(me, 'updated_at') ?? 0)))
}
