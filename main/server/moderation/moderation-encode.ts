import type { WireBan, WireFlag, WireMute } from '#shared/wire/moderation.ts'
import { muteTimes } from '../channels/encode-channels.ts'
import type { BanRow, EndedBanRow } from './ban-table.ts'
import { channelByCid } from '../channels/channel-table.ts'
import type { FlagRow } from './flags.ts'
import { messageById } from '../messages/message-table.ts'
import type { UserMuteRow } from './mute-table.ts'
import { flagsIn } from '../channels/channel-types.ts'
import { findMessage } from '../messages/message-open.ts'
import type { Identity } from '../http/auth/identify.ts'
import { Refusal } from '../http/refusal.ts'
import { toText } from '../time.ts'
import type { Work } from '../work.ts'
import { channelForMany } from '../channels/channel-state.ts'
import { messageForMany } from '../messages/message-announce.ts'

export function encodeMute(work: Work, row: UserMuteRow): WireMute {
  return { user: work.people(row.user_id), target: work.people(row.target_id), ...muteTimes(row) }
}

export function encodeBan(work: Work, row: BanRow): WireBan {
  const channel = row.cid === '' ? undefined : channelByCid(work.db, row.cid)
  const flags = channel ? flagsIn(work.db, channel.type, channel.config_overrides) : undefined
  return {
    user: work.people(row.user_id),
    banned_by: row.banned_by === null ? undefined : work.people(row.banned_by),
    channel: channel && flags ? channelForMany(work, { channel, flags }) : undefined,
    reason: row.reason ?? undefined,
    ...(row.expires_at === null ? {} : { expires: toText(row.expires_at) }),
    shadow: row.shadow === 1,
    created_at: toText(row.created_at),
  }
}

export const encodeEndedBan = (work: Work, row: EndedBanRow): WireBan => ({
  ...encodeBan(work, row),
  ended_at: toText(row.ended_at),
  ...(row.ended_by === null ? {} : { ended_by: work.people(row.ended_by) }),
})

export function encodeFlag(work: Work, row: FlagRow): WireFlag {
  const message = row.kind === 'message' ? messageById(work.db, row.target_id) : undefined
  const custom = JSON.parse(row.custom) as Record<string, unknown>
  return {
    user: work.people(row.user_id),
    ...(row.kind === 'message' ? { target_message_id: row.target_id } : { target_user: work.people(row.target_id) }),
    ...(message ? { target_message: messageForMany(work, message), target_user: work.people(message.user_id) } : {}),
    created_by_automod: false,
    reason: row.reason ?? undefined,
    ...(Object.keys(custom).length > 0 ? { custom } : {}),
    created_at: toText(row.created_at),
    updated_at: toText(row.updated_at),
    reviewed_at: row.reviewed_at === null ? undefined : toText(row.reviewed_at),
    reviewed_by: row.reviewed_by === null || row.reviewed_by === '' ? undefined : work.people(row.reviewed_by),
    review_result: row.review_result ?? undefined,
  }
}

/** What became of a report, for the person who made it: not who decided, and not whether someone was banned. */
const RESULTS: Readonly<Record<string, string>> = { delete_message: 'deleted', ban: 'action_taken' }

/**
 * A flag as its reporter sees it. The message is shown while they could read it in its channel; of a deleted one only
 * where it was.
 */
export function encodeOwnFlag(work: Work, who: Identity, row: FlagRow): WireFlag {
  const { reviewed_by: _by, target_message: message, ...flag } = encodeFlag(work, row)
  const isVisible = row.kind === 'message' && findReadable(work, row.target_id, who)
  return {
    ...flag,
    ...(isVisible && message ? { target_message: message } : {}),
    ...(row.review_result === null ? {} : { review_result: RESULTS[row.review_result] ?? 'no_action' }),
  }
}

/** Not readable any more is no refusal here. */
function findReadable(work: Work, id: string, who: Identity): boolean {
  try {
    return findMessage(work, id, who) !== undefined
  } catch (error) {
    if (error instanceof Refusal) return false
    throw error
  }
}

export const reportOf = (work: Work, row: FlagRow): WireFlag & { id: string } => ({
  id: row.id,
  ...encodeFlag(work, row),
})
