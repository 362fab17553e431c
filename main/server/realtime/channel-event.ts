import type { WireEvent } from '#shared/wire/events.ts'
import type { ChannelRow } from '../channels/channel-table.ts'
import { toText, type Micros } from '../time.ts'

type On<Type extends string> = Extract<WireEvent, { type: Type }>

/** The fields every event of a channel carries. See docs/wire.md 4.1. */
export function channelEvent<Type extends WireEvent['type']>(
  type: Type,
  channel: Pick<ChannelRow, 'cid' | 'type' | 'id'>,
  at: Micros,
  fields: Omit<On<Type>, 'type' | 'created_at' | 'cid'>,
): On<Type> {
  return {
    type,
    created_at: toText(at),
    cid: channel.cid,
    channel_type: channel.type,
    channel_id: channel.id,
    ...fields,
  } as unknown as On<Type>
}
