import type { WireUser } from '#shared/wire/objects.ts'
import type { Identity } from '../http/auth/identify.ts'
import { privacyOf } from './encode-users.ts'
import { isAppModerator } from '../moderation/moderation.ts'
import { userById } from './user-table.ts'
import type { Work } from '../work.ts'
import { shieldsOf } from './own-user.ts'

/**
 * Someone as this person may see them: whole to themselves and to whom stands above, with their own choices to
 * themselves and to a server token.
 */
export function personFor(work: Work, who: Identity, id: string): WireUser {
  const isOwn = id === who.userId && !who.server
  if (!isOwn && !isAppModerator(who)) return work.people(id)
  const row = isOwn || who.server ? userById(work.db, id) : undefined
  return { ...work.people.whole(id), ...(row ? { privacy_settings: privacyOf(row) } : {}) }
}

/** As a server token lists people: with what each of them keeps away. */
export const personWithShields = (work: Work, who: Identity, id: string): WireUser =>
  who.server ? { ...personFor(work, who, id), ...shieldsOf(work, id) } : personFor(work, who, id)
