import { useEffect, useRef, useState } from 'react'
import type { ErrorBody, Result } from '#shared/lib/app-error.ts'

type Page<Item> = { readonly items: readonly Item[]; readonly next?: string }
type Read<Item> = (cursor: string | undefined) => Promise<Result<Page<Item>, ErrorBody>>

/** A paged list: the first page at once and again when `key` changes, others on request. */
export function usePages<Item>(
  read: Read<Item>,
  key: string,
): {
  readonly items: readonly Item[]
  readonly hasMore: boolean
  readonly loading: boolean
  readonly error: ErrorBody | undefined
  readonly more: () => void
} {
  const [items, setItems] = useState<readonly Item[]>([])
  const [next, setNext] = useState<string>()
  const [loading, setLoading] = useState(true)
  const [error, setError] = useState<ErrorBody>()
  const requestCount = useRef(0)
  const wanted = useRef(key)
  const latest = useRef(read)
  useEffect(() => {
    latest.current = read
  })
  /** `about`: the key the page belongs to; a late page of another key is dropped. */
  const ask = useRef(async (cursor: string | undefined, about: string): Promise<void> => {
    requestCount.current += 1
    const mine = requestCount.current
    setLoading(true)
    const page = await latest.current(cursor)
    if (mine !== requestCount.current || about !== wanted.current) return
    setLoading(false)
    if (!page.ok) return setError(page.error)
    setError(undefined)
    setNext(page.value.next)
    setItems((before) => (cursor === undefined ? page.value.items : [...before, ...page.value.items]))
  })
  useEffect(() => {
    wanted.current = key
    void ask.current(undefined, key)
    return () => {
      requestCount.current += 1
    }
  }, [key])
  return {
    items,
    hasMore: next !== undefined,
    loading,
    error,
    more: () => void (next !== undefined && !loading && ask.current(next, key)),
  }
}
