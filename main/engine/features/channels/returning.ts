import { isNamed } from '#shared/rules/messages/broadcast-mentions.ts'
import * as mutes from '#main/cache/people/mutes.ts'
import * as places from '#main/cache/channels/own-places.ts'
import type { Commit } from '../../context.ts'
import type { Core } from '../../core.ts'
import { changeMembership } from './manage.ts'

/**
 * A channel that was put away comes back when someone calls the viewer in it: anyone who put it away wanted quiet, not to be
 * out of reach. One that is muted stays away.
 */
export function bringBack(core: Core, commit: Commit): void {
  const { reader } = core.cache
  const away = new Set(places.own(reader).flatMap(({ cid, archivedAt }) => (archivedAt === undefined ? [] : [cid])))
  // Most people have put nothing away, and then nothing that arrived is read here.
  if (away.size === 0) return
  const calling = commit.arrived.filter((message) => isNamed(message, core.me)).map(({ cid }) => cid)
  for (const cid of new Set(calling)) {
    if (!away.has(cid) || mutes.isMuted(reader, 'channel', cid, core.serverNow())) continue
    core.background('bring-back', () => changeMembership(core, cid, { archived: false }))
  }
}
