import { AppError } from '#shared/lib/app-error.ts'
import { splitCid } from '#shared/rules/channels/channels.ts'
import { queryChannels, updateChannel } from '#shared/wire/channels.ts'
import type { EngineApi } from '../../../context.ts'

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
