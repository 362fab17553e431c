import type { WireUser } from '#shared/wire/objects.ts'
import type { Identity } from '../http/auth/identify.ts'
import { privacyOf } from './encode-users.ts'
import { isAppModerator } from '../moderation/moderation.ts'
import { userById } from './user-table.ts'
import type { Work } from '../work.ts'
import { mutesAndBlocksOf } from './own-user.ts'

/**
 * A user in the form that the caller may see: complete for themselves and for moderators, with privacy settings for
 * themselves and for a server token.
 */
export function personFor(work: Work, who: Identity, id: string): WireUser {
  const isOwn = id === who.userId && !who.server
  if (!isOwn && !isAppModerator(who)) return work.people(id)
  const row = isOwn || who.server ? userById(work.db, id) : undefined
  return { ...work.people.whole(id), ...(row ? { privacy_settings: privacyOf(row) } : {}) }
}

/** For a server token, the user together with their mutes and blocks. */
export const personWithMutes = (work: Work, who: Identity, id: string): WireUser =>
  who.server ? { ...personFor(work, who, id), ...mutesAndBlocksOf(work, id) } : personFor(work, who, id)
