import { capabilitiesOf, isModeratorOfApp } from '#shared/rules/channels/grants.ts'
import { refuse } from '../http/refusal.ts'
import type { Identity } from '../http/auth/identify.ts'
import type { Db } from '../store/db.ts'
import { banOf } from '../moderation/restriction-tables.ts'
import type { Json } from '../http/json.ts'
import { appSettings } from '../admin/settings.ts'
import { channelByCid, type ChannelRow } from './channel-table.ts'
import { memberOf, type MemberRow } from './member-table.ts'
import { type TypeFlags, allTypes, flagsIn, grantsIn, openTypes } from './channel-types.ts'

/** A channel with the rights of one user in it. */
export type Access = {
  readonly channel: ChannelRow
  readonly member: MemberRow | undefined
  readonly flags: TypeFlags
  readonly can: ReadonlySet<string>
  /** Messages at or before this time are not shown to this user. */
  readonly floor: number
  /** May see what is hidden from others: shadow bans and the rights granted in the channel. */
  readonly moderates: boolean
}

export function accessTo(db: Db, channel: ChannelRow, who: Identity): Access {
  const member = who.userId === '' ? undefined : memberOf(db, channel.cid, who.userId)
  const flags = flagsIn(db, channel.type, channel.config_overrides)
  const can = isForeignTeam(db, who, channel.team) ? NO_RIGHTS : rights(db, channel, who, member, flags)
  const floor = Math.max(channel.truncated_at ?? 0, member?.hide_before ?? 0)
  const moderates = who.server || (can.has('ban-channel-members') && member?.shadow_banned !== 1)
  return { channel, member, flags, can, floor, moderates }
}

const NO_RIGHTS: ReadonlySet<string> = new Set()

function rights(
  db: Db,
  channel: ChannelRow,
  who: Identity,
  member: MemberRow | undefined,
  flags: TypeFlags,
): ReadonlySet<string> {
  return capabilitiesOf({
    type: channel.type,
    appRole: who.server ? 'admin' : who.role,
    channelRole: member?.channel_role,
    isCreator: channel.created_by === who.userId,
    empty: channel.member_count === 0,
    isPrivate: channel.private === 1,
    banned: !who.server && (who.banned || isBannedIn(db, channel.cid, member, who.userId)),
    frozen: channel.frozen === 1 && !who.server,
    cooldown: channel.cooldown,
    flags,
    grants: grantsIn(db, flags),
  })
}

/** A user who is not a member may be banned too, in channels where non-members write. */
function isBannedIn(db: Db, cid: string, member: MemberRow | undefined, userId: string): boolean {
  if (member) return member.banned === 1
  return userId !== '' && banOf(db, userId, cid)?.shadow === 0
}

/** The channel, if this user may read it. One that they may not read is refused like a missing one: code 16. */
export function openChannel(db: Db, cid: string, who: Identity): Access {
  const channel = channelByCid(db, cid)
  const access = channel && channel.deleted_at === null ? accessTo(db, channel, who) : undefined
  if (!access?.can.has('read-channel')) return refuse('doesNotExist', `Can't find channel with id ${cid}`)
  if (isShut(access.channel, who)) deny(access, who, 'ReadChannel')
  return access
}

/** Whether the user may read the channel's messages. */
export const mayRead = ({ channel, can }: Access, who: Identity): boolean =>
  can.has('read-channel') && !isShut(channel, who)

/** A disabled channel is listed, but only administrators can open it. */
export function isShut(channel: ChannelRow, who: Identity): boolean {
  return channel.disabled === 1 && !who.server && who.role !== 'admin'
}

/** Refuses with code 17 unless the user has the capability. */
export function need(access: Access, who: Identity, capability: string, action: string): void {
  if (!access.can.has(capability)) deny(access, who, action)
}

export function deny(access: Pick<Access, 'member' | 'channel'>, who: Identity, action: string): never {
  const roles = [who.role, ...(access.member ? [access.member.channel_role] : [])].map((role) => `'${role}'`).join(', ')
  return refuse(
    'notAllowed',
    `User '${who.userId}' with roles [${roles}] is not allowed to perform action ${action} in scope '${access.channel.type}'`,
  )
}

/** The channels a user may read without being a member. */
export type Openness = {
  readonly types: readonly string[]
  /** Whether private channels of these types are included. */
  readonly privateToo: boolean
}

export function openTo(db: Db, who: Identity): Openness {
  return {
    types: who.server || who.role === 'admin' ? allTypes(db) : openTypes(db, who.role),
    privateToo: who.server || isModeratorOfApp(who.role),
  }
}

/** Administrators and moderators of the app; the comparison of ids makes it a search in their index. */
export const STAFF = `SELECT id, role FROM users WHERE role IN ('admin', 'moderator') AND id > '' AND deleted_at IS NULL
  AND deactivated_at IS NULL LIMIT 100`
const OFFICERS = `SELECT u.id, u.role FROM members m JOIN users u ON u.id = m.user_id
  WHERE m.cid = ? AND (m.channel_role <> 'channel_member' OR m.user_id = ?) LIMIT 100`

/** Those who see what is hidden from others in a channel. */
export function moderatorsIn(db: Db, channel: ChannelRow): string[] {
  const found = [
    ...db.all<{ id: string; role: string }>(STAFF),
    ...db.all<{ id: string; role: string }>(OFFICERS, channel.cid, channel.created_by),
  ]
  return found
    .filter(({ id, role }) => {
      const who: Identity = { userId: id, role, banned: false, server: false, expiresAtMs: undefined }
      const access = accessTo(db, channel, who)
      return access.moderates && mayRead(access, who)
    })
    .map(({ id }) => id)
}

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
