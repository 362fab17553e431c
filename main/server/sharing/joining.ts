import { createHash, randomBytes } from 'node:crypto'
import * as v from 'valibot'
import { personId } from '#shared/rules/people/people.ts'
import type { InvitedRole } from '#shared/domain/sharing.ts'
import {
  type JoinAnswer,
  type WireJoinRequest,
  JOIN_PATHS,
  SHARING_VERSION,
  type Hello,
  type MovedAnswer,
  type InvitationSecrets,
  type WireInvitation,
} from '#shared/wire/sharing.ts'
import { PERSON_NAME_LENGTH } from '#shared/constants.ts'
import { cleanName } from '#shared/lib/clean-text.ts'
import { isSame } from '#shared/lib/same.ts'
import { invitationKey, invitationProof, type InvitationKey } from '#main/lib/secrets.ts'
import { deleteSetting, putSetting, settingOf, settingsOf, type SettingRow } from '../admin/settings.ts'
import { accessTo } from '../channels/access.ts'
import { changeMembers } from '../channels/member-changes.ts'
import { createToken, revokedBefore, type Identity } from '../http/auth/identify.ts'
import { refuse } from '../http/refusal.ts'
import { announceUser } from '../realtime/presence.ts'
import type { Db } from '../store/db.ts'
import { MS, SECOND, toText } from '../store/time.ts'
import { userById } from '../users/user-tables.ts'
import { upsertUser } from '../users/users.ts'
import { type Work, transact, type Services } from '../work.ts'
import { readJson, sendJson, type Incoming, type Special, callerOf } from '../http/server.ts'
import { line, read } from '../http/shapes.ts'
import { channelByCid, type ChannelRow } from '../channels/channel-table.ts'

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

type Stored<Value> = Value & { readonly id: string; readonly createdAt: number; readonly changedAt: number }

const LINK_BYTES = 16
/** 44 bits, in hexadecimal. */
const CODE_DIGITS = 11
/** More cannot be reviewed by a person. */
const MOST_INVITATIONS = 50
const DAY = 86_400 * SECOND
/** Invitations that ended, and answers that were fetched, are kept for so long. */
const KEPT = DAY
/** An invitation that lasts longer is a mistake. */
const LONGEST = 366 * DAY

