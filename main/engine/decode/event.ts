import { asCid, type Cid } from '#shared/lib/brand.ts'
import { asWire, idOf, nameOf, pastOf, type Wire } from './read.ts'

/** Fields of any event, before an applier reads it. */
export type EventEnvelope = {
  readonly type: string
  /** Server time; absent if the event has no plausible one. */
  readonly at: number | undefined
  readonly cid?: Cid | undefined
  readonly wire: Wire
}

/** See docs/wire.md 4.1. `undefined` if it is not an event. Never throws. */
export function decodeEvent(value: unknown, latest?: number): EventEnvelope | undefined {
  const wire = asWire(value)
  const type = nameOf(wire?.['type'], 200)
  if (!wire || type === undefined) return undefined
  const cid = eventCid(wire)
  return { type, at: pastOf(wire['created_at'], { latest }), cid, wire }
}

/** The channel of an event: `cid`, or its parts, or that of the object inside. */
function eventCid(wire: Wire): Cid | undefined {
  const [type, id] = [idOf(wire['channel_type']), idOf(wire['channel_id'])]
  const parts = type !== undefined && id !== undefined ? `${type}:${id}` : undefined
  const found =
    idOf(wire['cid']) ?? parts ?? idOf(asWire(wire['channel'])?.['cid']) ?? idOf(asWire(wire['message'])?.['cid'])
  return found === undefined ? undefined : asCid(found)
}
