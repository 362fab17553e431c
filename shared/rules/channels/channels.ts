import { asCid, type UserId, type Cid } from '../../lib/brand.ts'
import type { Session } from '../../domain/session.ts'
import { sidebarKey } from './sidebar.ts'

const TYPE = /^[A-Za-z0-9_-]+$/
const ID = /^[A-Za-z0-9!_-]+$/

/** Text of the refusal, or `undefined` for a valid type. */
export function channelTypeRefusal(type: string): string | undefined {
  return TYPE.test(type) ? undefined : `Invalid chat type ${type}, letters, numbers and "_-" are allowed`
}

/** Source: as {@link channelTypeRefusal}. */
export function channelIdRefusal(id: string): string | undefined {
  return ID.test(id) ? undefined : `Invalid chat id ${id}, letters, numbers and "!-_" are allowed`
}

/** Splits `type:id` at the first colon; neither part can contain one. */
export function splitCid(cid: string): { type: string; id: string } {
  const at = cid.indexOf(':')
  return { type: cid.slice(0, at), id: cid.slice(at + 1) }
}

/** Position of a channel in the list: the fields {@link compareChannels} uses. */
type ChannelPlace = {
  readonly cid: string
  readonly pinnedAt?: number
  readonly lastMessageAt?: number
  readonly createdAt?: number
}

/** Pinned first (newest pin on top), then by the newest message; the cid breaks ties so that the order is total. */
export function compareChannels(a: ChannelPlace, b: ChannelPlace): number {
  return (
    (b.pinnedAt ?? 0) - (a.pinnedAt ?? 0) ||
    (b.lastMessageAt ?? b.createdAt ?? 0) - (a.lastMessageAt ?? a.createdAt ?? 0) ||
    (a.cid < b.cid ? -1 : a.cid > b.cid ? 1 : 0)
  )
}

/** Id of a new channel from its name: the characters that ids allow, with a suffix that makes it unique. */
export function channelIdFrom(name: string, tail: string): string {
  const plain = name
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll('ł', 'l')
    .replaceAll('Ł', 'L')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 40)
  return plain === '' ? `channel-${tail}` : `${plain}-${tail}`
}

/** The channel that an own workspace begins with, for everyone in it. */
export const GENERAL_ID = 'general'
export const GENERAL_CID = asCid(`team:${GENERAL_ID}`)

/** Direct conversations are the distinct channels. See docs/wire.md 7.1. */
export const isDirect = (id: string): boolean => id.startsWith('!members-')

/**
 * Prefix of the channel id of notes to self: the contract has no distinct channel of one member (docs/wire.md 8.5), so
 * the id is derived from the user's.
 */
export const NOTES_ID = 'self-'

/** Nothing is sent there that only others would see. */
export const isNotesId = (id: string): boolean => id.startsWith(NOTES_ID)

/** Only while the user is the only member. */
const isNotes = (id: string, memberIds: readonly UserId[], me: UserId): boolean =>
  isNotesId(id) && memberIds.length === 1 && memberIds[0] === me

/** Everyone in a direct conversation but the viewer; the viewer alone in their notes. */
export function directUserIds(id: string, memberIds: readonly UserId[], me: UserId): UserId[] {
  if (isNotes(id, memberIds, me)) return [me]
  return isDirect(id) ? memberIds.filter((userId) => userId !== me) : []
}

/** Channels with a setting enabled, by account (`sidebarKey`). */
type ChosenChannels = Readonly<Record<string, readonly string[]>>

export const isChosen = (chosen: ChosenChannels, session: Session, cid: Cid): boolean =>
  chosen[sidebarKey(session)]?.includes(cid) ?? false

/** The setting changed for one channel. */
export function withChosen(chosen: ChosenChannels, session: Session, cid: Cid, on: boolean): ChosenChannels {
  const account = sidebarKey(session)
  const others = (chosen[account] ?? []).filter((each) => each !== cid)
  return { ...chosen, [account]: on ? [...others, cid] : others }
}
