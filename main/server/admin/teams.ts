import type { Identity } from '../http/auth/identify.ts'
import type { Json } from '../http/json.ts'
import type { Db } from '../store/db.ts'
import { appSettings } from './settings.ts'

/**
 * Isolation of the teams of one app. Off until an administrator switches `multi_tenant_enabled` on; then only the users
 * of a team see its channels, and users only find those they share a team with. Administrators and server tokens are
 * not limited. See docs/wire.md 5.22.
 */

/** The teams a user is limited to; `undefined`: not limited. */
function limitedTo(db: Db, who: Identity): readonly string[] | undefined {
  if (who.server || who.role === 'admin' || appSettings(db)['multi_tenant_enabled'] !== true) return undefined
  const row = db.get<{ teams: string | null }>('SELECT teams FROM users WHERE id = ?', who.userId)
  return row?.teams ? (JSON.parse(row.teams) as string[]) : []
}

/** Whether this channel belongs to a team the user is not in. */
export function isForeignTeam(db: Db, who: Identity, team: string | null): boolean {
  if (team === null) return false
  return limitedTo(db, who)?.includes(team) === false
}

/** Adds a condition to a channel filter that excludes channels of foreign teams. */
export function channelsWithinTeams(db: Db, who: Identity, filter: Json): Json {
  const teams = limitedTo(db, who)
  return teams ? narrowed(filter, { $or: [{ team: { $exists: false } }, { team: { $in: teams } }] }) : filter
}

/** Adds a condition to a user filter that limits it to the caller's own teams and the caller. */
export function peopleWithinTeams(db: Db, who: Identity, filter: Json): Json {
  const teams = limitedTo(db, who)
  return teams ? narrowed(filter, { $or: [{ teams: { $in: teams } }, { id: who.userId }] }) : filter
}

/** Adds a condition under `$and`: other code reads the top-level keys of the filter. */
function narrowed(filter: Json, more: Json): Json {
  const and: unknown = filter['$and']
  return { ...filter, $and: [...(Array.isArray(and) ? (and as unknown[]) : []), more] }
}
