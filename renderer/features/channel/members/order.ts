import type { MemberEntry } from '#shared/domain/channel-details.ts'
import type { User } from '#shared/domain/user.ts'
import { fold } from '../../../lib/text/fold.ts'

export type GroupName = 'staff' | 'others' | 'invited'
export type Group = { readonly name: GroupName; readonly entries: readonly MemberEntry[] }

const GROUPS: readonly GroupName[] = ['staff', 'others', 'invited']

type Users = Readonly<Record<string, User>>

/** Sorted by name. Separate from grouping, so that a presence change does not sort ten thousand names again. */
export function byName(
  entries: readonly MemberEntry[],
  users: Users,
  compare: (a: string, b: string) => number,
): readonly MemberEntry[] {
  const nameOf = ({ userId }: MemberEntry): string => users[userId]?.name ?? userId
  return entries.toSorted((a, b) => compare(nameOf(a), nameOf(b)) || (a.userId < b.userId ? -1 : 1))
}

/** Members whose name or id contains the query. */
export function matching(entries: readonly MemberEntry[], users: Users, query: string): readonly MemberEntry[] {
  const wanted = fold(query.trim())
  if (wanted === '') return entries
  return entries.filter(
    ({ userId }) => fold(users[userId]?.name ?? '').includes(wanted) || userId.toLowerCase().includes(wanted),
  )
}

/** Owner and moderators, other members, invited people; in each group online first, otherwise in the given order. */
export function grouped(entries: readonly MemberEntry[], users: Users, ownerId: string | undefined): readonly Group[] {
  const groupOf = ({ userId, invited, channelRole }: MemberEntry): GroupName =>
    invited ? 'invited' : userId === ownerId || channelRole === 'channel_moderator' ? 'staff' : 'others'
  const lists: Record<GroupName, { owner: MemberEntry[]; online: MemberEntry[]; away: MemberEntry[] }> = {
    staff: { owner: [], online: [], away: [] },
    others: { owner: [], online: [], away: [] },
    invited: { owner: [], online: [], away: [] },
  }
  for (const entry of entries) {
    const list = lists[groupOf(entry)]
    if (entry.userId === ownerId) list.owner.push(entry)
    else (users[entry.userId]?.online === true ? list.online : list.away).push(entry)
  }
  return GROUPS.map((name) => {
    const { owner, online, away } = lists[name]
    return { name, entries: [...owner, ...online, ...away] }
  }).filter((group) => group.entries.length > 0)
}
