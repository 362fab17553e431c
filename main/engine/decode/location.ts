import type { MessageLocation } from '#shared/domain/message.ts'
import { asWire, numberOf, timeOf } from './read.ts'

/** Source: wire contract 5.14. Dropped where the point is none on this earth. */
export function decodeLocation(value: unknown): MessageLocation | undefined {
  const wire = asWire(value)
  const latitude = numberOf(wire?.['latitude'])
  const longitude = numberOf(wire?.['longitude'])
  if (!wire || latitude === undefined || longitude === undefined) return undefined
  if (Math.abs(latitude) > 90 || Math.abs(longitude) > 180) return undefined
  const endAt = timeOf(wire['end_at'])
  return { latitude, longitude, ...(endAt === undefined ? {} : { endAt }), updatedAt: timeOf(wire['updated_at']) ?? 0 }
}
