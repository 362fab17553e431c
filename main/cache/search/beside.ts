import type { Joined, Sought } from '#shared/rules/search/search-match.ts'
import type { Reader } from '../tx.ts'
import type { UnreadMarks } from './resolve.ts'

/** A condition on a message `m` that involves other rows, as SQL with its binds. */
export type Beside = { readonly sql: string; readonly binds: readonly (string | number)[] }

/** A reply to the viewer: in a thread of theirs, or quoting them. */
const REPLY = `(m.user_id <> ? AND EXISTS (SELECT 1 FROM messages p
  WHERE p.id IN (m.parent_id, m.quoted_id) AND p.user_id = ?))`
/** The rule is `shared/rules/channels/unread.ts`; thread-only replies are not included. */
const UNREAD = `(m.in_channel = 1 AND m.user_id <> ? AND m.silent = 0
  AND EXISTS (SELECT 1 FROM json_each(?) AS read WHERE read.key = m.cid AND m.created_at > read.value)
  AND NOT EXISTS (SELECT 1 FROM mutes
    WHERE kind = 'user' AND target = m.user_id AND (expires_at IS NULL OR expires_at > ?)))`

export function besideOf(reader: Reader, { joined }: Sought, unread: UnreadMarks | undefined): Beside {
  const me = reader.viewerId
  const one: Readonly<Record<Joined, Beside>> = {
    reply: { sql: REPLY, binds: [me, me] },
    unread: { sql: UNREAD, binds: [me, JSON.stringify(unread?.readTo ?? {}), unread?.now ?? 0] },
  }
  return {
    sql: joined.map(({ what, exclude }) => `AND ${exclude ? 'NOT ' : ''}${one[what].sql}`).join(' '),
    binds: joined.flatMap(({ what }) => one[what].binds),
  }
}

/** The condition for a single message. */
export const holdsBeside = (reader: Reader, id: string, { sql, binds }: Beside): boolean =>
  sql === '' || reader.db.get(`SELECT 1 FROM messages m WHERE m.id = ? ${sql}`, id, ...binds) !== undefined
