import { createHash, randomBytes } from 'node:crypto'
import { personId } from '#shared/rules/people/people.ts'
import type { InvitedRole } from '#shared/domain/sharing.ts'
import type { InvitationSecrets, JoinAnswer, WireInvitation, WireJoinRequest } from '#shared/wire/sharing.ts'
import { invitationKey, type InvitationKey } from '#main/lib/invitation-proof.ts'
import { deleteSetting, putSetting, settingOf, settingsOf, type SettingRow } from '../admin/settings.ts'
import { accessTo } from '../channels/access.ts'
import { channelByCid } from '../channels/channel-table.ts'
import { changeMembers } from '../channels/member-changes.ts'
import { createToken, type Identity } from '../http/auth/identify.ts'
import { refuse } from '../http/refusal.ts'
import { announceUser } from '../realtime/presence.ts'
import type { Db } from '../store/db.ts'
import { MS, SECOND, toText } from '../time.ts'
import { upsertUser } from '../users/users.ts'
import type { Work } from '../work.ts'

/** An invitation as it is stored: what scrypt made of its two secrets, never the secrets. */
type Invited = {
  readonly name: string
  readonly role: InvitedRole
  readonly used: number
  readonly uses: number
  /** Epoch milliseconds. */
  readonly endsAt: number
  readonly revokedAt?: number
  readonly keys: readonly InvitationKey[]
}

/** Someone who asked to join. Stored by a hash of what only they know. */
type Request = {
  readonly invitation: string
  readonly name: string
  readonly address: string
  readonly state: 'waiting' | 'accepted' | 'refused'
  readonly userId?: string
}

type Stored<Value> = Value & { readonly id: string; readonly createdAt: number; readonly changedAt: number }

const LINK_BYTES = 16
/** 44 bits, in hexadecimal. */
const CODE_DIGITS = 11
/** More cannot be reviewed by a person. */
const MOST_INVITATIONS = 50
const MOST_WAITING = 50
/** Invitations that ended, and answers, can be seen for so long. */
const KEPT = 86_400 * SECOND

function invitationsIn(db: Db): readonly Stored<Invited>[] {
  return settingsOf(db, 'invitation').map((row) => stored<Invited>(row))
}

function requestsIn(db: Db): readonly Stored<Request>[] {
  return settingsOf(db, 'join_request').map((row) => stored<Request>(row))
}

const stored = <Value>({ name, json, created_at, updated_at }: SettingRow): Stored<Value> => ({
  ...(JSON.parse(json) as Value),
  id: name,
  createdAt: created_at,
  changedAt: updated_at,
})

