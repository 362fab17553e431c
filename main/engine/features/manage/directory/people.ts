import type { DirectoryPerson, FieldValue, PersonDevice } from '#shared/domain/manage/directory.ts'
import { AppError } from '#shared/lib/app-error.ts'
import type { UserId } from '#shared/lib/brand.ts'
import { isDefinedField } from '#shared/lib/field-names.ts'
import { fieldOf } from '#shared/rules/people/people.ts'
import { queryUsers } from '#shared/wire/app.ts'
import { splitCid } from '#shared/rules/channels/channels.ts'
import { queryChannels, updateChannel } from '#shared/wire/channels.ts'
import { pictureRef } from '#main/cache/messages/media.ts'
import * as users from '#main/cache/people/users.ts'
import type { Tx } from '#main/cache/store.ts'
import { asList, asWire, customOf, flagOf, nameOf, textOf, timeOf, type Wire } from '../../../decode/read.ts'
import { decodeUser } from '../../../decode/user.ts'
import type { EngineApi } from '../../../context.ts'
import type { Core, Requests } from '../../../core.ts'

const MAX_TEAMS = 250
const MAX_FIELDS = 200

/** One person of the wire, as a server token gets them. */
export function readPerson(value: unknown, asOf: number): DirectoryPerson | undefined {
  const row = decodeUser(value, { viewerId: '' as UserId, asOf, isAnswer: true })
  const wire = asWire(value)
  if (!row || !wire) return undefined
  const fields = Object.entries(customOf(wire)).filter(([name]) => !isDefinedField(name))
  return {
    id: row.id,
    name: row.name,
    image: row.imageUrl === undefined ? undefined : pictureRef('user', row.id, row.imageUrl),
    role: row.role,
    teams: asList(wire['teams'])
      .flatMap((team) => nameOf(team, 64) ?? [])
      .slice(0, MAX_TEAMS),
    language: row.language,
    online: row.online ?? false,
    bot: row.bot,
    lastActiveAt: row.lastActiveAt,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    banned: row.banned,
    deactivatedAt: timeOf(wire['deactivated_at']),
    deletedAt: row.deletedAt,
    statusText: row.statusText,
    statusUntil: row.statusUntil,
    fields: Object.fromEntries(fields.slice(0, MAX_FIELDS).map(([name, field]) => [name, fieldOf(field)])),
  }
}

/** What everyone may see of a user. The rest came with the server token, and is not stored. */
const SEEN = ['id', 'name', 'image', 'role', 'online', 'banned', 'last_active', 'created_at', 'updated_at'] as const

/** Stores what everyone may see of these people, so that windows can show them. */
export function storeSeen(tx: Tx, people: readonly unknown[], asOf: number): void {
  for (const value of people) {
    const wire = asWire(value)
    const row =
      wire && !wire['deleted_at'] && decodeUser(seenOf(wire), { viewerId: '' as UserId, asOf, isAnswer: true })
    if (!row) continue
    const known = users.byId(tx, row.id)
    const { language, statusText, statusUntil, away, bot = false, custom = {} } = known ?? {}
    users.put(tx, { ...row, language, statusText, statusUntil, away, bot, custom })
  }
}

const seenOf = (wire: Wire): Wire => Object.fromEntries(SEEN.map((name) => [name, wire[name]]))

/** See docs/wire.md 5.15 DEVICE. Its id, which is the address of the push service, stays in main. */
export function readDevice(value: unknown): PersonDevice | undefined {
  const wire = asWire(value)
  const provider = nameOf(wire?.['push_provider'], 64)
  if (!wire || provider === undefined) return undefined
  return {
    provider,
    providerName: nameOf(wire['push_provider_name'], 100),
    addedAt: timeOf(wire['created_at']),
    disabled: flagOf(wire['disabled']) === true ? { reason: textOf(wire['disabled_reason'], 500) ?? '' } : undefined,
  }
}

/** Throws `people/not-json` for JSON that is none. */
export function wireField(name: string, value: FieldValue): unknown {
  if (typeof value !== 'object') return value
  try {
    return JSON.parse(value.json) as unknown
  } catch (cause) {
    throw new AppError('people/not-json', { params: { name }, cause })
  }
}

/** The contract's limit of one page. See docs/wire.md 6.5. */
const PAGE = 100

/** Asks for those whom this device does not know, so that they can be named. */
export async function meet(
  core: Pick<Requests, 'asOf' | 'life' | 'write'> & Pick<Core, 'cache'>,
  api: EngineApi,
  ids: readonly string[],
): Promise<void> {
  const known = new Set<string>(users.byIds(core.cache.reader, ids).map(({ id }) => id))
  const unknown = [...new Set(ids)].filter((id) => !known.has(id))
  for (let at = 0; at < unknown.length; at += PAGE) {
    const payload = {
      filter_conditions: { id: { $in: unknown.slice(at, at + PAGE) } },
      limit: PAGE,
      include_deactivated_users: true,
    }
    const asOf = core.asOf()
    const found = await api.send(queryUsers, { query: { payload }, signal: core.life })
    core.write((tx) => storeSeen(tx, asList(found.users), asOf))
  }
}

/** Channels per request. */
const CHANNELS = 30

/** Cids of the channels that every member of the team may join. */
export async function publicChannels(api: EngineApi, signal?: AbortSignal): Promise<readonly string[]> {
  const rooms: string[] = []
  for (let offset = 0; ; offset += CHANNELS) {
    const { channels } = await api.send(queryChannels, {
      body: { filter_conditions: { type: 'team' }, limit: CHANNELS, offset, message_limit: 0, member_limit: 0 },
      signal,
    })
    for (const { channel } of channels) {
      if (channel?.cid !== undefined && channel['private'] !== true) rooms.push(channel.cid)
    }
    if (channels.length < CHANNELS) return rooms
  }
}

/**
 * Adds a new user to channels. The user exists, and can be added from within the app: one refusal is no failure, because a
 * retry would create a second user.
 *
 * @param onRefused the code of a refusal
 */
export async function joinChannels(
  api: EngineApi,
  cids: readonly string[],
  userId: string,
  { signal, onRefused }: { readonly signal?: AbortSignal; readonly onRefused?: (cid: string, code: string) => void },
): Promise<void> {
  for (const cid of cids) {
    try {
      await api.send(updateChannel, { params: splitCid(cid), body: { add_members: [userId] }, signal })
    } catch (error) {
      onRefused?.(cid, error instanceof AppError ? error.code : 'unknown')
    }
  }
}

export async function joinPublicChannels(api: EngineApi, userId: string, signal: AbortSignal): Promise<void> {
  await joinChannels(api, await publicChannels(api, signal), userId, { signal })
}
