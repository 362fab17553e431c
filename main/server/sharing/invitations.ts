import { randomBytes } from 'node:crypto'
import type { InvitedRole } from '#shared/domain/sharing.ts'
import type { InvitationSecrets, WireInvitation } from '#shared/wire/sharing.ts'
import { invitationKey, type InvitationKey } from '#main/lib/secrets.ts'
import { deleteSetting, putSetting, settingsOf, type SettingRow } from '../admin/settings.ts'
import { channelByCid, type ChannelRow } from '../channels/channel-table.ts'
import { refuse } from '../http/refusal.ts'
import type { Db } from '../store/db.ts'
import { MS, SECOND, toText } from '../store/time.ts'
import type { Work } from '../work.ts'

/** An invitation as it is stored: what scrypt made of its two secrets, never the secrets. */
type Invited = {
  readonly name: string
  readonly role: InvitedRole
  /** The channels that a guest joins. */
  readonly channels?: readonly string[]
  readonly used: number
  readonly uses: number
  /** Epoch milliseconds. */
  readonly endsAt: number
  readonly revokedAt?: number
  readonly keys: readonly InvitationKey[]
}

export type Stored<Value> = Value & { readonly id: string; readonly createdAt: number; readonly changedAt: number }

const LINK_BYTES = 16
/** 44 bits, in hexadecimal. */
const CODE_DIGITS = 11
/** More cannot be reviewed by a person. */
const MOST_INVITATIONS = 50
const DAY = 86_400 * SECOND
/** Invitations that ended, and answers that were fetched, are kept for so long. */
export const KEPT = DAY
/** An invitation that lasts longer is a mistake. */
const LONGEST = 366 * DAY

export function invitationsIn(db: Db): readonly Stored<Invited>[] {
  return settingsOf(db, 'invitation').map((row) => stored<Invited>(row))
}

export const stored = <Value>({ name, json, created_at, updated_at }: SettingRow): Stored<Value> => ({
  ...(JSON.parse(json) as Value),
  id: name,
  createdAt: created_at,
  changedAt: updated_at,
})

export function save<Value extends object>(
  db: Db,
  kind: 'invitation' | 'join_request',
  value: Stored<Value>,
  now: number,
): void {
  const { id, createdAt: _created, changedAt: _changed, ...rest } = value
  putSetting(db, kind, id, rest, now)
}

/** A new invitation, and its secrets: the only time they are seen. */
export async function newSecrets(): Promise<InvitationSecrets & { readonly keys: readonly InvitationKey[] }> {
  const link = randomBytes(LINK_BYTES).toString('base64url')
  const code = randomBytes(CODE_DIGITS).toString('hex').slice(0, CODE_DIGITS)
  const keys = await Promise.all([invitationKey(link), invitationKey(code)])
  return { id: randomBytes(6).toString('hex'), link, code, keys }
}

type NewInvitation = Pick<Invited, 'name' | 'role' | 'uses' | 'endsAt' | 'keys'> & {
  readonly id: string
  readonly channels: readonly string[]
}

export function addInvitation({ db, now }: Work, { id, channels, ...given }: NewInvitation): void {
  forgetOldInvitations(db, now)
  if (invitationsIn(db).length >= MOST_INVITATIONS)
    refuse('input', 'there are too many invitations', { invitation: 'many' })
  const end = given.endsAt * MS
  if (end <= now) refuse('input', 'an invitation must end in the future', { ends_at: 'past' })
  if (end > now + LONGEST) refuse('input', 'an invitation must end within a year', { ends_at: 'late' })
  if (given.role !== 'guest') return putSetting(db, 'invitation', id, { ...given, used: 0 }, now)
  if (channels.length === 0) refuse('input', 'an invitation of guests names their channels', { channels: 'missing' })
  for (const cid of channels) {
    if (!roomAt(db, cid)) refuse('input', `${cid} cannot be joined by invitation`, { channels: 'wrong' })
  }
  putSetting(db, 'invitation', id, { ...given, channels: [...new Set(channels)], used: 0 }, now)
}

/** A channel that people can be added to, if there is one at this address. */
export function roomAt(db: Db, cid: string): ChannelRow | undefined {
  const channel = channelByCid(db, cid)
  return channel?.type === 'team' && channel.deleted_at === null ? channel : undefined
}

export function forgetOldInvitations(db: Db, now: number): void {
  for (const { id, endsAt, revokedAt } of invitationsIn(db)) {
    if (Math.min(endsAt, revokedAt ?? Infinity) * MS + KEPT < now) deleteSetting(db, 'invitation', id)
  }
}

/** The invitation with this identifier, if it can be used. Refuses with `invitation`: `wrong`, `ended` or `used`. */
export function usableInvitation(
  db: Db,
  keyId: string,
  now: number,
): { readonly invitation: Stored<Invited>; readonly key: InvitationKey } {
  for (const invitation of invitationsIn(db)) {
    const key = invitation.keys.find(({ id }) => id === keyId)
    if (!key) continue
    if (invitation.revokedAt !== undefined || invitation.endsAt * MS <= now) {
      return refuse('notAllowed', 'the invitation has ended', { invitation: 'ended' })
    }
    if (invitation.used >= invitation.uses) {
      return refuse('notAllowed', 'the invitation is used up', { invitation: 'used' })
    }
    return { invitation, key }
  }
  return refuse('authentication', 'there is no such invitation', { invitation: 'wrong' })
}

/** Gives back a use that brought nobody in. */
export function releaseUse(db: Db, id: string, now: number): void {
  const invitation = invitationsIn(db).find((each) => each.id === id)
  if (invitation) save(db, 'invitation', { ...invitation, used: invitation.used - 1 }, now)
}

export const shownInvitations = (db: Db): readonly WireInvitation[] =>
  invitationsIn(db).map(({ id, name, role, channels = [], used, uses, endsAt, createdAt, revokedAt }) => ({
    id,
    name,
    role,
    channels,
    used,
    uses,
    ends_at: toText(endsAt * MS),
    created_at: toText(createdAt),
    ...(revokedAt === undefined ? {} : { revoked_at: toText(revokedAt * MS) }),
  }))
