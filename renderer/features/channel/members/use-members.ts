import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { MemberPage, MemberEntry } from '#shared/domain/channel.ts'
import type { Cid } from '#shared/lib/brand.ts'
import type { User } from '#shared/domain/user.ts'
import { useFormats } from '../../../i18n/index.ts'
import { useAppDispatch, useAppSelector, useChannel, useConnection } from '../../../store/hooks.ts'
import { fold } from '../../../lib/text/fold.ts'
import { loadMembers } from '../commands.ts'

/** Members per page. See docs/wire.md 3.12. */
const PAGE = 100
/** The server is searched after this pause in typing. */
const PAUSE_MS = 250

export type MemberListView = {
  /** `undefined` until the first response. */
  readonly groups: readonly Group[] | undefined
  readonly total: number
  readonly loading: boolean
  /** The last page failed to load, so the list may be incomplete. */
  readonly failed: boolean
  /** Offline: only members in the cache are listed. */
  readonly knownOnly: boolean
  /** Requests that page again. */
  readonly again: () => void
  readonly ownerId: string | undefined
  /** Called near the end of the list: loads the next page, if there is one. */
  readonly more: () => void
  /** Reloads after a change. */
  readonly reload: () => void
}

/** Members of a channel: cached ones at once, then pages from the server while scrolling, and search by name. */
export function useMembers(cid: Cid, query: string): MemberListView {
  const dispatch = useAppDispatch()
  const memberCount = useChannel(cid)?.memberCount
  const { offline } = useConnection()
  const [answer, setAnswer] = useState<{
    readonly cid: Cid
    readonly members: MemberPage
    readonly knownOnly: boolean
  }>()
  const [loading, setLoading] = useState(false)
  const [failed, setFailed] = useState(false)
  const request = useRef({ cid, offset: 0, busy: false })
  const members = answer?.cid === cid ? answer.members : undefined

  const load = useCallback(
    async (input: { offset?: number; text?: string }): Promise<boolean> => {
      const loaded = await dispatch(loadMembers({ cid, ...input }))
      if (request.current.cid !== cid || !loaded.ok) return loaded.ok
      const { value } = loaded
      // Cached members alone say nothing about whether the server answered.
      setAnswer((before) => ({
        cid,
        members: value,
        knownOnly: input.offset === undefined ? before?.knownOnly === true : value.unanswered === true,
      }))
      return value.unanswered !== true
    },
    [dispatch, cid],
  )
  const page = useCallback(
    async (offset: number): Promise<void> => {
      request.current = { cid, offset, busy: true }
      setLoading(true)
      const isLoaded = await load({ offset })
      if (request.current.cid !== cid) return
      // Offline the panel says so instead.
      setFailed(!isLoaded && !offline)
      request.current = { cid, offset, busy: false }
      setLoading(false)
    },
    [load, cid, offline],
  )
  useEffect(() => {
    request.current = { cid, offset: 0, busy: true }
    // Cached members, reloaded when the number of members changes.
    if (memberCount !== undefined) void load({})
  }, [load, cid, memberCount])
  useEffect(() => {
    const timer = setTimeout(() => void page(0), 0)
    return () => clearTimeout(timer)
  }, [page])
  const text = query.trim()
  useEffect(() => {
    if (text === '') return undefined
    const search = async (): Promise<void> => setFailed(!(await load({ offset: 0, text })) && !offline)
    const timer = setTimeout(() => void search(), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [load, text, offline])

  const groups = useGroups(members, text)
  const knownOnly = offline && answer?.cid === cid && answer.knownOnly
  return {
    groups,
    total: Math.max(members?.total ?? 0, members?.entries.length ?? 0),
    loading,
    // A request from before the line was lost may have failed as well.
    failed: failed && !knownOnly,
    knownOnly,
    again: () => void (text === '' ? page(request.current.offset) : load({ offset: 0, text })),
    ownerId: members?.ownerId,
    more: () => {
      const { offset, busy } = request.current
      const isEnd = members === undefined || !members.hasMore || offset + PAGE >= members.total
      if (!busy && text === '' && !isEnd) void page(offset + PAGE)
    },
    reload: () => void load({}),
  }
}

/** The members that match the text, sorted and in groups. */
function useGroups(members: MemberPage | undefined, text: string): readonly Group[] | undefined {
  const formats = useFormats()
  const users = useAppSelector((state) => state.entities.users)
  // For sorting: changes only when users are added, not with their presence.
  const named = useAppSelector((state) => state.entities.users, sameCount)
  const entries = members?.entries
  const sorted = useMemo(
    () => (entries === undefined ? undefined : byName(entries, named, formats.compare)),
    [entries, named, formats],
  )
  return useMemo(
    () => (sorted === undefined ? undefined : grouped(matching(sorted, users, text), users, members?.ownerId)),
    [sorted, users, text, members?.ownerId],
  )
}

const sameCount = (a: object, b: object): boolean => Object.keys(a).length === Object.keys(b).length

export type GroupName = 'staff' | 'others' | 'invited'
type Group = { readonly name: GroupName; readonly entries: readonly MemberEntry[] }

const GROUPS: readonly GroupName[] = ['staff', 'others', 'invited']

type Users = Readonly<Record<string, User>>

/** Sorted by name. Separate from grouping, so that a presence change does not sort ten thousand names again. */
function byName(
  entries: readonly MemberEntry[],
  users: Users,
  compare: (a: string, b: string) => number,
): readonly MemberEntry[] {
  const nameOf = ({ userId }: MemberEntry): string => users[userId]?.name ?? userId
  return entries.toSorted((a, b) => compare(nameOf(a), nameOf(b)) || (a.userId < b.userId ? -1 : 1))
}

/** Members whose name or id contains the query. */
function matching(entries: readonly MemberEntry[], users: Users, query: string): readonly MemberEntry[] {
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
