import type { MessageLocation } from '#shared/domain/message.ts'
import { asWire, nameOf, numberOf, timeOf } from './read.ts'

/** What its owner calls the computer that shares a place: a field of the message, beside the place. */
export const DEVICE_FIELD = 'location_device'
const DEVICE_LENGTH = 60

/**
 * See docs/wire.md 5.14. Dropped where the point is none on this earth.
 *
 * @param device the name of the computer, where someone gave it one
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
    ...(endAt === undefined ? {} : { endAt }),
    ...(name === undefined || name === '' ? {} : { device: name }),
    updatedAt: timeOf(wire['updated_at']) ?? 0,
  }
}
