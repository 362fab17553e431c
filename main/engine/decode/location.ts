import type { MessageLocation } from '#shared/domain/message.ts'
import { asWire, nameOf, numberOf, timeOf } from './read.ts'

/** The sender's name of the device that shares a location: a field of the message, beside the location. */
export const DEVICE_FIELD = 'location_device'
const DEVICE_LENGTH = 60

/**
 * See docs/wire.md 5.14. Dropped if the coordinates are invalid.
 *
 * @param device name of the device, if the sender gave one
 */
export function decodeLocation(value: unknown, device?: unknown): MessageLocation | undefined {
  const wire = asWire(value)
  const latitude = numberOf(wire?.['latitude'])
  const longitude = numberOf(wire?.['longitude'])
  if (!wire || latitude === undefined || longitude === undefined) return undefined
  if (Math.abs(latitude) > 90 || Math.abs(longitude) > 180) return undefined
  const endAt = timeOf(wire['end_at'])
  const name = nameOf(device, DEVICE_LENGTH)
  return {
    latitude,
    longitude,
    endAt,
    device: name === undefined || name === '' ? undefined : name,
    updatedAt: timeOf(wire['updated_at']) ?? 0,
  }
}
