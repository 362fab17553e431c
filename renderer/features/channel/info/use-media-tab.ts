import { useCallback, useEffect, useRef, useState } from 'react'
import type { MediaFilter, MediaTabName } from '#shared/domain/channel-details.ts'
import type { Message } from '#shared/domain/message.ts'
import type { Poll } from '#shared/domain/poll.ts'
import type { SearchCursor } from '#shared/domain/search.ts'
import type { ErrorBody } from '#shared/lib/app-error.ts'
import type { Cid } from '#shared/lib/brand.ts'
import { useAppDispatch } from '../../../store/hooks.ts'
import { loadMedia } from '../commands.ts'

const PAUSE_MS = 200

export type MediaTab = {
  /** `undefined` until the first response. */
  readonly messages: readonly Message[] | undefined
  readonly polls: Readonly<Record<string, Poll>>
  /** The active filter. */
  readonly only: MediaFilter
  readonly busy: boolean
  /** Only cached items are listed, because the server is unreachable. */
  readonly cacheOnly: boolean
  readonly error: ErrorBody | undefined
  readonly more: () => void
  /** Requests from the server again. */
  readonly again: () => void
}

type Held = {
  readonly key: string
  readonly messages: readonly Message[]
  readonly polls: Readonly<Record<string, Poll>>
  readonly next?: SearchCursor
  readonly cacheOnly: boolean
  readonly error?: ErrorBody
}

/** Items of a media tab: cached ones at once, then those from the server; older pages while scrolling. */
export function useMediaTab(cid: Cid, tab: MediaTabName, text: string, only: MediaFilter): MediaTab {
  const dispatch = useAppDispatch()
  const { userId, kind, minBytes, from } = only
  const [round, setRound] = useState(0)
  const key = JSON.stringify([cid, tab, text, userId, kind, minBytes, from, round])
  const wanted = useRef(key)
  const paging = useRef(false)
  const [held, setHeld] = useState<Held>()
  const [busy, setBusy] = useState(true)
  const load = useCallback(
    async (ask: 'cache' | 'server', before?: Held): Promise<void> => {
      const cursor = before?.next
      const request = { cid, tab, text, only: { userId, kind, minBytes, from }, ask }
      const loaded = await dispatch(loadMedia({ ...request, cursor }))
      if (wanted.current !== key) return
      if (!loaded.ok) {
        setHeld((now) => ({
          ...(now?.key === key ? now : { key, messages: [], polls: {}, cacheOnly: false }),
          error: loaded.error,
        }))
        return
      }
      const { messages, polls, next, server } = loaded.value
      setHeld({
        key,
        messages: [...(before?.messages ?? []), ...messages],
        polls: { ...before?.polls, ...Object.fromEntries(polls.map((poll) => [poll.id, poll])) },
        cacheOnly: server === 'unreachable',
        next,
      })
    },
    [dispatch, cid, tab, text, userId, kind, minBytes, from, key],
  )
  useEffect(() => {
    wanted.current = key
    paging.current = true
    const begin = async (): Promise<void> => {
      setBusy(true)
      await load('cache')
      if (wanted.current === key) await load('server')
      if (wanted.current !== key) return
      paging.current = false
      setBusy(false)
    }
    const timer = setTimeout(() => void begin(), text === '' ? 0 : PAUSE_MS)
    return () => clearTimeout(timer)
  }, [load, key, text])
  const mine = held?.key === key ? held : undefined
  const more = (): void => {
    if (paging.current || mine?.next === undefined) return
    paging.current = true
    setBusy(true)
    const page = async (): Promise<void> => {
      await load('server', mine)
      if (wanted.current !== key) return
      paging.current = false
      setBusy(false)
    }
    void page()
  }
  return {
    messages: mine?.messages,
    polls: mine?.polls ?? {},
    only,
    busy,
    cacheOnly: mine?.cacheOnly ?? false,
    error: mine?.error,
    more,
    again: () => setRound((now) => now + 1),
  }
}
