import type { IntentFor } from '#shared/domain/intent.ts'
import { asMessageId } from '#shared/lib/brand.ts'
import { formatTime } from '#shared/lib/rfc3339.ts'
import { endOfShare } from '#shared/rules/locations/locations.ts'
import { getMessage, type MessageInput } from '#shared/wire/messages.ts'
import type { WireMessage } from '#shared/wire/objects.ts'
import { ApiError } from '../../api/errors.ts'
import type { Core } from '../../core.ts'
import { DEVICE_FIELD } from '../../decode/message.ts'
import { Refusal } from '../../outbox/runner.ts'

// What a message with a location adds to the request that sends it.

/**
 * The location of a message as it is sent now. A live share that has expired, or that was started before the program
 * was restarted, is refused: a location is shared only with the user's current consent.
 */
export function placeFields(
  core: Pick<Core, 'memory' | 'serverNow' | 'stores'>,
  { id, payload }: IntentFor<'send-message'>,
): MessageInput | undefined {
  const { place } = payload
  if (place === undefined) return undefined
  const { latitude, longitude, live, device } = place
  const named = device === undefined ? {} : { [DEVICE_FIELD]: device }
  const point = { latitude, longitude, created_by_device_id: deviceOf(core) }
  if (live === undefined) return { ...named, shared_location: point }
  const endAt = endOfShare(live, core.serverNow())
  if (endAt === undefined) throw new Refusal('location/over', false)
  if (!core.memory.sharing.begun.has(id)) throw new Refusal('location/not-resumed', true)
  return { ...named, shared_location: { ...point, end_at: formatTime(endAt) } }
}

/**
 * Looks up a live share whose request was in flight when the program ended: it may have reached the server. `undefined`
 * if it did not, or if this intent is not such a share.
 */
export async function arrivedShare(
  core: Pick<Core, 'api' | 'memory'>,
  { id, messageId, cid, attempts, payload }: IntentFor<'send-message'>,
  signal: AbortSignal,
): Promise<WireMessage | undefined> {
  const isOld = payload.place?.live !== undefined && attempts > 1 && !core.memory.sharing.begun.has(id)
  if (!isOld) return undefined
  try {
    const { message } = await core.api.send(getMessage, { params: { id: messageId ?? id }, query: {}, cid, signal })
    return message
  } catch (error) {
    if (error instanceof ApiError && error.class === 'gone') return undefined
    throw error
  }
}

/** A live share sent from this device is updated from here. */
export function noteShare(core: Pick<Core, 'memory'>, { id, messageId, payload }: IntentFor<'send-message'>): void {
  const { place } = payload
  if (place?.live === undefined || !core.memory.sharing.begun.has(id)) return
  const { latitude, longitude, precision, live } = place
  core.memory.sharing.live.set(messageId ?? asMessageId(id), {
    endAt: live.until,
    precision,
    at: { latitude, longitude },
  })
}

/** Id of this installation: only the device that started a live share updates its position. */
export const deviceOf = (core: Pick<Core, 'stores'>): string => core.stores.report.installId
