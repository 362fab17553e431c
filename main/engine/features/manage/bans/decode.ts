import type { ListedBan, ListedMute } from '#shared/domain/manage/bans.ts'
import { asCid } from '#shared/lib/brand.ts'
import type { Tx } from '#main/cache/tx.ts'
import { asList, asWire, flagOf, textOf, timeOf } from '../../../decode/read.ts'
import { writeUser } from '../../../sync/write.ts'

/** One ban of the wire; stores the people that it names. `undefined`: it names nobody. */
export function readBan(tx: Tx, value: unknown, asOf: number): ListedBan | undefined {
  const wire = asWire(value)
  const user = wire && writeUser(tx, wire['user'], asOf)
  if (!wire || !user) return undefined
  const by = wire['banned_by'] ? writeUser(tx, wire['banned_by'], asOf) : undefined
  const channel = asWire(wire['channel'])
  const cid = textOf(channel?.['cid'])
  const reason = textOf(wire['reason'])
  const endedBy = wire['ended_by'] ? writeUser(tx, wire['ended_by'], asOf) : undefined
  return {
    userId: user.id,
    byId: by?.id,
    reason: reason === '' ? undefined : reason,
    since: timeOf(wire['created_at']) ?? asOf,
    until: timeOf(wire['expires']),
    shadow: flagOf(wire['shadow']) ?? false,
    cid: cid === undefined || cid === '' ? undefined : asCid(cid),
    channelName: textOf(channel?.['name']),
    endedAt: timeOf(wire['ended_at']),
    endedById: endedBy?.id,
  }
}

/** The mutes of one user, which only a server token sees; stores the people that they name. */
export function readMutes(tx: Tx, value: unknown, asOf: number): readonly ListedMute[] {
  const found = asList(asWire(value)?.['mutes'])
  if (found.length === 0) return []
  const by = writeUser(tx, value, asOf)
  return found.flatMap((each): ListedMute[] => {
    const wire = asWire(each)
    const target = wire && writeUser(tx, wire['target'], asOf)
    if (!by || !target) return []
    return [{ userId: target.id, byId: by.id, since: timeOf(wire['created_at']), until: timeOf(wire['expires']) }]
  })
}
