import type { Identity } from '../http/auth/identify.ts'
import type { Json } from '../http/json.ts'
import type { Db } from '../store/db.ts'
import { appSettings } from './app-settings.ts'

/**
 * Teams of one app that do not see each other. Nothing is kept apart until an administrator switches
 * `multi_tenant_enabled` on; then a channel with a team is there for the people of that team alone, and people find only
 * those they share a team with. Administrators and server tokens stand above it. See docs/wire.md 5.22.
 */

/** The teams someone is held to; absent: nothing is kept from this person. */
function heldTo(db: Db, who: Identity): readonly string[] | undefined {
  if (who.server || who.role === 'admin' || appSettings(db)['multi_tenant_enabled'] !== true) return undefined
  const row = db.get<{ teams: string | null }>('SELECT teams FROM users WHERE id = ?', who.userId)
  return row?.teams ? (JSON.parse(row.teams) as string[]) : []
}

/** Whether this channel belongs to a team the person is not in. */
export function isForeignTeam(db: Db, who: Identity, team: string | null): boolean {
  if (team === null) return false
  return heldTo(db, who)?.includes(team) === false
}

/** A filter of channels that lets no channel of a foreign team through. */
export function channelsWithinTeams(db: Db, who: Identity, filter: Json): Json {
  const teams = heldTo(db, who)
  return teams ? narrowed(filter, { $or: [{ team: { $exists: false } }, { team: { $in: teams } }] }) : filter
}

/** A filter of people that finds those of the own teams, and oneself. */
export function peopleWithinTeams(db: Db, who: Identity, filter: Json): Json {
  const teams = heldTo(db, who)
  return teams ? narrowed(filter, { $or: [{ teams: { $in: teams } }, { id: who.userId }] }) : filter
}

/** The keys of the filter stay where they are: some of them are looked for there. */
function narrowed(filter: Json, more: Json): Json {
  const and: unknown = filter['$and']
  return { ...filter, $and: [...(Array.isArray(and) ? (and as unknown[]) : []), more] }
}
