import * as v from 'valibot'
import { idText, time, whole } from '../http/shapes.ts'
import { refuse } from '../http/refusal.ts'
import type { Db } from '../store/db.ts'
import {
  messageById,
  readPage,
  type MessageRow,
  type TimelinePosition,
  type Scope,
  type Step,
} from './message-table.ts'

/** MESSAGE PAGINATION. See docs/wire.md 6.4. */
export const messagePage = v.object({
  limit: whole(300),
  id_lt: idText(),
  id_lte: idText(),
  id_gt: idText(),
  id_gte: idText(),
  id_around: idText(),
  created_at_before: time,
  created_at_before_or_equal: time,
  created_at_after: time,
  created_at_after_or_equal: time,
  created_at_around: time,
})
export type MessagePage = v.InferOutput<typeof messagePage>

type Cursor = Exclude<keyof MessagePage, 'limit'>

const STEPS: Readonly<Record<Cursor, Step | 'around'>> = {
  id_lt: 'before',
  id_lte: 'upTo',
  id_gt: 'after',
  id_gte: 'from',
  id_around: 'around',
  created_at_before: 'before',
  created_at_before_or_equal: 'upTo',
  created_at_after: 'after',
  created_at_after_or_equal: 'from',
  created_at_around: 'around',
}

type View = { readonly viewer: string; readonly floor: number }

/** A page of a timeline, oldest first with every cursor. At most one cursor may be given. */
export function findPage(db: Db, scope: Scope, view: View, page: MessagePage, limit: number): MessageRow[] {
  const given = (Object.keys(STEPS) as Cursor[]).filter((name) => page[name] !== undefined)
  const cursor = given[0]
  if (given.length > 1) return refuse('input', `only one of ${given.join(' and ')} may be given`)
  if (cursor === undefined) return readPage(db, scope, view, 'newest', undefined, limit)
  const step = STEPS[cursor]
  const place = placeOf(db, scope, cursor, page[cursor], step)
  return step === 'around' ? around(db, scope, view, place, limit) : readPage(db, scope, view, step, place, limit)
}

/** Texts that sort before and after every id. */
const FIRST_ID = ''
const LAST_ID = '\u{10FFFF}'

function placeOf(
  db: Db,
  scope: Scope,
  cursor: Cursor,
  value: string | number | undefined,
  step: Step | 'around',
): TimelinePosition {
  if (typeof value === 'number') {
    return { at: value, id: step === 'upTo' || step === 'after' ? LAST_ID : FIRST_ID }
  }
  const message = messageById(db, value ?? '')
  const inside = message && (scope.kind === 'channel' ? message.cid : message.parent_id) === scope.key
  if (!inside) return refuse('input', `${cursor}: there is no such message here`, { [cursor]: 'no such message' })
  return { at: message.created_at, id: message.id }
}

/** Half older, half newer messages around the target; one side fills up what the other lacks. */
function around(db: Db, scope: Scope, view: View, place: TimelinePosition, limit: number): MessageRow[] {
  const older = readPage(db, scope, view, 'before', place, limit)
  const newer = readPage(db, scope, view, 'from', place, limit)
  const half = Math.floor(limit / 2)
  const newerTaken = Math.min(newer.length, Math.max(limit - half, limit - older.length))
  const olderTaken = Math.min(older.length, limit - newerTaken)
  return [...older.slice(older.length - olderTaken), ...newer.slice(0, newerTaken)]
}
