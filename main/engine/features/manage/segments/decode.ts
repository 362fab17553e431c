import type { Segment, SegmentKind, SegmentMember, SegmentTarget, SegmentUse } from '#shared/domain/manage/segments.ts'
import { isObject } from '#shared/rules/segments/filter.ts'
import { asWire, countOf, flagOf, idOf, nameOf, textOf, timeOf, versionOf } from '../../../decode/read.ts'

/** See docs/wire.md 5.18. */
export function readSegment(value: unknown): Segment | undefined {
  const wire = asWire(value)
  const id = idOf(wire?.['id'])
  if (!wire || id === undefined) return undefined
  const filter = wire['filter']
  const kind: SegmentKind = wire['type'] === 'channel' ? 'channel' : 'user'
  return {
    id,
    kind,
    name: nameOf(wire['name']) ?? '',
    description: textOf(wire['description'], 1_000) ?? '',
    filter: JSON.stringify(isObject(filter) ? filter : {}),
    all: flagOf(wire[kind === 'user' ? 'all_users' : 'all_sender_channels']) ?? false,
    size: countOf(wire['size']) ?? 0,
    createdAt: timeOf(wire['created_at']),
    updatedAt: timeOf(wire['updated_at']),
    ...(wire['locked'] === true ? { locked: true } : {}),
    version: versionOf(wire),
  }
}

export function readTarget(value: unknown): SegmentTarget | undefined {
  const wire = asWire(value)
  const id = idOf(wire?.['target_id'])
  return id === undefined ? undefined : { id, addedAt: timeOf(wire?.['created_at']) }
}

/** A user or a channel of the wire, as a list shows it. */
export function readMember(kind: SegmentKind, value: unknown): SegmentMember | undefined {
  const wire = asWire(value)
  const id = idOf(wire?.[kind === 'user' ? 'id' : 'cid'])
  if (!wire || id === undefined) return undefined
  const inactive = timeOf(wire['deactivated_at']) !== undefined || timeOf(wire['deleted_at']) !== undefined
  return {
    id,
    name: nameOf(wire['name']) ?? id,
    lastActiveAt: timeOf(wire[kind === 'user' ? 'last_active' : 'last_message_at']),
    ...(inactive ? { inactive } : {}),
  }
}

export function readUse(value: unknown): SegmentUse | undefined {
  const wire = asWire(value)
  const id = idOf(wire?.['id'])
  return id === undefined
    ? undefined
    : { id, name: nameOf(wire?.['name']) ?? id, status: nameOf(wire?.['status'], 64) ?? '' }
}