function save<Value extends object>(
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

type NewInvitation = Pick<Invited, 'name' | 'role' | 'uses' | 'endsAt' | 'keys'> & { readonly id: string }

export function addInvitation({ db, now }: Work, { id, ...given }: NewInvitation): void {
  forgetOld(db, now)
  if (invitationsIn(db).length >= MOST_INVITATIONS)
    refuse('input', 'there are too many invitations', { invitation: 'many' })
  if (given.endsAt * MS <= now) refuse('input', 'an invitation must end in the future', { ends_at: 'past' })
  putSetting(db, 'invitation', id, { ...given, used: 0 }, now)
}

export function revokeInvitation({ db, now }: Work, id: string): void {
  const invitation = invitationsIn(db).find((each) => each.id === id)
  if (!invitation) return refuse('doesNotExist', 'there is no such invitation')
  save(db, 'invitation', { ...invitation, revokedAt: now / MS }, now)
  for (const request of requestsIn(db)) {
    if (request.invitation === id && request.state === 'waiting') answer(db, request, 'refused', now)
  }
}

/** Nobody can use them any more: sharing has stopped. */
export function endInvitations(work: Work): void {
  for (const { id, revokedAt } of invitationsIn(work.db)) if (revokedAt === undefined) revokeInvitation(work, id)
}

function forgetOld(db: Db, now: number): void {
  for (const { id, endsAt, revokedAt } of invitationsIn(db)) {
    if (Math.min(endsAt, revokedAt ?? Infinity) * MS + KEPT < now) deleteSetting(db, 'invitation', id)
  }
  for (const { id, state, changedAt } of requestsIn(db)) {
    if (state !== 'waiting' && changedAt + KEPT < now) deleteSetting(db, 'join_request', id)
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

const requestId = (secret: string): string => createHash('sha256').update(secret).digest('hex').slice(0, 32)

type Asking = { readonly keyId: string; readonly name: string; readonly request: string; readonly address: string }

/** Someone asks to join; asked again, they get the same answer. Without approval they are in at once. */
export function ask(work: Work, { keyId, name, request, address }: Asking, approve: boolean): JoinAnswer {
  const { db, now } = work
  const known = answerTo(work, request)
  if (known.state !== 'gone') return known
  const { invitation } = usableInvitation(db, keyId, now)
  forgetOld(db, now)
  if (requestsIn(db).filter(({ state }) => state === 'waiting').length >= MOST_WAITING) {
    refuse('rateLimit', 'too many people are waiting')
  }
  save(db, 'invitation', { ...invitation, used: invitation.used + 1 }, now)
  const waiting: Request = { invitation: invitation.id, name, address, state: 'waiting' }
  putSetting(db, 'join_request', requestId(request), waiting, now)
  if (!approve) decide(work, requestId(request), true)
  return answerTo(work, request)
}

/** The answer for the one who knows the secret of the request. The token of someone accepted is made anew each time. */
export function answerTo({ db, now, secret, clock }: Work, request: string): JoinAnswer {
  const row = settingOf(db, 'join_request', requestId(request))
  if (!row) return { state: 'gone' }
  const { state, userId, changedAt } = stored<Request>(row)
  if (state !== 'accepted' || userId === undefined) return { state: state === 'waiting' ? 'waiting' : 'refused' }
  // A request that someone finds later signs in nobody.
  if (changedAt + KEPT < now) return { state: 'gone' }
  return { state, user_id: userId, token: createToken({ userId, issuedAtMs: clock.now() }, secret) }
}

export function cancel({ db, now }: Work, request: string): void {
  const row = settingOf(db, 'join_request', requestId(request))
  if (!row) return
  const known = stored<Request>(row)
  if (known.state !== 'waiting') return
  release(db, known.invitation, now)
  deleteSetting(db, 'join_request', known.id)
}

/** The owner's answer. Accepting creates the person, who joins every public team channel. */
export function decide(work: Work, id: string, accept: boolean): void {
  const { db, now } = work
  const row = settingOf(db, 'join_request', id)
  const request = row && stored<Request>(row)
  if (request?.state !== 'waiting') return refuse('doesNotExist', 'nobody is waiting there', { request: 'gone' })
  if (!accept) return answer(db, request, 'refused', now)
  const role = invitationsIn(db).find((each) => each.id === request.invitation)?.role ?? 'user'
  const userId = personId(request.name, work.ids)
  upsertUser(db, userId, { name: request.name }, now, role)
  announceUser(work, userId)
  for (const cid of openRooms(db)) {
    const channel = channelByCid(db, cid)
    if (channel) changeMembers(work, accessTo(db, channel, OWNER), OWNER, { add_members: [userId] })
  }
  save(db, 'join_request', { ...request, state: 'accepted', userId }, now)
}

/** Acts with the rights of the server's owner. */
const OWNER: Identity = { userId: '', role: 'admin', banned: false, server: true, expiresAtMs: undefined }

/** Team channels that anyone may join. */
const openRooms = (db: Db): readonly string[] =>
  db
    .all<{ cid: string }>("SELECT cid FROM channels WHERE type = 'team' AND private = 0 AND deleted_at IS NULL")
    .map(({ cid }) => cid)

function answer(db: Db, request: Stored<Request>, state: 'refused', now: number): void {
  release(db, request.invitation, now)
  save(db, 'join_request', { ...request, state }, now)
}

/** Gives back a use that brought nobody in. */
function release(db: Db, id: string, now: number): void {
  const invitation = invitationsIn(db).find((each) => each.id === id)
  if (invitation) save(db, 'invitation', { ...invitation, used: invitation.used - 1 }, now)
}

export const shownInvitations = (db: Db): readonly WireInvitation[] =>
  invitationsIn(db).map(({ id, name, role, used, uses, endsAt, createdAt, revokedAt }) => ({
    id,
    name,
    role,
    used,
    uses,
    ends_at: toText(endsAt * MS),
    created_at: toText(createdAt),
    ...(revokedAt === undefined ? {} : { revoked_at: toText(revokedAt * MS) }),
  }))

export function shownRequests(db: Db): readonly WireJoinRequest[] {
  const roles = new Map(invitationsIn(db).map(({ id, role }) => [id, role]))
  return requestsIn(db)
    .filter(({ state }) => state === 'waiting')
    .toSorted((a, b) => a.createdAt - b.createdAt)
    .map(({ id, name, invitation, address, createdAt }) => ({
      id,
      name,
      invitation_id: invitation,
      role: roles.get(invitation) ?? 'user',
      address,
      created_at: toText(createdAt),
    }))
}