function invitationsIn(db: Db): readonly Stored<Invited>[] {
  return settingsOf(db, 'invitation').map((row) => stored<Invited>(row))
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
function roomAt(db: Db, cid: string): ChannelRow | undefined {
  const channel = channelByCid(db, cid)
  return channel?.type === 'team' && channel.deleted_at === null ? channel : undefined
}

function forgetOldInvitations(db: Db, now: number): void {
  for (const { id, endsAt, revokedAt } of invitationsIn(db)) {
    if (Math.min(endsAt, revokedAt ?? Infinity) * MS + KEPT < now) deleteSetting(db, 'invitation', id)
  }
}

/** The invitation with this identifier, if it can be used. Refuses with `invitation`: `wrong`, `ended` or `used`. */
function usableInvitation(
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
function releaseUse(db: Db, id: string, now: number): void {
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

/**
 * Someone who asked to join. Stored by a hash of what only they know. What the invitation gives is stored with the
 * request, which may wait longer than the invitation is kept.
 */
type Request = {
  readonly invitation: string
  readonly role: InvitedRole
  readonly channels?: readonly string[]
  readonly name: string
  readonly address: string
  readonly state: 'waiting' | 'accepted' | 'refused'
  readonly userId?: string
  /** When the answer was first fetched, microseconds. */
  readonly fetchedAt?: number
}

/** More cannot be reviewed by a person. */
const MOST_WAITING = 50
/** With the answered ones: as many as all invitations together let in. */
const MOST_REQUESTS = 100_000
/** How long an acceptance waits for those who do not ask for it. */
const UNFETCHED = 30 * 86_400 * SECOND

function requestsIn(db: Db): readonly Stored<Request>[] {
  return settingsOf(db, 'join_request', '', MOST_REQUESTS).map((row) => stored<Request>(row))
}

const requestId = (secret: string): string => createHash('sha256').update(secret).digest('hex').slice(0, 32)

type Asking = { readonly keyId: string; readonly name: string; readonly request: string; readonly address: string }

/**
 * Someone asks to join; asked again, they get the same answer. Without approval they are in at once, unless somebody
 * there has their name: nobody would notice that they are someone else. Refuses with `name`: `taken`.
 */
function ask(work: Work, { keyId, name, request, address }: Asking, approve: boolean): JoinAnswer {
  const { db, now } = work
  const known = answerTo(work, request)
  if (known.state !== 'gone') return known
  const { invitation } = usableInvitation(db, keyId, now)
  forgetOldInvitations(db, now)
  forgetAnswered(db, now)
  if (!approve && isNameTaken(db, name)) refuse('input', 'somebody there has this name', { name: 'taken' })
  if (requestsIn(db).filter(({ state }) => state === 'waiting').length >= MOST_WAITING) {
    refuse('rateLimit', 'too many people are waiting')
  }
  save(db, 'invitation', { ...invitation, used: invitation.used + 1 }, now)
  const { id, role, channels } = invitation
  const waiting: Request = { invitation: id, role, channels, name, address, state: 'waiting' }
  putSetting(db, 'join_request', requestId(request), waiting, now)
  if (!approve) decide(work, requestId(request), true)
  return answerTo(work, request)
}

/**
 * The answer for the one who knows the secret of the request. The token of someone accepted is made anew each time, as
 * long as nobody has signed them out, deactivated or deleted them since.
 */
function answerTo({ db, now, secret, clock }: Work, request: string): JoinAnswer {
  const row = settingOf(db, 'join_request', requestId(request))
  if (!row) return { state: 'gone' }
  const known = stored<Request>(row)
  const { state, userId } = known
  if (state !== 'accepted' || userId === undefined) return { state: state === 'waiting' ? 'waiting' : 'refused' }
  // A request that someone finds later signs in nobody.
  if (isOver(known, now)) return { state: 'gone' }
  const user = userById(db, userId)
  const isAway = !user || user.deactivated_at !== null || user.deleted_at !== null
  if (isAway || acceptedAt(known) < revokedBefore(db, user)) return { state: 'refused' }
  if (known.fetchedAt === undefined) save(db, 'join_request', { ...known, fetchedAt: now }, acceptedAt(known))
  return { state, user_id: userId, token: createToken({ userId, issuedAtMs: clock.now() }, secret) }
}

/** An accepted request changes no more, except that it was fetched, which keeps this time. */
const acceptedAt = ({ changedAt }: Stored<Request>): number => changedAt

const isOver = (request: Stored<Request>, now: number): boolean =>
  request.fetchedAt === undefined ? acceptedAt(request) + UNFETCHED < now : request.fetchedAt + KEPT < now

/** Withdraws a request that waits. Returns whether there was one. */
function cancel({ db, now }: Work, request: string): boolean {
  const row = settingOf(db, 'join_request', requestId(request))
  const known = row && stored<Request>(row)
  if (known?.state !== 'waiting') return false
  releaseUse(db, known.invitation, now)
  return deleteSetting(db, 'join_request', known.id)
}

/** The owner's answer. Accepting creates the person, who joins what their role and their invitation open to them. */
export function decide(work: Work, id: string, accept: boolean): void {
  const { db, now } = work
  const row = settingOf(db, 'join_request', id)
  const request = row && stored<Request>(row)
  if (request?.state !== 'waiting') return refuse('doesNotExist', 'nobody is waiting there', { request: 'gone' })
  if (!accept) return decline(db, request, now)
  const userId = personId(request.name, work.ids)
  upsertUser(db, userId, { name: request.name }, now, request.role)
  announceUser(work, userId)
  for (const cid of request.role === 'guest' ? (request.channels ?? []) : openRooms(db)) {
    const channel = roomAt(db, cid)
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

function decline(db: Db, request: Stored<Request>, now: number): void {
  releaseUse(db, request.invitation, now)
  save(db, 'join_request', { ...request, state: 'refused' }, now)
}

/** Ends an invitation, and declines those who wait with it. */
export function revokeInvitation({ db, now }: Work, id: string): void {
  const invitation = invitationsIn(db).find((each) => each.id === id)
  if (!invitation) return refuse('doesNotExist', 'there is no such invitation')
  save(db, 'invitation', { ...invitation, revokedAt: now / MS }, now)
  for (const request of requestsIn(db)) {
    if (request.invitation === id && request.state === 'waiting') decline(db, request, now)
  }
}

/** Nobody can use them any more: sharing has stopped. */
export function endInvitations(work: Work): void {
  const { db, now } = work
  for (const { id, revokedAt } of invitationsIn(db)) if (revokedAt === undefined) revokeInvitation(work, id)
  for (const request of requestsIn(db)) if (request.state === 'waiting') decline(db, request, now)
}

function forgetAnswered(db: Db, now: number): void {
  for (const request of requestsIn(db)) {
    const isForgotten = request.state === 'refused' ? request.changedAt + KEPT < now : isOver(request, now)
    if (request.state !== 'waiting' && isForgotten) deleteSetting(db, 'join_request', request.id)
  }
}

/** A name as people compare it: neither case nor the form of its characters tells two of them apart. */
const compared = (name: string): string => name.normalize('NFKC').toLowerCase().replaceAll(/\s+/g, ' ').trim()

function namesIn(db: Db): ReadonlySet<string> {
  const rows = db.all<{ name: string }>('SELECT name FROM users WHERE name IS NOT NULL AND deleted_at IS NULL')
  return new Set(rows.map(({ name }) => compared(name)))
}

const isNameTaken = (db: Db, name: string): boolean => namesIn(db).has(compared(name))

export function shownRequests(db: Db): readonly WireJoinRequest[] {
  const waiting = requestsIn(db).filter(({ state }) => state === 'waiting')
  const names = waiting.length === 0 ? new Set() : namesIn(db)
  return waiting
    .toSorted((a, b) => a.createdAt - b.createdAt)
    .map(({ id, name, invitation, role, address, createdAt }) => ({
      id,
      name,
      invitation_id: invitation,
      role,
      address,
      created_at: toText(createdAt),
      ...(names.has(compared(name)) ? { name_taken: true as const } : {}),
    }))
}

const random = v.pipe(v.string(), v.regex(/^[\w-]{22}$/))
const secret = v.pipe(v.string(), v.regex(/^[\w-]{11,22}$/))

const helloBody = v.object({ version: v.number(), id: random, nonce: random })
/** The owner decides by the name: it must not look like another one. */
const name = v.pipe(
  v.string(),
  v.transform((text) => cleanName(text)),
  line(PERSON_NAME_LENGTH),
)
const askBody = v.object({ id: random, secret, name, request: random })
const requestBody = v.object({ request: random })

/** What those who join are shown of a workspace before they ask. */
type Host = { readonly workspace: string; readonly owner: string; readonly approve: boolean }

type JoinOptions = {
  /** Those of the port of the network. */
  readonly services: Services
  /** SHA-256 of the certificate of this port, base64url. */
  readonly fingerprint: string
  readonly host: Host
  /** Someone waits or has come in, or no longer waits. */
  readonly changed: () => void
}

type Call = (body: object, address: string) => object | Promise<object>

/**
 * What a stranger may ask on the port of the network, without a token. A wrong invitation counts as a refused sign-in, so
 * that guessing soon blocks an address.
 */
export function joining({ services, fingerprint, host, changed }: JoinOptions): Special {
  const calls: Readonly<Record<string, Call>> = {
    [JOIN_PATHS.hello]: (body) => hello(read(helloBody, body)),
    [JOIN_PATHS.ask]: (body, address) => askNow(read(askBody, body), address),
    [JOIN_PATHS.answer]: (body) => transact(services, (work) => answerTo(work, read(requestBody, body).request)),
    [JOIN_PATHS.cancel](body) {
      if (transact(services, (work) => cancel(work, read(requestBody, body).request))) changed()
      return {}
    },
    // It is here.
    [JOIN_PATHS.where]: (): MovedAnswer => ({}),
  }

  function hello({ version, id, nonce }: v.InferOutput<typeof helloBody>): Hello {
    if (version !== SHARING_VERSION) {
      refuse('featureNotSupported', 'this is another version', { version: String(SHARING_VERSION) })
    }
    const { invitation, key } = transact(services, ({ db, now }) => usableInvitation(db, id, now))
    return {
      ...host,
      version: SHARING_VERSION,
      proof: invitationProof(key.key, nonce, fingerprint),
      role: invitation.role,
      api_key: services.apiKey,
    }
  }

  async function askNow(given: v.InferOutput<typeof askBody>, address: string): Promise<JoinAnswer> {
    const { id, name: asked, request } = given
    const known = transact(services, (work) => answerTo(work, request))
    if (known.state !== 'gone') return known
    const { key } = transact(services, ({ db, now }) => usableInvitation(db, id, now))
    // Slow, so that guessing is; computed only for those who know the identifier, so that strangers cannot use it up.
    if (!isSame(await invitationKey(given.secret), key)) {
      refuse('authentication', 'there is no such invitation', { invitation: 'wrong' })
    }
    const answer = transact(services, (work) => ask(work, { keyId: id, name: asked, request, address }, host.approve))
    changed()
    return answer
  }

  async function respond(call: Call, { request, response, count }: Incoming): Promise<void> {
    const address = callerOf(request, services)
    count({ userId: address, role: 'anonymous', banned: false, server: false, expiresAtMs: undefined }, 'Join')
    sendJson(response, 200, await call(await readJson(request, services), address))
  }

  return (incoming) => {
    const { request, url } = incoming
    if (request.method !== 'POST' || !Object.hasOwn(calls, url.pathname)) return undefined
    const call = calls[url.pathname]
    return call && { operation: 'Join', run: () => respond(call, incoming) }
  }
}
