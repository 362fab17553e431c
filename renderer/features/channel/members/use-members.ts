import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { MemberPage } from '#shared/domain/channel-details.ts'
import type { Cid } from '#shared/lib/brand.ts'
import { useFormats } from '../../../i18n/index.ts'
import { useAppDispatch, useAppSelector, useChannel } from '../../../store/hooks.ts'
import { loadMembers } from '../commands.ts'
import { byName, called, grouped, type Group } from './order.ts'

/** See docs/wire.md 3.12: members come by hundreds. */
const PAGE = 100
/** Names are looked for on the server when one stops typing. */
const PAUSE_MS = 250

export type MemberListView = {
  /** `undefined` until the first answer. */
  readonly groups: readonly Group[] | undefined
  readonly total: number
  readonly loading: boolean
  /** The last page did not come: who is missing in the list may be there all the same. */
  readonly failed: boolean
  /** Asks for it once more. */
  readonly again: () => void
  readonly ownerId: string | undefined
  /** The end of the list is near: the next hundred, if there is one. */
  readonly more: () => void
  /** Something was changed: as it stands now. */
  readonly reload: () => void
}

/** Who is in a channel: what is known here at once, then the server's pages as one scrolls, and those of a name. */
export function useMembers(cid: Cid, query: string): MemberListView {
  const dispatch = useAppDispatch()
  const formats = useFormats()
  const users = useAppSelector((state) => state.entities.users)
  // For the order of names: who comes online changes nothing, who becomes known does.
  const named = useAppSelector((state) => state.entities.users, sameCount)
  const memberCount = useChannel(cid)?.memberCount
  const [answer, setAnswer] = useState<{ readonly cid: Cid; readonly members: MemberPage }>()
  const [loading, setLoading] = useState(false)
  const [failed, setFailed] = useState(false)
  const asked = useRef({ cid, offset: 0, busy: false })
  const members = answer?.cid === cid ? answer.members : undefined

  const load = useCallback(
    async (input: { offset?: number; text?: string }): Promise<boolean> => {
      const loaded = await dispatch(loadMembers({ cid, ...input }))
      if (asked.current.cid === cid && loaded.ok) setAnswer({ cid, members: loaded.value })
      return loaded.ok
    },
    [dispatch, cid],
  )
  const page = useCallback(
    async (offset: number): Promise<void> => {
      asked.current = { cid, offset, busy: true }
      setLoading(true)
      const isLoaded = await load({ offset })
      if (asked.current.cid !== cid) return
      setFailed(!isLoaded)
      asked.current = { cid, offset, busy: false }
      setLoading(false)
    },
    [load, cid],
  )
  useEffect(() => {
    asked.current = { cid, offset: 0, busy: true }
    // What is known at once, and again when someone came or went.
    if (memberCount !== undefined) void load({})
  }, [load, cid, memberCount])
  useEffect(() => {
    const timer = setTimeout(() => void page(0), 0)
    return () => clearTimeout(timer)
  }, [page])
  const text = query.trim()
  useEffect(() => {
    if (text === '') return undefined
    const search = async (): Promise<void> => setFailed(!(await load({ offset: 0, text })))
    const timer = setTimeout(() => void search(), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [load, text])

  const entries = members?.entries
  const sorted = useMemo(
    () => (entries === undefined ? undefined : byName(entries, named, formats.compare)),
    [entries, named, formats],
  )
  const groups = useMemo(
    () => (sorted === undefined ? undefined : grouped(called(sorted, users, text), users, members?.ownerId)),
    [sorted, users, text, members?.ownerId],
  )
  return {
    groups,
    total: Math.max(members?.total ?? 0, entries?.length ?? 0),
    loading,
    failed,
    again: () => void (text === '' ? page(asked.current.offset) : load({ offset: 0, text })),
    ownerId: members?.ownerId,
    more: () => {
      const { offset, busy } = asked.current
      const isEnd = members === undefined || !members.hasMore || offset + PAGE >= members.total
      if (!busy && text === '' && !isEnd) void page(offset + PAGE)
    },
    reload: () => void load({}),
  }
}

const sameCount = (a: object, b: object): boolean => Object.keys(a).length === Object.keys(b).length
