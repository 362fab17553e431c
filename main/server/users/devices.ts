import * as v from 'valibot'
import type { Json } from '../http/json.ts'
import { refuse } from '../http/refusal.ts'
import { idText, text } from '../http/shapes.ts'
import { devicesOf, putDevice, type DeviceRow } from './user-table.ts'
import type { Work } from '../work.ts'
import type { WireDevice } from '#shared/wire/users.ts'
import { toText } from '../store/time.ts'

const MAX_DEVICES = 100

/** See docs/wire.md 5.15 DEVICE. */
export const deviceShape = v.looseObject({
  id: idText(),
  push_provider: v.picklist(['firebase', 'apn', 'huawei', 'xiaomi']),
  push_provider_name: text(100),
})

export function registerDevice(work: Work, userId: string, device: v.InferOutput<typeof deviceShape>): void {
  const known = devicesOf(work.db, userId)
  if (known.length >= MAX_DEVICES && !known.some(({ id }) => id === device.id)) {
    refuse('input', `at most ${MAX_DEVICES} devices`)
  }
  putDevice(work.db, {
    user_id: userId,
    id: device.id ?? refuse('input', 'id is required'),
    push_provider: device.push_provider,
    push_provider_name: device.push_provider_name || null,
    created_at: work.now,
  })
}

/** Registers the device that a handshake names. An invalid one does not refuse the connection. See docs/wire.md 2.2. */
export function registerFromHandshake(work: Work, userId: string, given: Json): void {
  const device = v.safeParse(deviceShape, given)
  const isNew = device.success && device.output.id !== undefined
  if (isNew && devicesOf(work.db, userId).length < MAX_DEVICES) registerDevice(work, userId, device.output)
}

export function encodeDevice(row: DeviceRow): WireDevice {
  return {
    id: row.id,
    push_provider: row.push_provider,
    push_provider_name: row.push_provider_name ?? undefined,
    user_id: row.user_id,
    created_at: toText(row.created_at),
  }
}
