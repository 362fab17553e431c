import { nameRank, nameWords } from '#shared/rules/search/search-names.ts'
import type { Reader } from '../tx.ts'

/** People and channels in the cache by name. Reads whole tables: run it in a worker. */
export type NamesRequest = { readonly text: string; readonly limit: number }
export type NamesAnswer = { readonly people: readonly string[]; readonly channels: readonly string[] }

const PEOPLE = 'SELECT id, name, 0 AS recent FROM users'
const CHANNELS = `SELECT c.cid AS id, json_extract(c.json, '$.name') AS name, coalesce(c.last_message_at, 0) AS recent
  FROM members m JOIN channels c ON c.cid = m.cid WHERE m.user_id = ? AND c.hidden = 0`
/** Conversations without a name are named after their members. */
const UNNAMED = `SELECT m.cid AS id, u.name FROM members own JOIN channels c ON c.cid = own.cid
  JOIN members m ON m.cid = own.cid JOIN users u ON u.id = m.user_id
  WHERE own.user_id = ? AND m.user_id <> ? AND json_extract(c.json, '$.name') = ''`

type Named = { readonly id: string; readonly name: string | null; readonly recent: number }

export function namesHeld(reader: Reader, { text, limit }: NamesRequest): NamesAnswer {
  const typed = nameWords(text.replace(/^[@#]/, ''))
  const me = reader.viewerId
  const talks = new Map<string, string[]>()
  for (const { id, name } of reader.db.all<{ id: string; name: string }>(UNNAMED, me, me)) {
    talks.set(id, [...(talks.get(id) ?? []), name])
  }
  const channels = reader.db
    .all<Named>(CHANNELS, me)
    .map((row) => ({ ...row, name: row.name || (talks.get(row.id) ?? []).join(' ') }))
  return {
    people: best(reader.db.all<Named>(PEOPLE), typed, limit),
    channels: best(channels, typed, limit),
  }
}

/** By rank, then by last activity, then by name. */
function best(all: readonly Named[], typed: readonly string[], limit: number): readonly string[] {
  return all
    .flatMap(({ id, name, recent }) => {
      const words = nameWords(name ?? '')
      const rank = nameRank(words, typed)
      return rank === undefined ? [] : [{ id, rank, recent, key: words.join(' ') }]
    })
    .toSorted((a, b) => a.rank - b.rank || b.recent - a.recent || (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
    .slice(0, limit)
    .map(({ id }) => id)
}
