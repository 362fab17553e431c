import { useEffect, useRef, useState } from 'react'
import type { ErrorBody } from '#shared/lib/app-error.ts'
import type { Result } from '#shared/lib/result.ts'

/** Someone who only passes by with J and K needs nothing loaded. */
const PAUSE_MS = 120

/** What belongs to the open item, loaded after a short pause; `undefined` until then. */
export function useLoaded<Value>(
  key: string | undefined,
  version: number,
  load: () => Promise<Result<Value, ErrorBody>>,
): { readonly value?: Value; readonly error?: ErrorBody; readonly again: () => void } {
  const [state, setState] = useState<{ readonly key?: string; readonly value?: Value; readonly error?: ErrorBody }>({})
  const [asked, setAsked] = useState(0)
  const latest = useRef(load)
  useEffect(() => {
    latest.current = load
  })
  useEffect(() => {
    if (key === undefined) return undefined
    let isWanted = true
    const ask = async (): Promise<void> => {
      const loaded = await latest.current()
      if (!isWanted) return
      setState((before) =>
        loaded.ok
          ? { key, value: loaded.value }
          : { key, value: before.key === key ? before.value : undefined, error: loaded.error },
      )
    }
    // Loaded again when these rise.
    const timer = setTimeout(() => version >= 0 && asked >= 0 && void ask(), PAUSE_MS)
    return () => {
      isWanted = false
      clearTimeout(timer)
    }
  }, [key, version, asked])
  const here = state.key === key ? state : undefined
  return { value: here?.value, error: here?.error, again: () => setAsked((times) => times + 1) }
}
