import { createSelector } from '@reduxjs/toolkit'
import type { Channel } from '#shared/domain/channel.ts'
import { channelNameKey, isMentionableChannel } from '#shared/rules/messages/channel-mentions.ts'
import type { AppState } from './store.ts'

type Nameable = Pick<Channel, 'cid' | 'name' | 'isPrivate'>

/**
 * Channels that a text can mention. Nearly every event changes a channel, but rarely its name: selectors based on this are
 * recomputed only when a name changes.
 */
export const selectNameable = createSelector(
  [(state: AppState) => state.entities.channels],
  (channels): readonly Nameable[] => Object.values(channels).filter(isMentionableChannel),
  { memoizeOptions: { resultEqualityCheck: areNamedAlike } },
)

function areNamedAlike(a: readonly Nameable[], b: readonly Nameable[]): boolean {
  return (
    a.length === b.length &&
    a.every(({ cid, name, isPrivate }, at) => {
      const other = b[at]
      return cid === other?.cid && name === other.name && isPrivate === other.isPrivate
    })
  )
}

/** Cids by {@link channelNameKey}. Of two channels with the same name the first: the text does not tell them apart. */
export const selectCidsByChannelName = createSelector(
  [selectNameable],
  (channels): ReadonlyMap<string, Channel['cid']> =>
    new Map(channels.toReversed().map(({ cid, name }) => [channelNameKey(name), cid])),
)
