import { createGaps, keepBesideUser, type KeptJson } from '../messages/kept-json.ts'
import type { Work } from '../work.ts'
import type { Access } from './access.ts'
import { encodeMember, encodeRead } from './encode-channels.ts'
import { keptChannel, trimKept, type KeptChannel, type KeptMembers } from './kept-channels.ts'
import { membersOf, readPages, readRows, type ReadRow } from './member-table.ts'
import { unknownUser } from '../users/encode-users.ts'

export type MemberPage = { readonly limit: number; readonly offset: number }

/** A page of the members of each of these channels, as it was written last if it still is like that. */
export function shownMembers(work: Work, accesses: readonly Access[], { limit, offset }: MemberPage): KeptMembers[] {
  const changed: KeptChannel[] = []
  const pages = accesses.map(({ channel: { cid }, moderates }) => {
    const kept = keptChannel(work.db, cid)
    // shadow bans are shown to moderators only
    const name = `${limit} ${offset} ${moderates}`
    const known = kept.members.get(name)
    if (known) return known
    const gaps = createGaps()
    const rows = membersOf(work.db, cid, limit, offset)
    const items = rows.map((row) => gaps.keep(encodeMember(row, gaps.people, moderates)))
    const page = { ids: rows.map((row) => row.user_id), items }
    kept.members.set(name, page)
    changed.push(kept)
    return page
  })
  if (changed.length > 0) trimKept(work.db, changed)
  return pages
}

/** The read states of a page of members of each channel, by user. They change with each message, so the columns are read. */
export function shownReads(
  work: Work,
  cids: readonly string[],
  { limit, offset }: MemberPage,
): ReadonlyMap<string, KeptJson>[] {
  const changed: KeptChannel[] = []
  const name = `${limit} ${offset}`
  const pages = readPages(work.db, cids, limit, offset).map((source, index) => {
    const kept = keptChannel(work.db, cids[index] ?? '')
    const known = kept.reads.get(name)
    if (known?.source === source) return known.byUser
    const byUser = new Map(readRows(source).map((row) => [row.user_id, keptRead(row)]))
    kept.reads.set(name, { source, byUser })
    changed.push(kept)
    return byUser
  })
  if (changed.length > 0) trimKept(work.db, changed)
  return pages
}

function keptRead(row: ReadRow): KeptJson {
  const { user: _open, ...others } = encodeRead(row, unknownUser)
  return keepBesideUser(row.user_id, others)
}
