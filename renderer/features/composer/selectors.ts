import { createSelector } from '@reduxjs/toolkit'
import type { Message } from '#shared/domain/message.ts'
import type { Upload } from '#shared/domain/attachment.ts'
import type { UserId, Cid, MessageId } from '#shared/lib/brand.ts'
import { isSame } from '#shared/lib/same.ts'
import { mayEditMessage, mayReply, maySendMessage, mayUpload } from '#shared/rules/channels/capabilities.ts'
import { composerKey } from '#shared/domain/draft.ts'
import { EMPTY_COMPOSER, type ComposerState } from '../../store/composers/composers.ts'
import { selectSession } from '../../store/selectors.ts'
import type { AppState } from '../../store/store.ts'
import type { Person } from './suggestions/mentions.ts'
import { type SettledChannel, useAppSelector } from '../../store/hooks.ts'
import type { IconName } from '../../ui/Icon/Icon.tsx'
import { channelTitle } from '../sidebar/index.ts'

/** The channel or thread a composer writes to. */
export type Place = { readonly key: string; readonly cid: Cid; readonly parentId?: MessageId }

export function placeOf(cid: Cid, parentId: MessageId | undefined): Place {
  return { key: composerKey(cid, parentId), cid, parentId }
}

/** A direct message conversation rather than a named channel. */
export const isDirect = (channel: SettledChannel): boolean => channel.directUserIds.length > 0

/** Why writing is not allowed: an icon and a key of the `composer` texts. */
export type Closed = {
  readonly icon: IconName
  readonly text: 'blocked' | 'frozen' | 'cannotReply' | 'moderatorsOnly' | 'cannotWrite' | 'guest'
}

/** Why the viewer cannot write here; `undefined` if writing is allowed. */
export function closedReason(
  channel: SettledChannel,
  parentId: MessageId | undefined,
  canParticipate: boolean,
): Closed | undefined {
  if (!canParticipate) return { icon: 'eye', text: 'guest' }
  if (channel.blocked) return { icon: 'ban', text: 'blocked' }
  const open = parentId === undefined ? maySendMessage(channel) : mayReply(channel)
  if (open) return undefined
  if (channel.frozen && !channel.capabilities.includes('use-frozen-channel')) return { icon: 'snow', text: 'frozen' }
  if (parentId !== undefined && !channel.config.replies) return { icon: 'lock', text: 'cannotReply' }
  return { icon: 'lock', text: isDirect(channel) ? 'cannotWrite' : 'moderatorsOnly' }
}

export const acceptsFiles = (channel: SettledChannel, hostAcceptsFiles: boolean): boolean =>
  hostAcceptsFiles && mayUpload(channel)

export const selectComposer = (state: AppState, key: string): ComposerState => state.composers[key] ?? EMPTY_COMPOSER

/** Files of a composer in order. Files of a restored draft come from the draft until the engine sends their uploads. */
export function selectUploads(state: AppState, key: string): readonly Upload[] {
  const saved = state.entities.drafts[key]?.uploads ?? []
  return selectComposer(state, key).uploadIds.flatMap((id) => {
    const upload = state.entities.uploads[id] ?? saved.find((known) => known.id === id)
    return upload === undefined ? [] : [upload]
  })
}

/** Unsent text of a composer that is not on screen, from memory or from the draft on disk, whichever is newer. */
export function selectUnsentText(state: AppState, key: string): string {
  const composer = state.composers[key]
  const draft = state.entities.drafts[key]
  const revision = state.entities.draftRevisions[key] ?? 0
  const isNewer = composer !== undefined && (composer.touched || composer.saving > 0 || composer.revision >= revision)
  return isNewer ? composer.text : (draft?.edit?.text ?? draft?.text ?? '')
}

/** Messages of the place, newest first. */
function* newestFirst(state: AppState, { cid, parentId }: Place): Generator<Message> {
  const window = state.windows.byKey[parentId === undefined ? `timeline:${cid}` : `thread:${parentId}`]
  for (const id of (window?.ids ?? []).toReversed()) {
    const message = state.entities.messages[id]
    if (message !== undefined) yield message
  }
}

/** Earlier authors are no more likely to be mentioned than anyone else. */
const MAX_SPEAKERS = 20

/** Authors of the newest messages, newest first, without duplicates. */
export function selectSpeakers(state: AppState, place: Place): readonly UserId[] {
  const speakers = new Set<UserId>()
  for (const { userId } of newestFirst(state, place)) {
    if (speakers.size >= MAX_SPEAKERS) break
    speakers.add(userId)
  }
  return [...speakers]
}

/** The viewer's newest editable message here: the one Up in an empty field edits. */
export function selectLastEditable(state: AppState, place: Place, channel: SettledChannel): Message | undefined {
  const me = selectSession(state).userId
  if (me === undefined) return undefined
  for (const message of newestFirst(state, place)) {
    const isText = message.type === 'regular' || message.type === 'reply'
    if (isText && message.userId === me && message.status !== 'failed' && mayEditMessage(channel, message, me)) {
      return message
    }
  }
  return undefined
}

/** The newest message here whose sending or deletion can still be undone. */
export function selectHeld(state: AppState, place: Place): Message | undefined {
  for (const message of newestFirst(state, place)) if (message.undoUntil !== undefined) return message
  return undefined
}

/** Epoch milliseconds of the viewer's newest message in the channel, for slow mode. */
export function selectLastOwnAt(state: AppState, place: Place): number | undefined {
  const me = selectSession(state).userId
  for (const message of newestFirst(state, { key: place.cid, cid: place.cid })) {
    if (message.userId === me && message.status !== 'failed') return message.createdAt
  }
  return undefined
}

/** Everyone who can be mentioned; in a direct message only its members. The same list while only other facts of people change, such as who is online. */
export const createSelectPeople = (channel: SettledChannel, memberIds: readonly UserId[]) => {
  const inside = new Set<string>([...memberIds, ...channel.faceIds, ...channel.directUserIds])
  return createSelector(
    [(state: AppState) => state.entities.users, (state: AppState) => selectSession(state).userId],
    (users, me): readonly Person[] =>
      Object.values(users)
        .filter((user) => user.id !== me && (inside.has(user.id) || !isDirect(channel)))
        .map(({ id, name, muted }) => ({
          id,
          name,
          inChannel: inside.has(id),
          muted: muted === true ? muted : undefined,
        })),
    { memoizeOptions: { resultEqualityCheck: isSame } },
  )
}

/** The title of a channel or conversation. */
export const useTitle = (cid: string): string => useAppSelector((state) => channelTitle(state, cid))
