import { cleanName } from '#shared/lib/clean-text.ts'
import type { Channel } from '#shared/domain/channel.ts'
import type { AppState } from '../../../store/store.ts'
import { channelTitle } from '../../sidebar/index.ts'

/** `#release-4-2`, or the names of the people in a direct conversation. */
export function placeName(state: AppState, cid: string, found?: Channel): string {
  const channel = state.entities.channels[cid] ?? found
  if (channel === undefined) return ''
  const title = channelTitle(state, cid)
  const name = title === '' ? cleanName(channel.name === '' ? channel.id : channel.name) : title
  return channel.directUserIds.length > 0 ? name : `#${name}`
}
