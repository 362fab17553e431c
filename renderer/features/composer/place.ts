import type { Cid, MessageId } from '#shared/lib/brand.ts'
import type { SettledChannel } from '../../store/hooks.ts'
import { composerKey } from '#shared/domain/draft.ts'
import { mayReply, maySendMessage, mayUpload } from '#shared/rules/channels/capabilities.ts'
import type { IconName } from '../../ui/Icon/icon-names.ts'

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
