import type { WireDevice } from '#shared/wire/users.ts'
import type { DeviceRow } from './people-tables.ts'
import { toText } from '../time.ts'

export function encodeDevice(row: DeviceRow): WireDevice {
  return {
    id: row.id,
    push_provider: row.push_provider,
    ...(row.push_provider_name === null ? {} : { push_provider_name: row.push_provider_name }),
    user_id: row.user_id,
    created_at: toText(row.created_at),
  }
}
