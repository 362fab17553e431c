import { isNamed } from '#shared/rules/messages/mentions.ts'
import * as mutes from '#main/cache/people/mutes.ts'
import { ownPlaces } from '#main/cache/channels/members.ts'
import type { Commit } from '../../context.ts'
import type { Core, Recovery } from '../../core.ts'
import { changeMembership } from './manage.ts'

type Parts = Recovery &
  Pick<Core, 'background' | 'context' | 'me' | 'notify' | 'outbox' | 'ports' | 'serverNow' | 'stagingFolder' | 'stores'>

/**
 * Unarchives a channel when the viewer is mentioned in it: archiving is meant to hide noise, not mentions. Muted channels
 * stay archived.
 */
export function bringBack(core: Parts, commit: Commit): void {
  const { reader } = core.cache
  const away = new Set(ownPlaces(reader).flatMap(({ cid, archivedAt }) => (archivedAt === undefined ? [] : [cid])))
  // Most users have no archived channels; then new messages are not read here.
  if (away.size === 0) return
  const calling = commit.arrived.filter((message) => isNamed(message, core.me)).map(({ cid }) => cid)
  for (const cid of new Set(calling)) {
    if (!away.has(cid) || mutes.isMuted(reader, 'channel', cid, core.serverNow())) continue
    core.background('bring-back', () => changeMembership(core, cid, { archived: false }))
  }
}
